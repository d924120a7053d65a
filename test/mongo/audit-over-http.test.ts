/** `svc-node audit` over HTTP, of a node on MongoDB. */
import { expect } from 'chai';
import { auditOf, sound, withNode } from '../node/support/audits.js';
import { publishes } from '../node/support/market.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';

describeMongo('An audit over HTTP on MongoDB', () => {
  it('runs next to the node, and names what was changed', async () => {
    const database = await TestDatabase.fresh();
    await withNode({ variables: { SVC_STORE: database.url } }, async (node) => {
      expect(node.store.kind).to.equal('mongodb');
      expect(await auditOf(node)).to.include(sound);
      await database.raw(async (client, name) => {
        const entries = client.db(name).collection<{ core: string; payload: string }>('entries');
        const paid = await entries.findOne({ core: /"amount":2,/ });
        const core = paid!.core.replace('"amount":2,', '"amount":3,');
        await entries.updateOne({ _id: paid!._id }, { $set: { core } });
      });
      const { status, flaw } = await auditOf(node);
      expect({ status, ...flaw }).to.include({ status: 'flawed', check: 'hash', seq: 5 });
    });
    await database.dispose();
  });

  it('names a content that is gone', async () => {
    const database = await TestDatabase.fresh();
    await withNode({ variables: { SVC_STORE: database.url } }, async (node) => {
      const content = { format: 'text/plain', data: 'rain' };
      const { listingId } = await publishes(await node.person(), { content });
      expect(await auditOf(node)).to.include(sound);
      await database.raw((client, name) => client.db(name).collection('contents').deleteMany({}));
      const { flaw } = await auditOf(node);
      expect(flaw).to.include({ check: 'projection', seq: 0 });
      expect(flaw.what).to.match(new RegExp(`^the content [0-9a-f]{64} of info-listing/${listingId} is gone$`));
    });
    await database.dispose();
  });
});
