import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { SqliteReplicas } from '../../src/store/sqlite/replicas.js';
import type { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { StoreFault } from '../../src/store/store.js';
import { MemoryReplicas } from '../doubles/memory-replicas.js';
import { rejection } from './fixture.js';
import { feedOf, headOf, homes, replicasContract } from './replicas.contract.js';

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
      it(`has a prefix after a batch failed (${fault}), and goes on behind it`, async () => {
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
