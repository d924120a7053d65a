import { expect } from 'chai';
import fc from 'fast-check';
import { type AccountState, book, debitedBy } from '../../src/machines/kernel/ledger.js';
import { type Move, partiesOf, postingsOf } from '../../src/machines/kernel/posting.js';
import { isRefusal } from '../../src/machines/kernel/refusal.js';

const [a, b] = ['did:a', 'did:b'];
const most = Number.MAX_SAFE_INTEGER;

/** Each way of moving money, with its double entry written out. */
const table: readonly [Move, { [account: string]: number }][] = [
  [
    { op: 'mint', to: a, amount: 5 },
    { supply: -5, 'available/did:a': 5 },
  ],
  [
    { op: 'transfer', from: a, to: b, amount: 5, fee: 2 },
    { 'available/did:a': -7, 'available/did:b': 5, fees: 2 },
  ],
  [
    { op: 'transfer', from: a, to: b, amount: 5, fee: 0 },
    { 'available/did:a': -5, 'available/did:b': 5 },
  ],
  [
    { op: 'reserve', escrow: 'e', from: a, to: b, amount: 5 },
    { 'available/did:a': -5, 'reserved/did:a': 5 },
  ],
  [
    { op: 'unreserve', escrow: 'e', from: a, amount: 5 },
    { 'reserved/did:a': -5, 'available/did:a': 5 },
  ],
  [
    { op: 'lock', escrow: 'e', from: a, to: b, amount: 5 },
    { 'reserved/did:a': -5, 'escrowed/did:a': 5 },
  ],
  [
    { op: 'release', escrow: 'e', from: a, to: b, amount: 5 },
    { 'escrowed/did:a': -5, 'available/did:b': 5 },
  ],
  [
    { op: 'refund', escrow: 'e', from: a, amount: 5 },
    { 'escrowed/did:a': -5, 'available/did:a': 5 },
  ],
  [
    { op: 'expire', escrow: 'e', from: a, amount: 5 },
    { 'escrowed/did:a': -5, 'available/did:a': 5 },
  ],
  [
    { op: 'deposit', to: b, amount: 5, ref: 1 },
    { supply: -5, 'available/did:b': 5 },
  ],
  [
    { op: 'withdraw', from: a, to: '0x', amount: 5, fee: 2 },
    { 'available/did:a': -7, supply: 5, fees: 2 },
  ],
  [
    { op: 'collect', to: b, amount: 5 },
    { fees: -5, 'available/did:b': 5 },
  ],
  [{ op: 'freeze', did: a }, {}],
  [{ op: 'unfreeze', did: a }, {}],
];

const account =
  (available: number, more: Partial<AccountState> = {}) =>
  (did: string): AccountState => ({ did, available, reserved: 0, escrowed: 0, version: 4, frozen: false, ...more });

const codeOf = (result: ReturnType<typeof book>) => (isRefusal(result) ? result.code : 'booked');

describe('postings', () => {
  for (const [move, postings] of table) {
    it(`of ${move.op} are its double entry, and sum to zero`, () => {
      expect(Object.fromEntries(postingsOf(move))).to.deep.equal(postings);
      expect(postingsOf(move).reduce((sum, [, delta]) => sum + delta, 0)).to.equal(0);
    });
  }

  it('concern at most two accounts, each under one type', () => {
    for (const [move] of table) {
      const parties = partiesOf(move);
      expect(parties.length).to.be.at.most(2);
      expect(new Set(parties.map(([did]) => did)).size).to.equal(parties.length);
    }
  });
});

describe('booking', () => {
  it('versions who is debited in available, frozen or unfrozen, and nobody else', () => {
    for (const [move] of table) {
      const booked = book([move], account(100));
      const versioned = isRefusal(booked) ? [] : booked.accounts;
      const wanted = {
        transfer: [a],
        reserve: [a],
        withdraw: [a],
        freeze: [a],
        unfreeze: [a],
        collect: ['fees'],
        mint: ['supply'],
        deposit: ['supply'],
      } as {
        [op: string]: string[];
      };
      expect(versioned, move.op).to.deep.equal((wanted[move.op] ?? []).map((did) => ({ did, version: 5 })));
      expect(debitedBy([move])).to.deep.equal(wanted[move.op] ?? []);
    }
  });

  it('adds the moves of one entry up before it looks at the funds', () => {
    const moves: Move[] = [
      { op: 'reserve', escrow: 'e', from: a, to: b, amount: 60 },
      { op: 'transfer', from: a, to: b, amount: 60, fee: 0 },
    ];
    expect(codeOf(book(moves, account(100)))).to.equal('INSUFFICIENT_BALANCE');
    const booked = book(moves, account(120));
    if (isRefusal(booked)) return expect.fail(booked.detail);
    expect(booked.accounts, 'one version for one entry').to.deep.equal([{ did: a, version: 5 }]);
  });

  it('what a later move brings does not pay for an earlier one: the chain takes them in order', () => {
    const give: Move = { op: 'transfer', from: a, to: b, amount: 60, fee: 0 };
    const get: Move = { op: 'release', escrow: 'e', from: b, to: a, amount: 60 };
    expect(codeOf(book([give, get], account(59)))).to.equal('INSUFFICIENT_BALANCE');
    expect(codeOf(book([get, give], account(0)))).to.equal('booked');
  });

  it('what an entry gives and takes evens out, and leaves no posting of zero', () => {
    const moves: Move[] = [
      { op: 'reserve', escrow: 'e', from: a, to: b, amount: 60 },
      { op: 'lock', escrow: 'e', from: a, to: b, amount: 60 },
    ];
    const booked = book(moves, account(60));
    if (isRefusal(booked)) return expect.fail(booked.detail);
    expect(Object.fromEntries(booked.postings)).to.deep.equal({ 'available/did:a': -60, 'escrowed/did:a': 60 });
  });

  it('a freeze stops debits of available, and nothing else', () => {
    const frozen = account(100, { frozen: true });
    const stopped = table.filter(([move]) => codeOf(book([move], frozen)) === 'TRANSFER_NOT_ALLOWED');
    expect([...new Set(stopped.map(([move]) => move.op))]).to.deep.equal(['transfer', 'reserve', 'withdraw']);
  });

  it('a supply of 2^53-1 is the most', () => {
    const mint = (amount: number, supply: number) =>
      codeOf(book([{ op: 'mint', to: a, amount }], account(most - supply)));
    expect(mint(1, most - 1)).to.equal('booked');
    expect(mint(2, most - 1)).to.equal('UNPROCESSABLE');
    expect(mint(most, 0)).to.equal('booked');
    expect(mint(most, 1)).to.equal('UNPROCESSABLE');
  });

  it('whatever the moves, the postings sum to zero and nobody is overdrawn', () => {
    const did = fc.constantFrom(a, b, 'did:c');
    const amount = fc.integer({ min: 1, max: 100 });
    const move: fc.Arbitrary<Move> = fc.oneof(
      fc.record({ op: fc.constant('mint' as const), to: did, amount }),
      fc.record({ op: fc.constant('transfer' as const), from: did, to: did, amount, fee: fc.nat(9) }),
      fc.record({ op: fc.constant('reserve' as const), escrow: fc.constant('e'), from: did, to: did, amount }),
      fc.record({ op: fc.constant('collect' as const), to: did, amount }),
    );
    fc.assert(
      fc.property(fc.array(move, { maxLength: 6 }), fc.nat(300), (moves, available) => {
        const booked = book(moves, account(available));
        if (isRefusal(booked)) return;
        expect(booked.postings.reduce((sum, [, delta]) => sum + delta, 0)).to.equal(0);
        for (const [name, delta] of booked.postings) {
          if (name.startsWith('available/')) expect(available + delta).to.be.at.least(0);
          expect(delta).to.not.equal(0);
        }
      }),
    );
  });
});
