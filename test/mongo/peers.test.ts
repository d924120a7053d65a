/**
 * Peers of a node whose journal several processes write: the process with the home's key follows feeds, and all processes show
 * the adopted entries.
 */
import { expect } from 'chai';
import { tagOf } from '../../src/peers/tag.js';
import { TestNode } from '../node/support/node.js';
import { Home } from '../peers/nodes/network.js';
import { until } from '../support/until.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';

describeMongo('peers of a node on a shared database', () => {
  it('are followed by the process with the home’s key, and read through every one', async function () {
    this.timeout(120_000);
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
      const [ada, ben] = [await there.node.rich(), await beside.rich()];
      await here.sees(there);
      const seen = await until(
        'the other process shows the wallet',
        () => beside.client.get(`/api/v1/wallets/${ada.did}?home=${tagOf(there.did, [])}`),
        { is: ({ status, body }) => status === 200 && body.balance > 0 },
      );
      expect(seen.body).to.include({ home: there.did });
      // The other process's writes are in the home's journal, and so reach its peers.
      await there.sees(here);
      const own = await there.get(`/wallets/${ben.did}?home=${here.did}`);
      expect(own).to.include({ did: ben.did, home: here.did });
      expect((await here.peer(there)).status).to.equal('current');
      expect((await there.peer(here)).status).to.equal('current');
    } finally {
      await there.node.discard();
      await beside.discard();
      await here.node.discard();
      await database.dispose();
    }
  });
});
