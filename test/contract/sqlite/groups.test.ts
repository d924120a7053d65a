import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { dayMs } from '../../../src/core/bounds.js';
import { realEnvironment } from '../../../src/core/environment.js';
import { SqliteConnection } from '../../../src/store/sqlite/connection.js';
import { databaseFile } from '../../../src/store/sqlite/durable.js';
import { indexTables } from '../../../src/store/sqlite/secondary-index.js';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { EntryBuilder, firstDay } from '../entries.js';
import { Directory, seqsOf, writers } from './support.js';

const ada = 'did:svc:ada';

function leadsIn(dir: string): number[] {
  const connection = new SqliteConnection(databaseFile(dir), { cacheKiB: 100, readOnly: true });
  const counts = indexTables.map((table) => connection.value(`SELECT count(*) FROM ${table}`));
  connection.close();
  return counts as number[];
}

describe('a SQLite store under load', () => {
  const directory = new Directory();

  for (const writer of writers) {
    it(`shares an fsync among those who wait, writer ${writer}`, async () => {
      const store = await directory.open(writer);
      const builder = new EntryBuilder();
      const calls = Array.from({ length: 64 }, () => store.append([builder.mint(ada, 1)]));
      const seqs = (await Promise.all(calls)).flatMap(seqsOf);
      expect(seqs).to.deep.equal(Array.from({ length: 64 }, (_, n) => n + 1));
      expect(store.stats().entries).to.equal(64);
      expect(store.stats().commits).to.be.at.most(4);
    });

    it(`answers a call only after its entry can be read, writer ${writer}`, async () => {
      const store = await directory.open(writer);
      const builder = new EntryBuilder();
      const calls = Array.from({ length: 30 }, async () => {
        const [result] = await store.append([builder.mint(ada, 1)]);
        const seq = result?.ok ? result.seq : 0;
        expect((await store.head()).seq).to.be.at.least(seq);
        expect((await store.account(ada))?.available).to.be.at.least(seq);
        expect(await store.entries({ after: seq - 1, limit: 1 })).to.have.length(1);
      });
      await Promise.all(calls);
    });
  }

  it('joins what arrives meanwhile, and no more than so much, into one transaction', async () => {
    const store = await directory.open('thread');
    const builder = new EntryBuilder();
    const mints = (length: number) => Array.from({ length }, () => builder.mint(ada, 1));
    const [long, many] = [mints(3_000), Array.from({ length: 192 }, () => mints(20))];
    const first = store.append(long);
    await new Promise((resolve) => setImmediate(resolve));
    // Twelve chunks of 320 entries arrive while the writer is busy: each group takes four of them.
    await Promise.all([first, ...many.map((commits) => store.append(commits))]);
    expect(store.stats().entries).to.equal(6_840);
    expect(store.stats().commits).to.be.within(4, 9);
    expect(await store.account(ada)).to.include({ available: 6_840 });
  });

  for (const writer of writers) {
    it(`merges new index rows some at a time, and finds all entries meanwhile, writer ${writer}`, async () => {
      const builder = new EntryBuilder();
      let store = await directory.open(writer, directory.path, 20);
      // Each entry adds four rows to the secondary index: hash, issuer, type, and its line in the history.
      for (let entries = 1; entries <= 12; entries++) {
        const commit = builder.mint(ada, 1);
        await store.append([commit]);
        expect(leadsIn(directory.path)).to.deep.equal([Math.floor(entries / 5) * 20, (entries % 5) * 4]);
        expect(await store.entryByEvent(commit.entry.core.event.hash)).to.include({ seq: entries });
        expect(await store.entries({ after: 0, limit: 100, issuer: 'did:svc:faucet' })).to.have.length(entries);
        const history = await store.history(ada, 'received', { limit: 100, offset: 0 });
        expect(history.items.map(({ entry }) => entry.seq)).to.deep.equal(
          Array.from({ length: entries }, (_, n) => entries - n),
        );
        await store.close();
        store = await directory.open(writer, directory.path, 20);
      }
    });
  }

  it('forgets idempotency keys of days long past', async () => {
    const store = await directory.open();
    const builder = new EntryBuilder();
    for (let day = 0; day < 10; day++) {
      const draft = { time: firstDay + day * dayMs, idem: { principal: ada, key: 'daily' } };
      await store.append([
        builder.resource({ kind: 'order', id: `o${day}` }, { ...draft, idem: { ...draft.idem, key: `k${day}` } }),
      ]);
    }
    const connection = new SqliteConnection(databaseFile(directory.path), { cacheKiB: 100, readOnly: true });
    const kept = ['idempotency', 'replies'].map((table) => connection.value(`SELECT count(*) FROM ${table}`));
    connection.close();
    expect(kept).to.deep.equal([4, 4]);
    expect(await store.recall(ada, 'k9', firstDay + 9 * dayMs))
      .to.have.property('snapshots')
      .with.length(1);
  });

  it('reports the free bytes of its disk, read at most once a second', async () => {
    let now = 0;
    const store = await SqliteStore.open({ dir: directory.path, world: { ...realEnvironment, monotonic: () => now } });
    const first = store.freeBytes();
    expect(await first).to.be.greaterThan(1_000_000);
    const file = await open(join(directory.path, 'ballast'), 'w');
    await file.write(Buffer.alloc(5_000_000, 'x'));
    await file.sync();
    await file.close();
    now = 999;
    expect(await store.freeBytes()).to.equal(await first);
    now = 1_000;
    expect(await store.freeBytes()).to.not.equal(await first);
    await store.close();
  });
});
