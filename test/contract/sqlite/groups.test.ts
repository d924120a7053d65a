import { expect } from 'chai';
import { dayMs } from '../../../src/store/entry.js';
import { Connection } from '../../../src/store/sqlite/connection.js';
import { databaseFile } from '../../../src/store/sqlite/durable.js';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { realWorld } from '../../../src/world.js';
import { firstDay, Scribe } from '../entries.js';
import { Directory, seqsOf, writers } from './support.js';

const ada = 'did:svc:ada';

describe('a SQLite store under load', () => {
  const directory = new Directory();

  for (const writer of writers) {
    it(`shares an fsync among those who wait, writer ${writer}`, async () => {
      const store = await directory.open(writer);
      const scribe = new Scribe();
      const calls = Array.from({ length: 64 }, () => store.append([scribe.mint(ada, 1)]));
      const seqs = (await Promise.all(calls)).flatMap(seqsOf);
      expect(seqs).to.deep.equal(Array.from({ length: 64 }, (_, n) => n + 1));
      expect(store.stats().entries).to.equal(64);
      expect(store.stats().commits).to.be.at.most(4);
    });

    it(`answers a call only after its entry can be read, writer ${writer}`, async () => {
      const store = await directory.open(writer);
      const scribe = new Scribe();
      const calls = Array.from({ length: 30 }, async () => {
        const [result] = await store.append([scribe.mint(ada, 1)]);
        const seq = result?.ok ? result.seq : 0;
        expect((await store.head()).seq).to.be.at.least(seq);
        expect((await store.account(ada))?.available).to.be.at.least(seq);
        expect(await store.entries({ after: seq - 1, limit: 1 })).to.have.length(1);
      });
      await Promise.all(calls);
    });
  }

  it('takes no more than so many into one transaction', async () => {
    const store = await directory.open('thread');
    const scribe = new Scribe();
    const call = () => store.append(Array.from({ length: 100 }, () => scribe.mint(ada, 1)));
    await Promise.all(Array.from({ length: 50 }, call));
    expect(store.stats().entries).to.equal(5_000);
    // A group is closed once it has 1,024, and the chunk that closes it has 800 at most.
    expect(store.stats().commits).to.be.at.least(3);
    expect(await store.account(ada)).to.include({ available: 5_000 });
  });

  it('forgets idempotency keys of days long past', async () => {
    const store = await directory.open();
    const scribe = new Scribe();
    for (let day = 0; day < 10; day++) {
      const draft = { time: firstDay + day * dayMs, idem: { principal: ada, key: 'daily' } };
      await store.append([
        scribe.resource({ kind: 'order', id: `o${day}` }, { ...draft, idem: { ...draft.idem, key: `k${day}` } }),
      ]);
    }
    const connection = new Connection(databaseFile(directory.path), { cacheKiB: 100, readOnly: true });
    const kept = ['idempotency', 'replies'].map((table) => connection.value(`SELECT count(*) FROM ${table}`));
    connection.close();
    expect(kept).to.deep.equal([4, 4]);
    expect(await store.recall(ada, 'k9', firstDay + 9 * dayMs))
      .to.have.property('snapshots')
      .with.length(1);
  });

  it('tells the free bytes of its disk, asked at most once a second', async () => {
    let now = 0;
    const store = await SqliteStore.open({ dir: directory.path, world: { ...realWorld, monotonic: () => now } });
    const first = store.freeBytes();
    expect(await first).to.be.greaterThan(1_000_000);
    now = 999;
    expect(await store.freeBytes()).to.equal(await first);
    await store.close();
  });
});
