import { expect } from 'chai';
import { type PageRequest, StoreFault } from '../../../src/store/store.js';
import { type EntryBuilder, forged } from '../entries.js';
import { type Bench, firstPage, rejection } from '../fixture.js';

const ada = 'did:svc:ada';
const bob = 'did:svc:bob';
const escrow = { escrow: 'esc-1', from: ada };

/** One move of each kind. In the end Ada has 49, Bob 45, 5 are escrowed, fees are 0 and another account has 1. */
export const lifeOfMoney = (builder: EntryBuilder) => [
  builder.mint(ada, 100),
  builder.commit({ issuer: ada, moves: [{ op: 'transfer', from: ada, to: bob, amount: 20, fee: 1 }] }),
  builder.commit({ issuer: ada, moves: [{ op: 'reserve', ...escrow, to: bob, amount: 40 }] }),
  builder.commit({ issuer: ada, moves: [{ op: 'unreserve', ...escrow, amount: 5 }] }),
  builder.commit({ issuer: ada, moves: [{ op: 'lock', ...escrow, to: bob, amount: 35 }] }),
  builder.commit({ issuer: ada, moves: [{ op: 'release', ...escrow, to: bob, amount: 25 }] }),
  builder.commit({ issuer: ada, moves: [{ op: 'refund', ...escrow, amount: 5 }] }),
  builder.commit({ issuer: 'did:svc:operator', moves: [{ op: 'collect', to: 'did:svc:operator', amount: 1 }] }),
];

export function ledger(bench: Bench): void {
  describe('ledger', () => {
    it('folds postings into balances and totals', async () => {
      await bench.accept(...lifeOfMoney(bench.builder));
      expect(await bench.store.account(ada)).to.deep.equal({
        did: ada,
        available: 49,
        reserved: 0,
        escrowed: 5,
        version: 2,
        frozen: false,
        nonce: 6,
        lastHash: bench.builder.signer(ada).hash,
        seq: 7,
      });
      expect(await bench.store.account(bob)).to.include({
        available: 45,
        version: 0,
        nonce: 0,
        lastHash: null,
        seq: 6,
      });
      expect(await bench.store.totals()).to.deep.equal({
        supply: 100,
        fees: 0,
        available: 95,
        reserved: 0,
        escrowed: 5,
      });
    });

    it('knows nothing of an account that nothing touched, and sums of an empty ledger', async () => {
      expect(await bench.store.account(ada)).to.equal(undefined);
      expect(await bench.store.totals()).to.deep.equal({ supply: 0, fees: 0, available: 0, reserved: 0, escrowed: 0 });
    });

    it('lists the accounts of DIDs, the largest balance first, and pages by offset and cursor', async () => {
      const { builder } = bench;
      // Escrowed Tokens count as part of a balance: without them Ada would be sorted after Dan.
      await bench.accept(...lifeOfMoney(builder), builder.mint('did:svc:cem', 45), builder.mint('did:svc:dan', 50));
      const whole = [ada, 'did:svc:dan', 'did:svc:cem', bob, 'did:svc:operator', 'did:svc:faucet'];
      const list = async (page: PageRequest) => {
        const { items, total, next } = await bench.store.accounts(page);
        expect(total).to.equal(whole.length);
        return { dids: items.map(({ did }) => did), items, next };
      };
      const { dids, items, next } = await list(firstPage);
      expect({ dids, next }).to.deep.equal({ dids: whole, next: null });
      expect(items[0]).to.deep.equal(await bench.store.account(ada));
      const first = await list({ limit: 2, offset: 0 });
      expect(first.dids).to.deep.equal(whole.slice(0, 2));
      const second = await list({ limit: 2, offset: 0, after: first.next! });
      expect(second.dids).to.deep.equal(whole.slice(2, 4));
      expect(await list({ limit: 2, offset: 0, after: second.next! })).to.deep.include({
        dids: whole.slice(4),
        next: null,
      });
      expect((await list({ limit: 3, offset: 3 })).dids).to.deep.equal(whole.slice(3));
    });

    it('freezes and unfreezes, each a version of the account', async () => {
      const { builder } = bench;
      await bench.accept(builder.commit({ issuer: bob, moves: [{ op: 'freeze', did: ada }] }));
      expect(await bench.store.account(ada)).to.include({ frozen: true, version: 1, available: 0, nonce: 0, seq: 1 });
      await bench.accept(builder.commit({ issuer: bob, moves: [{ op: 'unfreeze', did: ada }] }));
      expect(await bench.store.account(ada)).to.include({ frozen: false, version: 2, seq: 2 });
    });

    it('keeps amounts up to 2^53-1 exactly', async () => {
      await bench.accept(bench.builder.mint(ada, Number.MAX_SAFE_INTEGER));
      expect((await bench.store.account(ada))?.available).to.equal(Number.MAX_SAFE_INTEGER);
      expect((await bench.store.totals()).supply).to.equal(Number.MAX_SAFE_INTEGER);
    });

    it('writes no more once an entry would take an account below zero', async () => {
      const { builder } = bench;
      await bench.accept(builder.mint(ada, 10));
      const fault = await rejection(bench.store.append([builder.transfer(ada, bob, 11)]));
      expect(fault).to.be.instanceOf(StoreFault);
      expect(fault.message).to.match(/available\/did:svc:ada would become -1/);
      expect(await rejection(bench.store.append([builder.mint(bob, 1)]))).to.be.instanceOf(StoreFault);
      expect(await bench.store.account(ada)).to.include({ available: 10, nonce: 0 });
      expect(await bench.store.head()).to.include({ seq: 1 });
    });

    it('writes no more once postings do not sum to zero', async () => {
      const commit = bench.builder.mint(ada, 10);
      const unbalanced = forged(commit, { postings: commit.entry.core.postings.slice(1) });
      expect(await rejection(bench.store.append([unbalanced]))).to.be.instanceOf(StoreFault);
      expect(await bench.store.account(ada)).to.equal(undefined);
    });

    it('writes no more once a snapshot is missing although its version is there', async () => {
      const { entry } = bench.builder.resource({ kind: 'order', id: 'o1' });
      expect(await rejection(bench.store.append([{ entry, snapshots: [] }]))).to.be.instanceOf(StoreFault);
    });

    it('writes no more once a snapshot comes without a version, or with that of another', async () => {
      const made = bench.builder.resource({ kind: 'order', id: 'o1' });
      const { versions } = bench.builder.resource({ kind: 'order', id: 'o2' }).entry.core;
      for (const change of [{ versions: [] }, { versions }]) {
        expect(await rejection(bench.store.append([forged(made, change)]))).to.be.instanceOf(StoreFault);
        await bench.reopen();
      }
    });
  });

  describe('history', () => {
    const lines = async (did: string, type?: 'sent' | 'received' | 'escrow', page = firstPage) => {
      const { items, total, next } = await bench.store.history(did, type, page);
      return { lines: items.map((item) => `${item.entry.seq} ${item.type} ${item.move.op}`), total, next };
    };

    it('lists the moves of an account, newest first, under their types', async () => {
      await bench.accept(...lifeOfMoney(bench.builder));
      const escrowed = [
        '7 escrow refund',
        '6 escrow release',
        '5 escrow lock',
        '4 escrow unreserve',
        '3 escrow reserve',
      ];
      expect(await lines(ada)).to.deep.equal({
        lines: [...escrowed, '2 sent transfer', '1 received mint'],
        total: 7,
        next: null,
      });
      expect(await lines(ada, 'escrow')).to.deep.equal({ lines: escrowed, total: 5, next: null });
      expect(await lines(ada, 'sent')).to.deep.equal({ lines: ['2 sent transfer'], total: 1, next: null });
      expect(await lines(bob)).to.deep.equal({
        lines: ['6 escrow release', '2 received transfer'],
        total: 2,
        next: null,
      });
      expect(await lines('did:svc:nobody')).to.deep.equal({ lines: [], total: 0, next: null });
    });

    it('lists several moves of one entry, and a transfer to oneself twice', async () => {
      const { builder } = bench;
      const self = { op: 'transfer', from: ada, to: ada, amount: 1, fee: 0 } as const;
      const release = { op: 'release', escrow: 'e', from: ada, to: ada, amount: 1 } as const;
      const reserve = { op: 'reserve', escrow: 'e', from: ada, to: ada, amount: 1 } as const;
      const lock = { ...reserve, op: 'lock' } as const;
      await bench.accept(builder.mint(ada, 1), builder.commit({ issuer: ada, moves: [self, reserve, lock, release] }));
      expect(await lines(ada)).to.deep.equal({
        lines: [
          '2 escrow release',
          '2 escrow lock',
          '2 escrow reserve',
          '2 received transfer',
          '2 sent transfer',
          '1 received mint',
        ],
        total: 6,
        next: null,
      });
    });

    it('pages by offset, and by cursors that hold while entries arrive', async () => {
      const { builder } = bench;
      await bench.accept(...Array.from({ length: 5 }, () => builder.mint(ada, 1)));
      const first = await lines(ada, undefined, { limit: 2, offset: 1 });
      expect(first).to.deep.include({ lines: ['4 received mint', '3 received mint'], total: 5 });
      await bench.accept(builder.mint(ada, 1), builder.mint(ada, 1));
      const second = await lines(ada, undefined, { limit: 2, offset: 0, after: first.next! });
      expect(second).to.deep.equal({ lines: ['2 received mint', '1 received mint'], total: 7, next: null });
      const typed = await lines(ada, 'received', { limit: 1, offset: 0, after: first.next! });
      expect(typed.lines).to.deep.equal(['2 received mint']);
    });
  });
}
