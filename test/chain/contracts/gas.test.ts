/**
 * Gas per operation in batches of 100, compared with the committed snapshot, so that no increase goes unnoticed.
 * `SVC_TEST_GAS=write` writes a new snapshot.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { expect } from 'chai';
import { didHash } from '../../../src/chain/contracts/interfaces.js';
import { gasBounds, gasLimitOf } from '../../../src/chain/operations/operation-limits.js';
import type { Move } from '../../../src/machines/kernel/posting.js';
import { didOf } from '../../world/people.js';
import { accountOf, evmOf, freezer, minter, operator, registrar, Stage, startMs } from './stage.js';

const file = 'test/chain/contracts/gas.json';
const size = 100;
const bound = 14_000;
const person = (n: number) => didOf(`gas ${n}`);
const each = <T>(make: (n: number) => T): T[] => Array.from({ length: size }, (_, n) => make(n));

const escrow = (n: number) => ({ escrow: `escrow ${n}`, from: person(n), to: person(n + size) });
/** The time of all operations, so that the chain's own clock does not affect the figures. */
const time = startMs + 60_000;
const expiresAt = time;
const pay = (from: number, to: number, fee = 0): Move => ({
  op: 'transfer',
  from: person(from),
  to: person(to),
  amount: 1_000,
  fee,
});
const newcomer = 10_000;

/**
 * In this order, because each batch uses what the previous ones left. Operations of a batch share nothing unless its name says
 * so.
 */
const batches: readonly (readonly [name: string, moves: Move[]])[] = [
  ['mint to new accounts', each((n): Move => ({ op: 'mint', to: person(n), amount: 1_000_000 }))],
  ['mint to new accounts once more', each((n): Move => ({ op: 'mint', to: person(n + size), amount: 1_000_000 }))],
  ['mint to existing accounts', each((n): Move => ({ op: 'mint', to: person(n), amount: 1_000_000 }))],
  ['transfer between existing accounts, 200 different ones', each((n) => pay(n, n + size))],
  ['transfer with a fee, 200 different ones', each((n) => pay(n, n + size, 10))],
  ['transfer among 64 accounts', each((n) => pay(n % 64, (n * 7 + 1) % 64))],
  ['transfer from one account to 100', each((n) => pay(0, n + 1))],
  ['transfer to new accounts', each((n) => pay(n, n + newcomer, 10))],
  ['reserve', each((n): Move => ({ op: 'reserve', ...escrow(n), amount: 600, expiresAt }))],
  [
    'reserve for new accounts',
    each(
      (n): Move => ({ op: 'reserve', escrow: `new ${n}`, from: person(n), to: person(n + 2 * newcomer), amount: 500 }),
    ),
  ],
  ['lock', each((n): Move => ({ op: 'lock', ...escrow(n), amount: 600 }))],
  ['unreserve', each((n): Move => ({ op: 'unreserve', escrow: `new ${n}`, from: person(n), amount: 500 }))],
  ['release in part', each((n): Move => ({ op: 'release', ...escrow(n), amount: 200 }))],
  ['refund in part', each((n): Move => ({ op: 'refund', ...escrow(n), amount: 100 }))],
  ['expire', each((n): Move => ({ op: 'expire', escrow: escrow(n).escrow, from: person(n), amount: 300 }))],
  ['collect to new accounts', each((n): Move => ({ op: 'collect', to: person(n + 3 * newcomer), amount: 1 }))],
  ['freeze', each((n): Move => ({ op: 'freeze', did: person(n) }))],
  ['unfreeze', each((n): Move => ({ op: 'unfreeze', did: person(n) }))],
  ['freeze new accounts', each((n): Move => ({ op: 'freeze', did: person(n + 4 * newcomer) }))],
  [
    'deposit into new accounts',
    each((n): Move => ({ op: 'deposit', to: person(n + 5 * newcomer), amount: 50, ref: n + 1 })),
  ],
  [
    'withdraw to new addresses',
    each((n): Move => ({ op: 'withdraw', from: person(n), to: evmOf(`gas ${n}`), amount: 5, fee: 1 })),
  ],
];

describe('gas', () => {
  const measured: { [name: string]: number } = {};

  before(async () => {
    const stage = await Stage.open();
    const times = each(() => time);
    for (const [name, moves] of batches) {
      if (moves[0]!.op === 'deposit') {
        for (const move of moves) await stage.deposits(evmOf('depositor'), (move as { to: string }).to, 50);
      }
      const operations = stage.pack(moves, times);
      const { gasUsed } = await stage.applies([], { operations, gas: gasLimitOf(operations) });
      measured[name] = Math.round(gasUsed / size);
    }
    const { gasUsed } = await stage.applies([pay(1, 2)], { times });
    measured['a transfer alone in its batch'] = gasUsed;
    measured['a sign of life'] = (await stage.applies([])).gasUsed;
    const vault = stage.contracts.vault;
    const root = `0x${'ab'.repeat(32)}`;
    const people = await Promise.all(each((n) => didHash(person(n))));
    const controllers = each((n) => evmOf(`controller ${n}`));
    for (const [what, from, contract, method, args] of [
      ['the first anchor', operator, 'Settlement', 'anchor', [1, 1_000, root]],
      ['an anchor', operator, 'Settlement', 'anchor', [1_001, 2_000, root]],
      [
        'a registration alone',
        registrar,
        'IdentityRegistry',
        'registerMany',
        [[await didHash(person(size))], [minter]],
      ],
      ['100 registrations', registrar, 'IdentityRegistry', 'registerMany', [people, controllers]],
      ['minting a deposit that was lost', minter, 'ServiceToken', 'mint', [minter, 50]],
      ['approving it', minter, 'ServiceToken', 'approve', [vault, 50]],
      ['depositing it', minter, 'LedgerVault', 'deposit', [accountOf(person(0)), 50]],
    ] as const) {
      const mined = await stage.tries(from, contract, method, args);
      expect(mined.reverted, what).to.equal(false);
      measured[what] = mined.gasUsed;
    }
    if (process.env.SVC_TEST_GAS === 'write') writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`);
  });

  it('is what the snapshot says: a growth is a decision, a gain is worth writing down', () => {
    expect(measured).to.deep.equal(JSON.parse(readFileSync(file, 'utf8')));
  });

  it(`of a transfer between existing accounts is at most ${bound}`, () => {
    expect(measured['transfer between existing accounts, 200 different ones']).to.be.at.most(bound);
    expect(measured['transfer with a fee, 200 different ones']).to.be.at.most(bound);
  });

  it('is bounded for every kind: each batch above was sent with the gas limit that batches are cut by', () => {
    const sent = new Set(batches.map(([, moves]) => moves[0]!.op));
    expect(Object.keys(gasBounds).filter((op) => !sent.has(op as Move['op']))).to.deep.equal([]);
  });

  it('is bounded for an operation that is alone, and for withdrawals that are held', async () => {
    const stage = await Stage.open();
    const alone = async (move: Move) => {
      const operations = stage.pack([move]);
      await stage.applies([], { operations, gas: gasLimitOf(operations) });
    };
    await alone({ op: 'mint', to: person(0), amount: 1_000_000 });
    await alone({ ...pay(0, 1), fee: 1 } as Move);
    await alone({ op: 'reserve', ...escrow(0), amount: 600 });
    await stage.does(freezer, 'ServiceToken', 'freeze', [stage.contracts.vault]);
    const held = each((n): Move => ({ op: 'withdraw', from: person(0), to: evmOf(`gas ${n}`), amount: 5, fee: 1 }));
    const operations = stage.pack(held);
    await stage.applies([], { operations, gas: gasLimitOf(operations) });
  });
});
