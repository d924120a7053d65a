import { expect } from 'chai';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import { type Commit, type PlacedCommit, type Store, StoreRefused } from '../../../src/store/store.js';
import { EntryBuilder, type ResourceChange } from '../entries.js';
import { type Bench, firstPage, rejection } from '../fixture.js';
import { lifeOfMoney } from './ledger.js';

const ada = 'did:svc:ada';

/** A journal with every kind of move, and with resources that gain, keep and lose labels and alarms several times. */
function life(builder: EntryBuilder): Commit[] {
  const order = (change: Partial<ResourceChange>, key?: string) =>
    builder.resource({ kind: 'order', id: 'o1', ...change }, key ? { idem: { principal: 'p', key } } : {});
  return [
    ...lifeOfMoney(builder),
    order({ state: 'open', add: ['buyer:ada', 'open'], alarm: { at: 5, action: 'expire' } }, 'k1'),
    order({ state: 'paid', context: { note: { $gt: '', 'a.b': 1 } } }),
    order({ state: 'paid', add: ['seller:bob'], drop: ['open'] }, 'k2'),
    builder.resource({ kind: 'order', id: 'o2', add: ['open'], alarm: { at: 7, action: 'expire' } }),
    builder.resource({ kind: 'order', id: 'o2', alarm: null }),
    builder.commit({ issuer: 'did:svc:operator', moves: [{ op: 'freeze', did: ada }] }),
  ];
}

async function elsewhere(commits: readonly Commit[]): Promise<{ store: MemoryStore; placed: PlacedCommit[] }> {
  const store = new MemoryStore();
  const results = await store.append(commits);
  expect(results.every(({ ok }) => ok)).to.equal(true);
  const entries = await store.entries({ after: 0, limit: 1_000 });
  return { store, placed: entries.map((entry, index) => ({ entry, snapshots: commits[index]!.snapshots })) };
}

const everything = async (store: Store, now: number) => ({
  head: await store.head(),
  entries: await store.entries({ after: 0, limit: 100 }),
  ofOrder: await store.entries({ after: 0, limit: 100, resource: 'order/o1' }),
  ofAda: await store.entries({ after: 0, limit: 100, resource: `account/${ada}` }),
  account: await store.account(ada),
  totals: await store.totals(),
  census: await store.census(),
  history: await store.history(ada, undefined, firstPage),
  sent: await store.history(ada, 'sent', firstPage),
  loaded: await store.load('order', 'o1'),
  buyers: await store.find({ kind: 'order', anyLabel: ['buyer:ada'], page: firstPage }),
  sellers: await store.find({ kind: 'order', anyLabel: ['seller:bob'], page: firstPage }),
  open: await store.find({ kind: 'order', anyLabel: ['open'], page: firstPage }),
  due: await store.due(100, 10),
  recalled: [await store.recall('p', 'k1', now), await store.recall('p', 'k2', now)],
});

export function takingOver(bench: Bench): void {
  describe('taking over the entries of another store', () => {
    it('gives every answer that the other one gives, in however many calls', async () => {
      const { store, placed } = await elsewhere(life(bench.builder));
      await bench.store.takeOver([]);
      await bench.store.takeOver(placed.slice(0, 1));
      await bench.store.takeOver(placed.slice(1, 12));
      await bench.store.takeOver(placed.slice(12));
      const { time } = bench.builder;
      expect(await everything(bench.store, time)).to.deep.equal(await everything(store, time));
    });

    it('continues after being opened again, and then appends as before', async () => {
      const { store, placed } = await elsewhere(life(bench.builder));
      await bench.store.takeOver(placed.slice(0, 10));
      await bench.reopen();
      await bench.store.takeOver(placed.slice(10));
      const next = bench.builder.mint(ada, 5);
      const last = bench.builder.resource({
        kind: 'order',
        id: 'o1',
        state: 'gone',
        alarm: { at: 9, action: 'expire' },
      });
      expect(await bench.store.append([next, last])).to.deep.equal(await store.append([next, last]));
      const { time } = bench.builder;
      expect(await everything(bench.store, time)).to.deep.equal(await everything(store, time));
    });

    it('refuses what does not continue its journal, and has written nothing then', async () => {
      const { placed } = await elsewhere(life(bench.builder));
      const other = new EntryBuilder();
      const { placed: stranger } = await elsewhere([other.mint('did:svc:other', 1), other.mint('did:svc:other', 2)]);
      const [first, second, third] = placed as [PlacedCommit, PlacedCommit, PlacedCommit];
      const changed = (commit: PlacedCommit, change: Partial<PlacedCommit['entry']>): PlacedCommit => ({
        ...commit,
        entry: { ...commit.entry, ...change },
      });
      const wrong: readonly (readonly [readonly PlacedCommit[], string])[] = [
        [[second], 'entry 2 comes where entry 1 is expected'],
        [[first, third], 'entry 3 comes where entry 2 is expected'],
        [[first, first], 'entry 1 comes where entry 2 is expected'],
        [[first, changed(second, { prevEntry: 'f'.repeat(64) })], 'entry 2 belongs to another journal'],
        [[first, changed(second, { chainHash: 'f'.repeat(64) })], 'the chain hash of entry 2 does not fit'],
        [[changed(first, { entryHash: 'f'.repeat(64) })], 'the chain hash of entry 1 does not fit'],
      ];
      for (const [commits, says] of wrong) {
        const error = await rejection(bench.store.takeOver(commits));
        expect(error).to.be.instanceOf(StoreRefused).with.property('message', says);
        expect(await bench.store.head()).to.include({ seq: 0 });
      }
      await bench.store.takeOver([first]);
      expect(await rejection(bench.store.takeOver([first]))).to.be.instanceOf(StoreRefused);
      expect(await rejection(bench.store.takeOver(stranger.slice(1)))).to.be.instanceOf(StoreRefused);
      await bench.store.takeOver([second]);
      expect(await bench.store.head()).to.deep.equal({ seq: 2, chainHash: second.entry.chainHash });
    });
  });
}
