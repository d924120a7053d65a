import { expect } from 'chai';
import { isWithheld } from '../../../src/machines/kernel/withheld.js';
import { Replica } from '../../../src/peers/replica/replica.js';
import { MemoryReplicas } from '../../doubles/memory-replicas.js';
import { wholeLife } from '../../histories/whole-life.js';
import { accepted, Bench, network } from '../../world/bench.js';
import { ada, ben, didOf } from '../../world/people.js';
import { openFeed, strangersFeed, withoutPayload } from '../lies/feed.js';

const home = didOf('node');

describe('a replica of a feed whose confidential payloads are withheld', () => {
  let bench: Bench;
  before(async () => {
    bench = await wholeLife();
  });

  async function adopted(feed: ReturnType<typeof openFeed>) {
    const replicas = new MemoryReplicas();
    const { catalogue } = bench;
    const replica = await Replica.open({ store: await replicas.open(home, 'write'), home, network, catalogue });
    const adoption = await replica.adopt(feed);
    return { replica, adoption, store: await replicas.open(home, 'read') };
  }

  it('takes every entry, with the ledger as at home and everything that everyone may see', async () => {
    const feed = strangersFeed(bench);
    const { adoption, replica, store } = await adopted(feed);
    expect(adoption).to.deep.equal({ adopted: feed.length });
    expect(replica.head).to.deep.equal(await bench.store.head());
    expect(await store.totals()).to.deep.equal(await bench.store.totals());
    const hidden = new Map<string, number>();
    for (const { kind, id } of new Set(feed.flatMap(({ entry }) => entry.core.versions))) {
      const [there, here] = [await bench.store.load(kind, id), await store.load(kind, id)];
      expect({ ...here, context: {} }).to.deep.equal({ ...there, context: {} });
      if (isWithheld(here!.context)) hidden.set(kind, (hidden.get(kind) ?? 0) + 1);
      else expect(here!.context).to.deep.equal(there!.context);
    }
    expect([...hidden.keys()].sort()).to.deep.equal([
      ...['capability-listing', 'contract', 'dispute', 'info-listing', 'info-order', 'task-listing', 'task-order'],
    ]);
    expect(replica.withheld).to.equal(feed.filter(({ entry }) => entry.payloadText === null).length);
    expect(replica.withheld).to.be.above(40);
  });

  it('is the same store where payloads are given to a party', async () => {
    const feed = strangersFeed(bench, [ada]);
    const { adoption, replica } = await adopted(feed);
    expect(adoption).to.deep.equal({ adopted: feed.length });
    expect(replica.withheld).to.be.within(1, 40);
  });

  it('stops at what a DID has signed after it had left, although the payload is withheld', async () => {
    const left = await Bench.open({}, { ada: 100 });
    accepted(await left.ask('ada', 'residence', ada, 'create', { to: didOf('another home'), epoch: 1 }));
    Object.defineProperty(left.actors.registry.account(ada), 'residence', { get: () => undefined });
    const [terms, id] = [{ provider: ben, terms: { scope: 'secret' } }, 'ctr-1'];
    accepted(await left.ask('ada', 'contract', id, 'create', terms));
    const feed = openFeed(left);
    const lie = feed.at(-1)!;
    const { adoption } = await adopted([...feed.slice(0, -1), { entry: withoutPayload(lie.entry) }]);
    expect(adoption.adopted).to.equal(feed.length - 1);
    expect(JSON.stringify(adoption)).to.include('after it had left this home');
  });

  it('takes all payloads', async () => {
    const feed = openFeed(bench);
    const { adoption, store } = await adopted(feed);
    expect(adoption).to.deep.equal({ adopted: feed.length });
    for (const { kind, id } of feed.flatMap(({ entry }) => entry.core.versions))
      expect(await store.load(kind, id)).to.deep.equal(await bench.store.load(kind, id));
  });
});
