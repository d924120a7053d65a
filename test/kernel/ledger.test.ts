import { expect } from 'chai';
import fc from 'fast-check';
import { isRefusal } from '../../src/core/refusal.js';
import {
  type AccountState,
  book,
  debitedBy,
  foldEntry,
  type LedgerEntry,
  type LedgerRow,
} from '../../src/machines/kernel/ledger.js';
import { type Move, type Posting, partiesOf, postingsOf } from '../../src/machines/kernel/posting.js';

const [a, b] = ['did:a', 'did:b'];
const most = Number.MAX_SAFE_INTEGER;

/** Each kind of move with its double entry. */
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
  it('versions accounts that are debited in available, frozen or unfrozen, and no others', () => {
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
    const lock = { op: 'lock', escrow: 'e', from: a, to: b, amount: 5 } as const;
    expect(codeOf(book([{ ...lock, versioned: true }], frozen)), 'of an earlier reservation').to.equal(
      'TRANSFER_NOT_ALLOWED',
    );
  });

  it('a supply of 2^53-1 is the most', () => {
    const mint = (amount: number, supply: number) =>
      codeOf(book([{ op: 'mint', to: a, amount }], account(most - supply)));
    expect(mint(1, most - 1)).to.equal('booked');
    expect(mint(2, most - 1)).to.equal('UNPROCESSABLE');
    expect(mint(most, 0)).to.equal('booked');
    expect(mint(most, 1)).to.equal('UNPROCESSABLE');
  });

  it('whatever the moves, the postings sum to zero and no account is overdrawn', () => {
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

describe('folding an entry into the ledger', () => {
  const row = (change: Partial<LedgerRow> = {}): LedgerRow => ({
    available: 0,
    reserved: 0,
    escrowed: 0,
    version: 0,
    frozen: false,
    nonce: 0,
    lastHash: null,
    ...change,
  });
  const entry = (moves: readonly Move[], accounts: LedgerEntry['accounts'] = []): LedgerEntry => ({
    event: { issuer: a, nonce: 4, hash: 'h' },
    accounts,
    moves,
    postings: moves.flatMap(postingsOf),
  });

  it('moves the balances, the fees and the signer’s place, and versions what was debited', () => {
    const rows = new Map([a, b].map((did) => [did, row({ available: 9, nonce: 3, version: 1 })]));
    const system = { supply: -18, fees: 0 };
    const transfer = entry([{ op: 'transfer', from: a, to: b, amount: 5, fee: 2 }], [{ did: a, version: 2 }]);
    foldEntry(transfer, { account: (name) => rows.get(name), system });
    expect(rows.get(a)).to.deep.equal(row({ available: 2, version: 2, nonce: 4, lastHash: 'h' }));
    expect(rows.get(b)).to.deep.equal(row({ available: 14, version: 1, nonce: 3 }));
    expect(system).to.deep.equal({ supply: -18, fees: 2 });
  });

  it('keeps the balances of the system accounts next to their rows', () => {
    const rows = new Map<string, LedgerRow>(['supply', a].map((name) => [name, row()]));
    const system = { supply: 0, fees: 0 };
    const mint = entry([{ op: 'mint', to: a, amount: 5 }], [{ did: 'supply', version: 1 }]);
    foldEntry(mint, { account: (name) => rows.get(name), system });
    expect(rows.get('supply')).to.deep.equal(row({ version: 1 }));
    expect(system).to.deep.equal({ supply: -5, fees: 0 });
  });

  it('freezes and unfreezes', () => {
    const frozen = row();
    const freeze = (op: 'freeze' | 'unfreeze', version: number) =>
      foldEntry(entry([{ op, did: b }], [{ did: b, version }]), {
        account: (name) => (name === b ? frozen : undefined),
      });
    freeze('freeze', 1);
    expect(frozen).to.deep.equal(row({ frozen: true, version: 1 }));
    freeze('unfreeze', 2);
    expect(frozen).to.deep.equal(row({ version: 2 }));
  });

  for (const [name, moves, postings, says] of [
    [
      'a balance below zero',
      [{ op: 'transfer', from: a, to: b, amount: 5, fee: 0 }],
      undefined,
      /available\/did:a .*-5/,
    ],
    ['fees below zero', [{ op: 'collect', to: a, amount: 1 }], undefined, /fees would become -1/],
    ['a balance past 2^53-1', [{ op: 'mint', to: b, amount: most }], undefined, /available\/did:b would become/],
    ['a sum that is not zero', [], [['available/did:a', 1]], /do not sum to zero/],
    ['an account that no ledger has', [], [['savings/did:a', 0]], /no ledger account savings\/did:a/],
  ] as readonly [string, readonly Move[], Posting[] | undefined, RegExp][]) {
    it(`refuses ${name} and changes nothing`, () => {
      const rows = new Map([a, b].map((did) => [did, row({ available: did === a ? 0 : 1 })]));
      const system = { supply: 0, fees: 0 };
      const before = structuredClone([...rows]);
      const refused = { ...entry(moves), ...(postings ? { postings } : {}) };
      expect(() => foldEntry(refused, { account: (did) => rows.get(did), system })).to.throw(says);
      expect([...rows]).to.deep.equal(before);
      expect(system).to.deep.equal({ supply: 0, fees: 0 });
    });
  }
});
