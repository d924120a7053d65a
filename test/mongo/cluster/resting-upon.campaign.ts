/** Decisions that depend on a resource without writing it: no purchase in a shop that another process has closed before. */
import { expect } from 'chai';
import type { MongoStore } from '../../../src/store/mongo/mongo-store.js';
import type { Commit, Store } from '../../../src/store/store.js';
import { expectStatus } from '../../node/support/answers.js';
import type { Person } from '../../node/support/person.js';
import { isLong } from '../../support/long.js';
import { Cluster } from '../support/cluster.js';
import { describeMongo } from '../support/server.js';
import { withShops } from '../support/shop.js';

const rounds = isLong ? 200 : 12;

/** At each number of the journal: how many purchases there are, and whether the shop is open. */
async function replayed(cluster: Cluster, shopId: string) {
  const entries = await cluster.node(0).store.entries({ after: 0, limit: 10_000 });
  let open = false;
  let version = 0;
  let bought = 0;
  for (const { core, seq } of entries) {
    if (core.event.type === 'purchase.made') {
      expect(open, `entry ${seq}: no one buys in a closed shop`).to.equal(true);
      expect(core.reads, `entry ${seq}`).to.deep.equal([{ kind: 'shop', id: shopId, version }]);
      bought++;
    }
    for (const { kind, version: written, path } of core.versions) {
      if (kind !== 'shop') continue;
      version = written;
      open = path.at(-1) === 'opened';
    }
  }
  return bought;
}

describeMongo('a decision that rests on what another process may change', () => {
  let cluster: Cluster;

  before(async () => {
    cluster = await Cluster.start(3, { parts: { catalogue: withShops } });
  });
  after(async () => {
    try {
      await cluster.sound();
    } finally {
      await cluster.discard();
    }
  });

  it('is taken again, or refused, where that was overtaken; what is acknowledged stood at its number', async () => {
    const owner = await cluster.person();
    const { shopId } = await owner[0]!.does('/api/v1/shops', {});
    const buyers = await Promise.all(Array.from({ length: 4 }, () => cluster.person()));
    const tally: { [outcome: string]: number } = {};
    const buy = async (who: Person) => {
      const reply = await who.write('/api/v1/purchases', { shop: shopId });
      const outcome = reply.status === 201 ? 'bought' : String(reply.body.code);
      tally[outcome] = (tally[outcome] ?? 0) + 1;
    };
    let nonce = 2;
    for (let round = 0; round < rounds; round++) {
      const act = async (index: number, action: string) => {
        owner[index]!.nonce = nonce++;
        expectStatus(await owner[index]!.write(`/api/v1/shops/${shopId}/actions/${action}`, {}));
      };
      const asked = buyers.map(async (buyer, number) => {
        for (let n = 0; n < 3; n++) await buy(buyer[(number + round) % 3]!);
        const next = Math.max(...buyer.map((who) => who.nonce));
        for (const who of buyer) who.nonce = next;
      });
      await act(round % 3, 'close');
      await act((round + 1) % 3, 'open');
      await Promise.all(asked);
    }
    expect(tally.bought, JSON.stringify(tally)).to.be.greaterThan(rounds * 2);
    expect(tally.LISTING_NOT_ACTIVE ?? 0, JSON.stringify(tally)).to.be.greaterThan(0);
    expect(
      Object.keys(tally).filter((outcome) => !['bought', 'LISTING_NOT_ACTIVE', 'CONFLICT'].includes(outcome)),
    ).to.deep.equal([]);
    const voided = cluster.nodes.map(({ store }) => (store as MongoStore).stats().order.discarded);
    expect(Math.max(...voided), 'some were overtaken on their way').to.be.greaterThan(0);
    expect(await replayed(cluster, shopId)).to.equal(tally.bought);
    const list = expectStatus(await cluster.node(1).client.get('/api/v1/purchases?role=all&limit=1'));
    expect(list.pagination.total, 'nothing is left of those that did not stand').to.equal(tally.bought);
  });

  it('retries a write that lost to a void entry', async () => {
    // A purchase of a process that died before its entry was numbered, in a shop that was closed meanwhile.
    const owner = await cluster.person();
    const buyer = await cluster.person(10);
    const { shopId } = await owner[0]!.does('/api/v1/shops', {});
    const { entry, snapshots } = await neverAppended(cluster.node(1).store, () =>
      buyer[1]!.write('/api/v1/purchases', { shop: shopId }),
    );
    await owner[0]!.does(`/api/v1/shops/${shopId}/actions/close`);
    const left = {
      _id: entry.entryHash as never,
      keys: [`nonce/${buyer[0]!.did}#1`, `purchase/${snapshots[0]!.snapshot.id}@1`],
      core: entry.coreText,
      payload: entry.payloadText,
      writes: [],
      process: 'nobody',
      nth: 1,
    };
    await cluster.database.raw((client, name) => client.db(name).collection('entries').insertOne(left));
    await buyer[2]!.pays(owner[0]!.did, 1);
    const found = await cluster.database.raw((client, name) =>
      client.db(name).collection('entries').countDocuments({ _id: left._id }),
    );
    expect(found, 'no process keeps what will never have a number').to.equal(0);
  });
});

/** The commit that a request would have appended. */
async function neverAppended(store: Store, ask: () => Promise<unknown>): Promise<Commit> {
  const append = store.append.bind(store);
  const kept: Commit[] = [];
  store.append = async (commits) => {
    kept.push(...commits);
    return commits.map(() => ({ ok: false, taken: 'an unknown key' }));
  };
  await ask();
  store.append = append;
  return kept[0]!;
}
