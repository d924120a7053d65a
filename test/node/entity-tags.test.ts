/** `If-None-Match` (docs/reference/requests.md#conditional-reads): views that differ have tags that differ. */
import { expect } from 'chai';
import { expectStatus } from './support/answers.js';
import type { Client } from './support/client.js';
import { buys, publishes } from './support/market.js';
import { nodeForSuite } from './support/node.js';

describe('Entity tags', () => {
  const node = nodeForSuite();
  const read = (client: Client, path: string, tag?: string) =>
    client.get(path, tag === undefined ? {} : { 'If-None-Match': tag });

  it('of a listing change with its statistics', async () => {
    const [seller, buyer] = [await node().rich(10), await node().rich(1_000)];
    const { listingId, resourcePrev } = await publishes(seller);
    const path = `/api/v1/markets/info/${listingId}`;
    const before = await read(node().client, path);
    expect((await read(node().client, path, before.headers.etag)).status).to.equal(304);
    await buys(buyer, { listingId });
    const after = await read(node().client, path, before.headers.etag);
    expect(expectStatus(after).stats.orders).to.equal(before.body.stats.orders + 1);
    expect(after.body.resourcePrev, 'the version is the same').to.equal(resourcePrev);
  });

  it('of a contract differ between its parties and others', async () => {
    const [client, provider] = [await node().rich(10), await node().person()];
    const terms = { text: 'as agreed' };
    const { contractId } = await client.does('/api/v1/contracts', { provider: provider.did, terms });
    const path = `/api/v1/contracts/${contractId}`;
    const asParty = await node().keyed({ scope: 'read', did: provider.did });
    const open = await read(node().client, path);
    expect(open.body).to.not.have.property('terms');
    const whole = await read(asParty, path, open.headers.etag);
    expect(expectStatus(whole).terms).to.deep.equal(terms);
    expect((await read(asParty, path, whole.headers.etag)).status).to.equal(304);
    expect((await read(node().client, path, whole.headers.etag)).status).to.equal(200);
  });
});
