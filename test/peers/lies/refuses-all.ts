/** Sends all false entries, one after the other, to one store; run for each adapter. */
import { expect } from 'chai';
import { Replica } from '../../../src/peers/replica/replica.js';
import type { Replicas } from '../../../src/store/replicas.js';
import type { Store } from '../../../src/store/store.js';
import { type Bench, network } from '../../world/bench.js';
import { didOf } from '../../world/people.js';
import { followedBy, openFeed, strangersFeed } from './feed.js';
import { lies } from './lies.js';

const home = didOf('node');

/** Everything that a reader of the store can see. A false entry must not change it. */
const seenIn = async (store: Store) => ({
  head: await store.head(),
  totals: await store.totals(),
  newest: await store.entries({ after: Math.max(0, (await store.head()).seq - 3), limit: 100 }),
});

/** @param every tries one of this many false entries */
export async function refusesAll(bench: Bench, replicas: Replicas, every = 1): Promise<void> {
  for (const toStrangers of [undefined, true] as const) {
    const feed = toStrangers ? strangersFeed(bench) : openFeed(bench);
    const cases = Object.entries(lies)
      .filter(([, lie], nth) => lie.toStrangers === toStrangers && nth % every === 0)
      .map(([name, lie]) => ({
        name,
        ...lie,
        index: feed.findIndex((fed) => fed.entry.seq > 3 && lie.at(fed.entry.core, fed)),
      }))
      .sort((a, b) => a.index - b.index);
    const store = await replicas.open(home, 'write');
    const replica = await Replica.open({ store, home, network, catalogue: bench.catalogue });
    let from = 0;
    for (const { name, index, tell, says } of cases) {
      expect(await replica.adopt(feed.slice(from, index)), name).to.deep.equal({ adopted: index - from });
      from = index;
      const before = await seenIn(store);
      const lie = tell(feed[index]!);
      const { adopted, stop } = await replica.adopt(followedBy(lie, feed.slice(index + 1, index + 5)));
      expect({ adopted, seq: stop?.seq }, name).to.deep.equal({ adopted: 0, seq: index + 1 });
      expect(stop!.what, name).to.match(says);
      expect(await seenIn(store), name).to.deep.equal(before);
    }
    await replica.adopt(feed.slice(from));
    expect(await store.head()).to.deep.equal(await bench.store.head());
    expect(await store.totals()).to.deep.equal(await bench.store.totals());
    await store.close();
    await replicas.forget(home);
  }
}
