/** Reads say what was bought, leased or bid on, and what an escrow or a dispute is about (docs/reference/markets.md#titles). */
import { expect } from 'chai';
import { catalogue, machinesOf } from '../../src/machines/catalogue.js';
import { moderationKind } from '../../src/machines/moderation/moderation.js';
import { Deal } from '../stories/contract/stage.js';
import { expectStatus } from './support/answers.js';
import type { Body, Client } from './support/client.js';
import { leases, publishes as publishesCapability } from './support/lessor.js';
import { buys, onListing, onOrder, publishes } from './support/market.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';
import { accepts, bids, publishesTask } from './support/requester.js';

describe('Titles of what a resource is about', () => {
  const node = nodeForSuite();
  let [ada, ben] = [] as unknown as [Person, Person];
  let sold: Body;
  let document: Body;
  let lease: Body;
  before(async () => {
    [ada, ben] = [await node().rich(), await node().rich()];
    sold = await publishes(ada, { title: 'Rain of the north' });
    await buys(ben, sold);
    lease = await leases(ben, await publishesCapability(ada, { title: 'A model' }), {
      type: 'pay_per_use',
      budget: 10,
    });
    await accepts(ada, await bids(ben, await publishesTask(ada, { title: 'A manual' })));
    document = (await node().client.get('/openapi.json')).body;
  });

  /** The kinds whose resources name a listing. */
  const listed = machinesOf(catalogue).filter(({ search, viewSchema }) => {
    const { properties = {} } = viewSchema as { properties?: object };
    return search === undefined && 'listingId' in properties;
  });
  const titleAt = async (path: string, client: Client = node().client): Promise<unknown> =>
    expectStatus(await client.get(`/api/v1/${path}`)).title;
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
    const order = await buys(ben, listing);
    expectStatus(await onOrder(ada, order, 'deliver'));
    const { disputeId } = expectStatus(
      await ben.write(`/api/v1/orders/${order.orderId}/actions/dispute`, { reason: 'quality' }),
    );
    const reads = [`orders/${order.orderId}`, `escrows/${order.escrowId}`, `disputes/${disputeId}`];
    const titles = async (client: Client) => {
      const single = await Promise.all(reads.map((path) => titleAt(path, client)));
      const [listed] = await titlesIn(orders, client);
      const isSame = single.every((each) => each === listed);
      return isSame ? listed : single;
    };
    const [buyer, seller] = [await node().keyed({ did: ben.did }), await node().keyed({ did: ada.did })];
    const stranger = await node().keyed({ did: (await node().person()).did });
    const update = await onListing(ada, listing, 'update', { title: 'New' });
    expectStatus(update);
    for (const client of [node().client, buyer, seller]) expect(await titles(client)).to.equal('New');
    const admin = await node().keyed({ scope: 'admin' });
    const input = { reason: 'stolen', operator: 'on call' };
    expect(
      await node().operate(moderationKind, listing.listingId, 'hide', { ...input, owners: [ada.did] }),
    ).to.have.property('entry');
    for (const other of [node().client, stranger]) expect(await titles(other)).to.equal(undefined);
    for (const party of [buyer, seller]) expect(await titles(party)).to.equal('New');
    expect(await node().operate(moderationKind, listing.listingId, 'show', input)).to.have.property('entry');
    expect(await titles(node().client)).to.equal('New');
    expectStatus(await onListing(ada, listing, 'update', { visibility: 'private' }));
    expect(await titles(buyer)).to.equal(undefined);
    expect(await titles(seller)).to.equal('New');
    expectStatus(await onListing(ada, listing, 'update', { visibility: 'public' }));
    const { leaves } = expectStatus(await admin.get(`/api/v1/admin/leaves?event=${update.body.eventHash}`));
    const { leaf } = leaves.find(({ pointer }: Body) => pointer === '/title');
    expectStatus(await admin.post(`/api/v1/admin/leaves/${leaf}/actions/redact`, input));
    expect(await titles(node().client)).to.equal(null);
    for (const path of reads)
      expect(expectStatus(await node().client.get(`/api/v1/${path}`)), path).to.deep.include({ erased: ['title'] });
  });

  it('a lease and its escrow have that of the capability', async () => {
    expect(await titleAt(`markets/capabilities/leases/${lease.leaseId}`)).to.equal('A model');
    expect(await titleAt(`escrows/${lease.escrowId}`)).to.equal('A model');
    const paid = await ada.does('/api/v1/escrows', {
      beneficiary: ben.did,
      amount: 1,
      releaseRules: [{ type: 'manual' }],
    });
    expect(await titleAt(`escrows/${paid.escrowId}`), 'of no trade').to.equal(undefined);
  });

  it('a contract has one for those who may read it, and so have its escrow and its disputes', async () => {
    const [arbiter, stranger] = [await node().person(), await node().person()];
    const cast = { client: ada, provider: ben, arbiter, stranger };
    const one = [{ id: 'one', title: 'Sketch', amount: 30 }];
    const cases: [Body, string | undefined][] = [
      [{ terms: { title: 'A bridge' }, milestones: one }, 'A bridge'],
      [{ milestones: one }, 'Sketch'],
      [{}, undefined],
    ];
    const readers = await Promise.all([ada, ben, arbiter].map(({ did }) => node().keyed({ did })));
    for (const [more, title] of cases) {
      const deal = await Deal.active(node(), cast, more);
      const { disputeId } = await deal.does('client', 'dispute', { reason: 'quality' });
      const { escrowId } = await deal.view();
      for (const path of [`contracts/${deal.id}`, `escrows/${escrowId}`, `disputes/${disputeId}`]) {
        for (const reader of readers) expect(await titleAt(path, reader), path).to.equal(title);
        for (const other of [node().client, await node().keyed({ did: stranger.did })])
          expect(await titleAt(path, other), path).to.equal(undefined);
      }
      expect((await titlesIn('/api/v1/disputes?limit=1', readers[0]))[0]).to.equal(title);
      expect((await titlesIn('/api/v1/contracts?limit=1', readers[0]))[0]).to.equal(title);
    }
  });
});
