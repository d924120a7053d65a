/** Peers of a node whose journal several processes write: the process with the home's key follows feeds and serves its own. */
import { TestNode } from '../node/support/node.js';
import { Home } from '../peers/nodes/network.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';

describeMongo('peers of a node on a shared database', () => {
  it('are followed by the process with the home’s key, and follow what every process writes', async () => {
    const database = await TestDatabase.fresh();
    const there = await Home.start();
    const here = await Home.start({ store: () => database.open() });
    const beside = await TestNode.start({ store: () => database.open() });
    try {
      for (const [one, other] of [
        [here, there],
        [there, here],
      ] as const)
        await one.operator('peers.add', { address: await other.address() });
      await there.node.rich();
      await beside.rich();
      await here.sees(there);
      // The other process's writes are in the home's journal, and so reach its peers.
      await there.sees(here);
      await here.isCurrentWith(there);
      await there.isCurrentWith(here);
    } finally {
      await there.node.discard();
      await beside.discard();
      await here.node.discard();
      await database.dispose();
    }
  });
});
