/** The contract suite for stores of followed journals, run on every adapter. */
import { expect } from 'chai';
import { signerOf } from '../../src/keys/signing.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { Replicas } from '../../src/store/replicas.js';
import { type PlacedCommit, StoreRefused } from '../../src/store/store.js';
import { EntryBuilder } from './entries.js';
import { firstPage, rejection } from './fixture.js';

export interface ReplicasFixture {
  readonly replicas: Replicas;
  /** Closes everything and opens it again on the same data. */
  restart(): Promise<Replicas>;
  /** A second process on the same data; the same one if the adapter allows only one process. */
  beside(): Promise<Replicas>;
  dispose(): Promise<void>;
}

/** Sorted by DID. */
export const homes: readonly string[] = [1, 2, 3].map((seed) => signerOf(new Uint8Array(32).fill(seed)).did).sort();
const [first, second, third] = homes as [string, string, string];
export const ada = 'did:svc:ada';

/** Entries that each write the same resource. Journals with different amounts are branches. */
export async function feedOf(length: number, name = 'o1', amount = 1): Promise<PlacedCommit[]> {
  const builder = new EntryBuilder();
  const store = new MemoryStore();
  const commits = Array.from({ length }, (_, index) =>
    index % 2 === 0
      ? builder.mint(ada, amount)
      : builder.resource({ kind: 'order', id: name, state: 'open', add: ['open'], alarm: { at: 5, action: 'expire' } }),
  );
  await store.append(commits);
  const entries = await store.entries({ after: 0, limit: length });
  return entries.map((entry, index) => ({ entry, snapshots: commits[index]!.snapshots }));
}

export function replicasContract(name: string, make: () => Promise<ReplicasFixture>): void {
  describe(`contract of replicas: ${name}`, () => {
    let fixture: ReplicasFixture;
    beforeEach(async () => {
      fixture = await make();
    });
    afterEach(() => fixture.dispose());

    it('has no homes at first, then those that were opened, in order', async () => {
      expect(await fixture.replicas.homes()).to.deep.equal([]);
      for (const home of [third, first, second]) await fixture.replicas.open(home, 'write');
      expect(await fixture.replicas.homes()).to.deep.equal(homes);
      expect(await (await fixture.restart()).homes()).to.deep.equal(homes);
    });

    it('opens one store for one home, however often', async () => {
      const store = await fixture.replicas.open(first, 'write');
      expect(await fixture.replicas.open(first, 'write')).to.equal(store);
      expect(await fixture.replicas.open(second, 'write')).to.not.equal(store);
    });

    it('takes a feed over in small batches, each from where the store ends, across restarts', async () => {
      const feed = await feedOf(24);
      let { replicas } = fixture;
      for (let from = 0, size = 1; from < feed.length; from += size, size = (size % 4) + 1) {
        const store = await replicas.open(first, 'write');
        expect(await store.head()).to.include({ seq: from });
        await store.takeOver(feed.slice(from, from + size));
        expect(await store.head()).to.deep.equal(headOf(feed, Math.min(from + size, feed.length)));
        if (from % 3 === 0) replicas = await fixture.restart();
      }
      const store = await replicas.open(first, 'write');
      const entries = await store.entries({ after: 0, limit: 100 });
      expect(entries.map(({ chainHash }) => chainHash)).to.deep.equal(feed.map(({ entry }) => entry.chainHash));
      expect(await store.account(ada)).to.include({ available: 12 });
      expect(await store.load('order', 'o1')).to.include({ version: 12 });
      expect((await store.find({ kind: 'order', anyLabel: ['open'], page: firstPage })).total).to.equal(1);
    });

    it('refuses what does not follow, with nothing written, and continues', async () => {
      const feed = await feedOf(6);
      const store = await fixture.replicas.open(first, 'write');
      await store.takeOver(feed.slice(0, 2));
      expect(await rejection(store.takeOver(feed.slice(3)))).to.be.instanceOf(StoreRefused);
      expect(await rejection(store.takeOver(feed.slice(0, 2)))).to.be.instanceOf(StoreRefused);
      expect(await store.head()).to.deep.equal(headOf(feed, 2));
      await store.takeOver(feed.slice(2));
      expect(await store.head()).to.deep.equal(headOf(feed, 6));
    });

    it('keeps feeds apart', async () => {
      const [one, other] = [await feedOf(4, 'one'), await feedOf(2, 'other')];
      const [left, right] = [await fixture.replicas.open(first, 'write'), await fixture.replicas.open(second, 'write')];
      await Promise.all([left.takeOver(one), right.takeOver(other)]);
      expect([await left.head(), await right.head()]).to.deep.equal([headOf(one, 4), headOf(other, 2)]);
      expect(await left.load('order', 'other')).to.equal(undefined);
      expect(await right.account(ada)).to.include({ available: 1 });
    });

    it('has no deadlines that are due: they ring at their home', async () => {
      const store = await fixture.replicas.open(first, 'write');
      await store.takeOver(await feedOf(2));
      expect(await store.due(Number.MAX_SAFE_INTEGER, 10)).to.deep.equal([]);
    });

    it('keeps records next to the entries', async () => {
      await (await fixture.replicas.open(first, 'write')).putLocal('replica', 'state', { seq: 7 }, 0);
      const store = await (await fixture.restart()).open(first, 'write');
      expect(await store.getLocal('replica', 'state')).to.deep.equal({ id: 'state', revision: 1, value: { seq: 7 } });
    });

    it('shows a reader what the writer has taken over, at once', async () => {
      const feed = await feedOf(9);
      const writer = await fixture.replicas.open(first, 'write');
      await writer.takeOver(feed.slice(0, 1));
      const reader = await (await fixture.beside()).open(first, 'read');
      for (let seq = 1; seq < feed.length; seq++) {
        expect(await reader.head()).to.deep.equal(headOf(feed, seq));
        expect(await reader.entries({ after: seq - 1, limit: 10 })).to.have.length(1);
        expect((await reader.account(ada))?.available).to.equal(Math.ceil(seq / 2));
        await writer.takeOver(feed.slice(seq, seq + 1));
      }
    });

    it('forgets a home, and begins anew with it', async () => {
      const feed = await feedOf(4);
      const kept = await fixture.replicas.open(second, 'write');
      await kept.takeOver(feed);
      const store = await fixture.replicas.open(first, 'write');
      await store.takeOver(feed);
      await store.close();
      await fixture.replicas.forget(first);
      expect(await fixture.replicas.homes()).to.deep.equal([second]);
      await fixture.replicas.forget(first);
      const again = await fixture.replicas.open(first, 'write');
      expect(await again.head()).to.include({ seq: 0 });
      expect(await again.load('order', 'o1')).to.equal(undefined);
      await again.takeOver(feed);
      expect(await kept.head()).to.deep.equal(headOf(feed, 4));
    });
  });
}

export function headOf(feed: readonly PlacedCommit[], seq: number): { seq: number; chainHash: string } {
  return { seq, chainHash: feed[seq - 1]!.entry.chainHash };
}
