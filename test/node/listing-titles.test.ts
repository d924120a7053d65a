/** Lists say what was bought, leased or bid on (docs/reference/markets.md#orders). */
import { expect } from 'chai';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { moderationKind } from '../../src/machines/moderation/moderation.js';
import { expectStatus } from './support/answers.js';
import type { Body, Client } from './support/client.js';
import { leases, publishes as publishesCapability } from './support/lessor.js';
import { buys, onListing, publishes } from './support/market.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';
import { accepts, bids, publishesTask } from './support/requester.js';

describe('Titles in lists', () => {
  const node = nodeForSuite();
  let [ada, ben] = [] as unknown as [Person, Person];
  let sold: Body;
  let document: Body;
  before(async () => {
    [ada, ben] = [await node().rich(), await node().rich()];
    sold = await publishes(ada, { title: 'Rain of the north' });
    await buys(ben, sold);
    await leases(ben, await publishesCapability(ada, { title: 'A model' }), { type: 'pay_per_use', budget: 10 });
    await accepts(ada, await bids(ben, await publishesTask(ada, { title: 'A manual' })));
    document = (await node().client.get('/openapi.json')).body;
  });

  /** The lists without a parameter in their path, of kinds whose resources name a listing, in their parts of the catalogue. */
  const listed = machinesOf(catalogue).filter(({ search, viewSchema }) => {
    const { properties = {} } = viewSchema as { properties?: object };
    return search === undefined && 'listingId' in properties;
  });
  const titlesIn = async (path: string, client: Client = node().client) => {
    const [items] = Object.values<Body[]>(expectStatus(await client.get(path)));
    return items!.map(({ title }) => title);
  };

  it('every list of a kind that names a listing has them', async () => {
    expect(listed.map(({ kind }) => kind)).to.have.members(['bid', 'info-order', 'lease', 'task-order']);
    const paths = Object.keys(document.paths).filter((path) => !path.includes('{'));
    const own = listed.map(({ route }) => `/api/v1${route.path}`).filter((path) => paths.includes(path));
    expect(own.length).to.be.above(1);
    for (const path of [...own, '/api/v1/orders'])
      for (const title of await titlesIn(path))
        expect(title, path).to.be.oneOf(['Rain of the north', 'A model', 'A manual']);
    expect(await titlesIn('/api/v1/orders')).to.deep.equal(['A manual', 'Rain of the north']);
    expect(await titlesIn('/api/v1/markets/tasks/bids')).to.deep.equal(['A manual']);
    expect(await titlesIn('/api/v1/markets/capabilities/leases')).to.deep.equal(['A model']);
  });

  it('it is the present one, for those alone who may see the listing, and gone if it is erased', async () => {
    const orders = `/api/v1/orders?did=${ben.did}&limit=1&role=buyer`;
    const listing = await publishes(ada, { title: 'Old' });
    await buys(ben, listing);
    const [buyer, seller] = [await node().keyed({ did: ben.did }), await node().keyed({ did: ada.did })];
    const update = await onListing(ada, listing, 'update', { title: 'New' });
    expectStatus(update);
    for (const client of [node().client, buyer, seller]) expect(await titlesIn(orders, client)).to.deep.equal(['New']);
    const admin = await node().keyed({ scope: 'admin' });
    const input = { reason: 'stolen', operator: 'on call' };
    expect(
      await node().operate(moderationKind, listing.listingId, 'hide', { ...input, owners: [ada.did] }),
    ).to.have.property('entry');
    expect(await titlesIn(orders)).to.deep.equal([undefined]);
    expect(await titlesIn(orders, seller)).to.deep.equal(['New']);
    expect(await node().operate(moderationKind, listing.listingId, 'show', input)).to.have.property('entry');
    expect(await titlesIn(orders)).to.deep.equal(['New']);
    expectStatus(await onListing(ada, listing, 'update', { visibility: 'private' }));
    expect(await titlesIn(orders, buyer)).to.deep.equal([undefined]);
    expect(await titlesIn(orders, seller)).to.deep.equal(['New']);
    expectStatus(await onListing(ada, listing, 'update', { visibility: 'public' }));
    const { leaves } = expectStatus(await admin.get(`/api/v1/admin/leaves?event=${update.body.eventHash}`));
    const { leaf } = leaves.find(({ pointer }: Body) => pointer === '/title');
    expectStatus(await admin.post(`/api/v1/admin/leaves/${leaf}/actions/redact`, input));
    const {
      orders: [order],
    } = expectStatus(await node().client.get(orders));
    expect(order).to.deep.include({ title: null, erased: ['title'] });
  });
});
