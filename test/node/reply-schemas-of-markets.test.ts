/** The replies about markets, orders, contracts and disputes match the OpenAPI document, through a story of each. */
import { expect } from 'chai';
import { contract } from '../../src/machines/contract/resource.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { capabilityListing } from '../../src/machines/lease/listing.js';
import { taskListing } from '../../src/machines/task-order/listing.js';
import { expectStatus } from './support/answers.js';
import type { Body, Client } from './support/client.js';
import { DescribedClient, Description, ofMarkets } from './support/described.js';
import * as capabilities from './support/lessor.js';
import * as info from './support/market.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';
import * as tasks from './support/requester.js';

describe('Replies of the markets and their schemas', () => {
  const node = nodeForSuite();
  let description: Description;
  let client: DescribedClient;
  let ada: Person;
  let ben: Person;
  let cyd: Person;

  before(async () => {
    description = new Description((await node().client.get('/openapi.json')).body);
    client = new DescribedClient(node().url, description);
    [ada, ben, cyd] = [
      await node().rich(5_000, client),
      await node().rich(5_000, client),
      await node().rich(5_000, client),
    ];
  });
  after(() => client.close());
  // A write whose reply does not match the document has used its nonce.
  beforeEach(async () => {
    for (const each of [ada, ben, cyd]) {
      each.nonce = (await node().client.get(`/api/v1/wallets/${each.did}`)).body.nextNonce;
    }
  });

  const api = (path: string): string => `/api/v1${path}`;
  const read = async (path: string, by: Client = client): Promise<Body> => expectStatus(await by.get(api(path)));
  /** A client with a key that is bound to the person's DID. */
  const as = async ({ did, passphrase }: Person): Promise<Client> =>
    client.keyed(expectStatus(await client.post(api(`/identities/${did}/api-keys`), { passphrase }), 201).key);

  /** Pauses, resumes, updates, lists and finally removes a listing. */
  async function keeps(owner: Person, path: string, { listingId }: Body): Promise<void> {
    for (const action of ['pause', 'resume']) expectStatus(await owner.write(`${path}/${listingId}/actions/${action}`));
    expectStatus(await owner.write(`${path}/${listingId}/actions/update`, { title: 'Another title' }));
    expectStatus(await client.get(`${path}/${listingId}`));
    expectStatus(await client.get(`${path}?keyword=another&includeFacets=true&include=permittedActions`));
  }
  const removes = async (owner: Person, path: string, { listingId }: Body): Promise<Body> =>
    expectStatus(await owner.write(`${path}/${listingId}/actions/remove`));

  it('of information: published, bought, delivered, opened, confirmed, reviewed, disputed', async () => {
    const content = { format: 'text/csv', data: 'mm,hour\n1,2\n' };
    const listing = await info.publishes(ada, {
      ...infoListing.create.example,
      content,
      pricing: { price: 10 },
      stock: 9,
    });
    await keeps(ada, info.infoPath, listing);
    await read(`/markets/info/${listing.listingId}/content`);
    const order = await info.buys(ben, listing);
    const { contentKeyHex } = listing;
    const envelope = {
      type: 'data',
      format: 'text/csv',
      name: 'rain.csv',
      contentHash: 'ab'.repeat(32),
      size: 3,
      transport: { method: 'external', uri: 'https://ada.example/rain.csv' },
    };
    const more = { contentKeyHex, accessUrl: 'https://ada.example/rain.csv', deliveryData: { envelope } };
    expectStatus(await info.onOrder(ada, order, 'deliver', more));
    const bens = await as(ben);
    await read(`/markets/info/orders/${order.orderId}/delivery`, bens);
    expectStatus(
      await client.post(api(`/orders/${order.orderId}/actions/open`), { did: ben.did, passphrase: ben.passphrase }),
    );
    expectStatus(await info.onOrder(ben, order, 'confirm'));
    expectStatus(await info.onOrder(ben, order, 'review', { rating: 5, comment: 'as offered', aspects: { speed: 4 } }));
    const second = await info.buys(ben, listing);
    expectStatus(await ben.write(api(`/orders/${second.orderId}/actions/dispute`), { reason: 'non_delivery' }));
    for (const who of [ada, ben]) {
      expectStatus(await who.write(api(`/orders/${second.orderId}/actions/resolve`), { resolution: 'refund' }));
    }
    for (const by of [client, bens]) {
      await read(`/orders?did=${ben.did}&include=permittedActions`, by);
      await read(`/orders/${order.orderId}`, by);
    }
    await removes(ada, info.infoPath, listing);
  });

  it('of tasks: bid on, taken back, rejected, accepted, delivered, rejected, confirmed, reviewed', async () => {
    const task = await tasks.publishesTask(ada, taskListing.create.example as Body);
    await keeps(ada, tasks.tasksPath, task);
    const [first, second] = [await tasks.bids(ben, task), await tasks.bids(cyd, task)];
    expectStatus(await tasks.onBid(cyd, second, 'withdraw', { reason: 'no time' }));
    await read(`/markets/tasks/${task.listingId}/bids?include=permittedActions`);
    await read(`/markets/tasks/bids?did=${ben.did}`);
    await read(`/markets/tasks/bids/${first.bidId}`);
    const { orderId } = await tasks.accepts(ada, first);
    const order = await tasks.readOrder(ada, { orderId });
    await tasks.delivers(ben, order, { notes: 'all of it' });
    expectStatus(await tasks.onOrder(ada, order, 'confirm', { approved: false, feedback: 'a page is missing' }));
    await tasks.delivers(ben, order);
    expectStatus(await tasks.onOrder(ada, order, 'reject', { feedback: 'still' }));
    await tasks.delivers(ben, order);
    expectStatus(await tasks.onOrder(ada, order, 'confirm', { approved: true }));
    expectStatus(await tasks.onOrder(ada, order, 'review', { rating: 4 }));
    for (const by of [client, await as(ada), await as(ben)]) await read(`/orders/${orderId}`, by);
    const other = await tasks.publishesTask(ada);
    expectStatus(await tasks.onBid(ada, await tasks.bids(ben, other), 'reject', { reason: 'too slow' }));
    await removes(ada, tasks.tasksPath, other);
    const third = await tasks.publishesTask(ada);
    const disputed = await tasks.accepts(ada, await tasks.bids(ben, third));
    await tasks.rejectedThrice(ada, ben, disputed);
    const ruled = api(`/orders/${disputed.orderId}/actions`);
    expectStatus(await ben.write(`${ruled}/dispute`, { reason: 'other', description: 'no answer' }));
    const split = { resolution: 'split', clientRefund: 30, providerPayment: 10 };
    for (const who of [ada, ben]) expectStatus(await who.write(`${ruled}/resolve`, split));
  });

  it('of capabilities: leased, called, paused, resumed, terminated', async () => {
    const path = api('/markets/capabilities');
    const listing = await capabilities.publishes(ada, {
      ...capabilityListing.create.example,
      pricing: { usagePrice: { unit: 'call', pricePerUnit: 2 } },
    });
    await keeps(ada, path, listing);
    const asked = { plan: { budget: 20 }, credentials: { token: 'let me in' } };
    const lease = expectStatus(await capabilities.start(ben, listing, asked), 201);
    const lessor = { did: ada.did, passphrase: ada.passphrase };
    expectStatus(await client.post(api(`/markets/capabilities/leases/${lease.leaseId}/actions/open`), lessor));
    await capabilities.acts(ben, lease, 'invoke', { resource: '/v1/x', latency: 12.5, success: true });
    for (const action of ['pause', 'resume']) await capabilities.acts(ada, lease, action);
    await capabilities.readLease(ben, lease);
    await capabilities.acts(ben, lease, 'terminate', { reason: 'done' });
    await capabilities.readLease(ben, lease);
    await read(`/markets/capabilities/leases?did=${ben.did}&role=lessee&include=permittedActions`);
    await removes(ada, path, listing);
    for (const query of ['', '?keyword=speech&includeFacets=true', '?markets=info,task&sort=newest']) {
      await read(`/markets/search${query}`);
    }
  });

  it('of contracts and disputes: changed, signed, worked on, disputed, ruled upon, ended', async () => {
    const terms = { scope: 'a logo', arbiter: cyd.did };
    const drafts = async (): Promise<string> =>
      (await ada.does(api('/contracts'), { ...contract.create.example, terms, provider: ben.did })).contractId;
    const on = async (who: Person, id: string, action: string, body: Body = {}): Promise<Body> =>
      expectStatus(await who.write(api(`/contracts/${id}/${action}`), body));
    const active = async (): Promise<string> => {
      const id = await drafts();
      await on(ada, id, 'actions/update', { terms: { ...terms, scope: 'a larger logo' } });
      for (const who of [ada, ben]) await on(who, id, 'actions/sign');
      await on(ada, id, 'actions/activate', { amount: 60 });
      return id;
    };
    const milestones = contract.create.example.milestones as readonly { id: string }[];
    const done = await active();
    for (const { id } of milestones) {
      const step = `milestones/${id}/actions`;
      await on(ben, done, `${step}/submit`, { deliverables: [{ name: 'logo.svg' }], notes: 'two variants' });
      await on(ada, done, `${step}/reject`, { feedback: 'one more' });
      await on(ben, done, `${step}/submit`);
      await on(ada, done, `${step}/approve`, { rating: 5, feedback: 'good' });
    }
    await on(ada, done, 'actions/complete');
    const broken = await active();
    const evidence = [{ description: 'what came', hash: 'ab'.repeat(32) }];
    await on(ada, broken, 'actions/dispute', { reason: 'quality', description: 'not it', evidence });
    await on(ada, broken, 'actions/resolve', { resolution: 'refund' });
    const { disputes } = await read(`/contracts/${broken}/disputes`);
    await read('/disputes?status=open');
    await read(`/disputes/${disputes[0].disputeId}`);
    expectStatus(await cyd.write(api(`/disputes/${disputes[0].disputeId}/actions/resolve`), { resolution: 'resume' }));
    await on(ben, broken, 'actions/consent');
    await on(ada, broken, 'actions/terminate', { reason: 'enough' });
    for (const id of [done, broken, await drafts()]) await read(`/contracts/${id}`);
    await read(`/contracts?did=${ada.did}&role=client&status=active&include=permittedActions`);
    await read('/contracts?include=permittedActions');
  });

  it('and no operation of theirs was left out', () => {
    const theirs = description.operations.filter(({ tags }) => ofMarkets(tags)).map(({ operationId }) => operationId);
    expect([...description.answered]).to.include.members(theirs);
  });
});
