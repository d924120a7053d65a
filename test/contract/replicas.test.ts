import { mkdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { pause, realEnvironment } from '../../src/core/environment.js';
import { runningThreads } from '../../src/core/threads.js';
import type { MongoReplicas } from '../../src/store/mongo/replicas.js';
import { replicaDatabaseOf } from '../../src/store/mongo/url.js';
import { SqliteReplicas } from '../../src/store/sqlite/replicas.js';
import type { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { StoreFault, StoreRefused } from '../../src/store/store.js';
import { MemoryReplicas } from '../doubles/memory-replicas.js';
import { TestDatabase } from '../mongo/support/database.js';
import { Network } from '../mongo/support/network.js';
import { describeMongo } from '../mongo/support/server.js';
import { rejection } from './fixture.js';
import { ada, feedOf, headOf, homes, replicasContract } from './replicas.contract.js';

replicasContract('memory', async () => {
  let replicas = new MemoryReplicas();
  return {
    get replicas() {
      return replicas;
    },
    async restart() {
      await replicas.close();
      replicas = replicas.survivor();
      return replicas;
    },
    beside: async () => replicas,
    dispose: () => replicas.close(),
  };
});

const [home] = homes as [string];

for (const writer of ['inline', 'thread'] as const) {
  replicasContract(`sqlite, writer ${writer}`, async () => {
    const dir = await mkdtemp(join(tmpdir(), 'svc-replicas-'));
    let replicas = new SqliteReplicas({ dir, writer });
    return {
      get replicas() {
        return replicas;
      },
      async restart() {
        await replicas.close();
        replicas = new SqliteReplicas({ dir, writer });
        return replicas;
      },
      beside: async () => replicas,
      async dispose() {
        await replicas.close();
        await rm(dir, { recursive: true });
      },
    };
  });

  describe(`replicas in SQLite files, writer ${writer}`, () => {
    let dir: string;
    let replicas: SqliteReplicas;
    beforeEach(async () => {
      dir = await mkdtemp(join(tmpdir(), 'svc-replicas-'));
      replicas = new SqliteReplicas({ dir, writer });
    });
    afterEach(async () => {
      await replicas.close();
      await rm(dir, { recursive: true });
    });

    for (const fault of ['write', 'commit', 'die'] as const) {
      it(`has a prefix after a batch failed (${fault}), and continues after it`, async () => {
        const feed = await feedOf(60);
        const store = (await replicas.open(home, 'write')) as SqliteStore;
        await store.takeOver(feed.slice(0, 10));
        await store.break(fault);
        const failed: unknown[] = [];
        for (let from = 10; from < 60 && failed.length === 0; from += 10) {
          await store.takeOver(feed.slice(from, from + 10)).catch((error: unknown) => failed.push(error));
        }
        expect(failed[0]).to.be.instanceOf(StoreFault);
        expect(await rejection(store.takeOver(feed.slice(10)))).to.be.instanceOf(StoreFault);
        await store.close();
        const again = await replicas.open(home, 'write');
        const { seq } = await again.head();
        expect(seq % 10, 'whole batches').to.equal(0);
        expect(seq).to.be.within(10, 50);
        await again.takeOver(feed.slice(seq));
        expect(await again.head()).to.deep.equal(headOf(feed, 60));
      });
    }

    it('a lost writer of one feed is that of none other', async () => {
      const feed = await feedOf(20);
      const broken = (await replicas.open(home, 'write')) as SqliteStore;
      const other = await replicas.open(homes[1]!, 'write');
      await broken.break('commit');
      expect(await rejection(broken.takeOver(feed))).to.be.instanceOf(StoreFault);
      await other.takeOver(feed);
      expect(await other.head()).to.deep.equal(headOf(feed, 20));
    });

    it('does not count what was on its way to be deleted, nor what is no home', async () => {
      await (await replicas.open(home, 'write')).close();
      mkdirSync(join(dir, 'peers', `forgotten-${homes[1]!.slice('did:svc:'.length)}`));
      mkdirSync(join(dir, 'peers', 'lost+found'));
      expect(await replicas.homes()).to.deep.equal([home]);
    });
  });
}

describe('threads of replicas in SQLite files', () => {
  const names = () => runningThreads().map(({ name }) => name);
  let dir: string;
  let replicas: SqliteReplicas;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'svc-replicas-'));
    replicas = new SqliteReplicas({ dir, restMs: 50 });
  });
  afterEach(async () => {
    await replicas.close();
    await rm(dir, { recursive: true });
  });

  it('start with the first use, end while the feeds are quiet, and start again', async () => {
    const before = names();
    const feed = await feedOf(30);
    const stores = await Promise.all(homes.slice(0, 2).map((each) => replicas.open(each, 'write')));
    expect(names(), 'opened').to.deep.equal(before);
    for (const upTo of [10, 20, 30]) {
      for (const store of stores) await store.takeOver(feed.slice(upTo - 10, upTo));
      expect(names()).to.include('store-writer');
      for (const store of stores) expect(await store.entries({ after: 0, limit: 50 })).to.have.length(upTo);
      expect(names()).to.include('store-reader');
      while (names().length > before.length) await pause(realEnvironment, 10);
      for (const each of homes.slice(0, 2)) {
        const log = join(dir, 'peers', each.slice('did:svc:'.length), 'journal.db-wal');
        expect(statSync(log).size, 'the log is applied').to.equal(0);
      }
    }
    for (const store of stores) expect(await store.head()).to.deep.equal(headOf(feed, 30));
  });

  it('are not ended between a write and the next', async () => {
    const feed = await feedOf(40);
    const store = await replicas.open(home, 'write');
    for (const each of feed) {
      await store.takeOver([each]);
      await pause(realEnvironment, 49 + (each.entry.seq % 3));
    }
    expect(await store.head()).to.deep.equal(headOf(feed, 40));
  });
});

describeMongo('with a server', () => {
  const open = async (database: TestDatabase) => (await database.open()).replicas();

  async function disposeOf(database: TestDatabase, all: readonly MongoReplicas[]): Promise<void> {
    await Promise.all(all.map((each) => each.close()));
    const last = await open(database);
    for (const each of await last.homes()) await last.forget(each);
    await last.close();
    await database.dispose();
  }

  replicasContract('mongo', async () => {
    const database = await TestDatabase.fresh();
    let replicas = await open(database);
    let beside: MongoReplicas | undefined;
    return {
      get replicas() {
        return replicas;
      },
      async restart() {
        await replicas.close();
        replicas = await open(database);
        return replicas;
      },
      async beside() {
        beside ??= await open(database);
        return beside;
      },
      dispose: () => disposeOf(database, beside ? [replicas, beside] : [replicas]),
    };
  });

  describe('replicas on MongoDB', function () {
    this.timeout(60_000);
    let database: TestDatabase;
    let used: MongoReplicas[];
    const replicas = async () => {
      used.push(await open(database));
      return used.at(-1)!;
    };
    beforeEach(async () => {
      database = await TestDatabase.fresh();
      used = [];
    });
    afterEach(() => disposeOf(database, used));

    it('have whole batches wherever the writer was interrupted, and continue after them', async () => {
      const feed = await feedOf(30);
      const network = await Network.to(database.url);
      const cutOff = await database.open({ url: network.through(database.url) });
      const through = cutOff.replicas();
      const store = await through.open(home, 'write');
      await store.takeOver(feed.slice(0, 4));
      const lost: Promise<unknown>[] = [];
      for (let pieces = 1, from = 4; from < 28; pieces++) {
        const cut = network.closeAfter(pieces);
        const batch = store.takeOver(feed.slice(from, from + 4));
        batch.catch(() => {});
        lost.push(batch);
        await Promise.race([cut, batch]);
        const { seq } = await (await (await replicas()).open(home, 'read')).head();
        expect([from, from + 4], `cut off after ${pieces}`).to.include(seq);
        network.open();
        await batch;
        from += 4;
      }
      await Promise.all(lost);
      await through.close();
      await cutOff.close();
      await network.dispose();
      const again = await (await replicas()).open(home, 'write');
      await again.takeOver(feed.slice(28));
      expect(await again.head()).to.deep.equal(headOf(feed, 30));
      expect((await again.entries({ after: 0, limit: 100 })).map(({ entryHash }) => entryHash)).to.deep.equal(
        feed.map(({ entry }) => entry.entryHash),
      );
    });

    const leave = (part: string, query: object) =>
      database.raw((client, name) => client.db(replicaDatabaseOf(name, home)).collection(part).deleteMany(query));

    for (const [what, kill, seq] of [
      ['entries without numbers', ['order', 'accounts', 'resources'], 0],
      ['numbers without what follows from them', ['accounts', 'resources'], 6],
      ['numbers without the accounts', ['accounts'], 6],
    ] as const) {
      it(`continue after a writer that was killed and has left ${what}`, async () => {
        const feed = await feedOf(8);
        const first = await (await replicas()).open(home, 'write');
        await first.takeOver(feed.slice(0, 6));
        for (const part of kill) await leave(part, {});
        const next = await (await replicas()).open(home, 'write');
        expect(await next.head()).to.include({ seq });
        await next.takeOver(feed.slice(seq));
        expect(await next.head()).to.deep.equal(headOf(feed, 8));
        expect(await next.account(ada)).to.include({ available: 4 });
        expect(await next.load('order', 'o1')).to.include({ version: 4 });
      });
    }

    it('are not hindered by entries of another branch that a killed writer has left without numbers', async () => {
      const [feed, branch] = [await feedOf(4), await feedOf(4, 'o1', 7)];
      const first = await (await replicas()).open(home, 'write');
      await first.takeOver(branch.slice(0, 2));
      for (const part of ['order', 'accounts', 'resources']) await leave(part, {});
      const next = await (await replicas()).open(home, 'write');
      await next.takeOver(feed);
      expect(await next.head()).to.deep.equal(headOf(feed, 4));
      expect(await next.account(ada)).to.include({ available: 2 });
    });

    it('are of one branch where two processes write at once, and the other is refused', async () => {
      const feeds = [await feedOf(12), await feedOf(12, 'o1', 7)];
      for (let round = 0; round < 5; round++) {
        const stores = [await (await replicas()).open(home, 'write'), await (await replicas()).open(home, 'write')];
        const results = await Promise.allSettled(stores.map((store, index) => store.takeOver(feeds[index]!)));
        const winner = results.findIndex(({ status }) => status === 'fulfilled');
        expect(results[1 - winner])
          .to.have.property('reason')
          .instanceOf(StoreRefused);
        const seen = await (await replicas()).open(home, 'read');
        expect(await seen.head()).to.deep.equal(headOf(feeds[winner]!, 12));
        expect(await seen.account(ada)).to.include({ available: winner === 0 ? 6 : 42 });
        await disposeOf(database, used.splice(0));
      }
    });

    it('let the next holder of the lease write what the last one began, with the same batches at once', async () => {
      const feed = await feedOf(12);
      const stores = [await (await replicas()).open(home, 'write'), await (await replicas()).open(home, 'write')];
      const results = await Promise.allSettled(stores.map((store) => store.takeOver(feed)));
      expect(results.map(({ status }) => status)).to.include('fulfilled');
      const seen = await (await replicas()).open(home, 'read');
      expect(await seen.head()).to.deep.equal(headOf(feed, 12));
      expect(await seen.account(ada)).to.include({ available: 6 });
    });

    it('a reader becomes the writer when its process has the lease', async () => {
      const feed = await feedOf(6);
      const [one, other] = [await replicas(), await replicas()];
      await (await one.open(home, 'write')).takeOver(feed.slice(0, 3));
      const reader = await other.open(home, 'read');
      expect(await reader.head()).to.deep.equal(headOf(feed, 3));
      const writer = await other.open(home, 'write');
      expect(writer).to.equal(reader);
      await writer.takeOver(feed.slice(3));
      expect(await reader.head()).to.deep.equal(headOf(feed, 6));
    });
  });
});
