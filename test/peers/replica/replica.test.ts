import { expect } from 'chai';
import { Replica } from '../../../src/peers/replica/replica.js';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import { SqliteReplicas } from '../../../src/store/sqlite/replicas.js';
import type { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { audit } from '../../../src/verify/audit.js';
import { MemoryReplicas } from '../../doubles/memory-replicas.js';
import { scratch, tidy } from '../../support/scratch.js';
import { type Bench, network } from '../../world/bench.js';
import { flush } from '../../world/fake-world.js';
import { life } from '../../world/history.js';
import { didOf } from '../../world/people.js';

const home = didOf('node');

const openReplica = async ({ catalogue }: Bench, replicas = new MemoryReplicas()): Promise<Replica> =>
  Replica.open({ store: await replicas.open(home, 'write'), home, network, catalogue });

const fedBy = async ({ store }: Bench, after = 0) =>
  (await store.entries({ after, limit: 1_000 })).map((entry) => ({ entry }));

describe('a replica', () => {
  after(tidy);

  it('of a whole journal is the same store', async () => {
    const bench = await life();
    const replicas = new MemoryReplicas();
    const replica = await openReplica(bench, replicas);
    const fed = await fedBy(bench);
    expect(await replica.adopt(fed)).to.deep.equal({ adopted: fed.length });
    expect(replica.head).to.deep.equal(await bench.store.head());
    const copy = await replicas.open(home, 'read');
    expect(await audit(copy, bench.catalogue, network)).to.include({ ok: true, entries: fed.length });
    for (const { kind, id } of fed.flatMap(({ entry }) => entry.core.versions)) {
      expect(await copy.load(kind, id)).to.deep.equal(await bench.store.load(kind, id));
    }
  });

  it('takes entries one by one, and continues where it was after a restart', async () => {
    const bench = await life();
    let replicas = new MemoryReplicas();
    let replica = await openReplica(bench, replicas);
    for (const each of await fedBy(bench)) {
      expect(await replica.adopt([each])).to.deep.equal({ adopted: 1 });
      replicas = replicas.survivor();
      replica = await openReplica(bench, replicas);
      expect(replica.head.seq).to.equal(each.entry.seq);
    }
    expect(replica.head).to.deep.equal(await bench.store.head());
  });

  it('stops at an entry that does not follow, and adopts what is before it', async () => {
    const bench = await life();
    const replica = await openReplica(bench);
    const fed = await fedBy(bench);
    const { adopted, stop } = await replica.adopt([...fed.slice(0, 5), ...fed.slice(6)]);
    expect(adopted).to.equal(5);
    expect(stop).to.include({ seq: 6, cause: 'violation', evidence: fed[6] });
    expect(replica.head.seq).to.equal(5);
    expect(await replica.adopt(fed.slice(5))).to.deep.equal({ adopted: fed.length - 5 });
  });

  it('writes entries and what covers them in one transaction, the cover first', async () => {
    const bench = await life();
    const { catalogue } = bench;
    const replicas = new SqliteReplicas({ dir: scratch() });
    const store = (await replicas.open(home, 'write')) as SqliteStore;
    const replica = await Replica.open({ store, home, network, catalogue });
    const [first, second] = await fedBy(bench);
    const cover = (revision: number) => async () => async () => {
      expect(await store.putLocal('cover', 'one', { revision }, revision)).to.equal(true);
      const { seq } = await store.head();
      expect(seq, 'in the same transaction').to.equal(revision + 1);
    };
    expect(await replica.adopt([first!], cover(0))).to.deep.equal({ adopted: 1 });
    expect(await replica.adopt([second!], cover(1))).to.deep.equal({ adopted: 1 });
    expect(store.stats()).to.deep.equal({ entries: 2, commits: 2 });
    await replicas.close();
  });

  it('writes the cover before the entries to a store that other processes write to', async () => {
    const bench = await life();
    const { catalogue } = bench;
    const store = new MemoryStore({ exclusive: false });
    const replica = await Replica.open({ store, home, network, catalogue });
    const [first] = await fedBy(bench);
    let seq: number | undefined;
    await replica.adopt([first!], async () => async () => {
      await flush();
      ({ seq } = await store.head());
    });
    expect([seq, (await store.head()).seq]).to.deep.equal([0, 1]);
  });
});
