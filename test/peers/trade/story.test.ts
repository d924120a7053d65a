/**
 * What an agent at home B does at home A, and an arbiter at home C decides: each act is one call of the client at the
 * agent's own node.
 */
import { expect } from 'chai';
import { Client, PendingError } from '../../../packages/client/src/index.js';
import { tagOf } from '../../../src/peers/tag.js';
import { expectProblem, expectStatus } from '../../node/support/answers.js';
import type { Person } from '../../node/support/person.js';
import { until } from '../../support/until.js';
import { acquaint, discard, Home } from '../nodes/network.js';

const rain = 'station,hour,mm\nAlpha,2020-01-01T00,0.4\n';

describe('A story of three homes', function () {
  this.timeout(90_000);
  let homes: readonly Home[] = [];
  let [a, b, c] = homes as [Home, Home, Home];
  let [sellerKey, buyerKey, arbiterKey] = [] as unknown as [Person, Person, Person];
  let [seller, buyer, arbiter] = [] as unknown as [Client, Client, Client];

  const clientOf = ({ node }: Home, { did, passphrase }: Person) =>
    new Client({ url: node.url }).as({ did, passphrase });

  before(async () => {
    c = await Home.start();
    arbiterKey = await c.node.rich();
    const variables = { SVC_ARBITER_DID: arbiterKey.did, SVC_SETTLEMENT_WAIT_MS: '500' };
    [a, b] = await Promise.all([
      Home.start({ variables }),
      Home.start({ variables: { SVC_SETTLEMENT_WAIT_MS: '500' } }),
    ]);
    homes = [a, b, c];
    await acquaint(homes);
    [sellerKey, buyerKey] = [await a.node.rich(), await b.node.rich()];
    [seller, buyer, arbiter] = [clientOf(a, sellerKey), clientOf(b, buyerKey), clientOf(c, arbiterKey)];
    for (const { did } of [b, c]) expectStatus(await a.node.client.post('/api/v1/faucet', { did }));
    // A DID lives where it has signed an event.
    await buyer.wallets.transfer({ to: b.did, amount: 1 });
    await arbiter.wallets.transfer({ to: c.did, amount: 1 });
    for (const home of homes) for (const other of homes) if (other !== home) await home.sees(other);
  });
  after(() => discard(homes));

  /** Both ledgers add up, and all copies agree with their homes. */
  afterEach(async () => {
    for (const home of homes) {
      expect(await home.node.audit()).to.include({ ok: true });
      for (const other of homes) if (other !== home) await home.sees(other);
      for (const { status } of await home.peers()) expect(status).to.equal('current');
    }
  });

  const offer = { description: 'hourly', category: 'weather', tags: [] as string[] };

  it('finds information in the search, buys it, opens it, disputes it, has it decided at a third home, and reviews it', async () => {
    const { contentKeyHex } = await seller.markets.info.create({
      ...{ ...offer, title: 'Rain of the north', pricing: { price: 12 }, infoType: 'dataset' },
      ...{ content: { format: 'text/csv', data: rain }, accessMethod: { type: 'download' }, license: { type: 'CC0' } },
    });
    await b.sees(a);
    const { listings } = await buyer.search.all({ q: 'rain' });
    const [found] = listings as unknown as { id: string; home: string }[];
    const listingId = `${found!.id}~${found!.home}`;
    const order = await buyer.infoOrders.create({ listingId });
    expect(order).to.include({ status: 'paid', home: a.did, price: 12 });
    await seller.infoOrders.deliver(order.orderId, { listingId: found!.id } as never);
    const delivered = await buyer.infoOrders.waitFor(order, 'delivered');
    const { did, passphrase } = buyerKey;
    const opened = await buyer.information.open(`${order.orderId}~${a.did}`, { did, passphrase });
    expect(opened).to.include({ content: rain, contentKeyHex });
    const dispute = await buyer.infoOrders.dispute(delivered, { reason: 'quality', description: 'half of it is dry' });
    expect(dispute).to.include({ status: 'open', arbiter: arbiterKey.did, home: a.did });
    await c.sees(a);
    const open = await arbiter.disputes.list({ role: 'arbiter', did: arbiterKey.did, status: 'open' });
    const [theirs] = open.disputes as unknown as (typeof dispute)[];
    expect(theirs).to.include({ id: dispute.id, home: a.did });
    const ruling = await arbiter.disputes.resolve(theirs!, { resolution: 'release', note: 'it is rain' });
    expect(ruling).to.include({ status: 'resolved', resolvedBy: arbiterKey.did, description: 'half of it is dry' });
    const ended = await buyer.infoOrders.waitFor(order, 'confirmed');
    const reviewed = await buyer.infoOrders.review(ended, { rating: 4, comment: 'dry' });
    expect(reviewed).to.include({ status: 'reviewed', home: a.did });
    expect((await seller.wallets.get(sellerKey.did)).availableBalance).to.equal(1_012);
  });

  it('bids on a task of another home, wins it, delivers and is paid', async () => {
    const task = await seller.markets.tasks.create({
      ...{ ...offer, title: 'Translate a manual', pricing: { budget: 60 }, taskType: 'translation' },
      ...{ task: { pages: 40 }, timeline: {} },
    });
    await b.sees(a);
    const taskId = `${task.listingId}~${a.did}`;
    const bid = await buyer.bids.create({ taskId, price: 30, timeline: '5 days', approach: 'by hand' });
    const { orderId } = await seller.bids.accept(bid.bidId, { taskId: task.listingId });
    await b.sees(a);
    const order = await buyer.taskOrders.get(`${orderId}~${a.did}`);
    const done = await buyer.taskOrders.deliver(order, {
      deliverables: [{ name: 'manual-en.txt' }],
      delivery: { envelope: { type: 'text', transport: { method: 'inline', data: 'forty pages' } } },
    });
    expect(done).to.include({ status: 'delivered', home: a.did });
    expect(done.submissions[0]?.envelope?.producer).to.equal(buyerKey.did);
    const there = await seller.taskOrders.confirm(orderId, { taskId: task.listingId, approved: true } as never);
    expect(there.submissions[0]?.envelope).to.deep.equal(done.submissions[0]?.envelope);
    expect(await buyer.taskOrders.waitFor(order, 'confirmed')).to.include({ price: 30 });
  });

  it('signs a contract with a party of another home, submits its milestone, and is paid', async () => {
    const draft = await seller.contracts.create({
      ...{ provider: buyerKey.did, terms: { scope: 'a poster' }, payment: { totalAmount: 20 } },
      milestones: [{ id: 'sketch', title: 'Sketch', amount: 20 }],
    });
    await b.sees(a);
    const read = await buyer.contracts.get(draft.id);
    await buyer.contracts.sign(read, { termsHash: read.termsHash });
    await seller.contracts.sign(draft.id, { termsHash: draft.termsHash });
    await seller.contracts.activate(draft.id, { amount: 20 });
    await buyer.contracts.waitFor(read, 'active');
    const handed = await buyer.contracts.submit(`${draft.id}~${a.did}`, { milestoneId: 'sketch', notes: 'in pencil' });
    expect(handed).to.include({ status: 'submitted' });
    await seller.contracts.approve(draft.id, { milestoneId: 'sketch' });
    await seller.contracts.complete(draft.id);
    expect(await buyer.contracts.waitFor(read, 'completed')).to.include({ paid: 20, remaining: 0 });
  });

  it('leases a capability of another home, whose calls are metered from its own node', async () => {
    const { listingId } = await seller.markets.capabilities.create({
      ...{ ...offer, title: 'Speech to text', capabilityType: 'transcription', capability: { languages: 30 } },
      ...{ access: { type: 'endpoint' }, pricing: { usagePrice: { unit: 'minute', pricePerUnit: 2 } } },
      quota: { maxCalls: 4, period: 'hour' },
    });
    await b.sees(a);
    const lease = await buyer.leases.create({ listingId: `${listingId}~${a.did}`, plan: { budget: 20 } });
    expect(lease).to.include({ status: 'active', amount: 20, home: a.did });
    const called = await buyer.leases.invoke(`${lease.id}~${a.did}`, { units: 3 });
    expect(called).to.include({ status: 'active', accrued: 6, remaining: 14 });
    const ended = await buyer.leases.terminate(called);
    expect(ended).to.include({ status: 'terminated', paid: 6, refunded: 14 });
  });

  it('takes ids with the tag of their home in bodies as in paths, and refuses those of two homes', async () => {
    const { listingId } = await seller.markets.capabilities.create({
      ...{ ...offer, title: 'Text to speech', capabilityType: 'speech', capability: {} },
      ...{ access: { type: 'endpoint' }, pricing: { usagePrice: { unit: 'minute', pricePerUnit: 1 } } },
      quota: { maxCalls: 4, period: 'hour' },
    });
    await b.sees(a);
    const { nextNonce: nonce } = await buyer.wallets.get(buyerKey.did);
    const signed = { did: buyerKey.did, passphrase: buyerKey.passphrase, nonce };
    const lease = (path: string, body: object) =>
      b.node.client.post(`/api/v1${path}`, { ...signed, plan: { budget: 1 }, ...body });
    const tag = tagOf(a.did, []);
    const other = tagOf(c.did, []);
    const home = `/markets/capabilities/${listingId}~${tag}/leases`;
    expectProblem(await lease(home, { listingId: `${listingId}~${other}` }), 'INVALID_REQUEST');
    const two = expectProblem(await lease(home, { listingId: `${listingId}~${tagOf(b.did, [])}` }), 'INVALID_REQUEST');
    expect(two.detail).to.include('one request acts at one home');
    expectProblem(await lease(home, { listingId: `${listingId}~ofNobody` }), 'INVALID_REQUEST');
    const made = expectStatus(await lease(home, { listingId: `${listingId}~${tag}` }), 201);
    expect(made).to.include({ listingId, home: a.did });
    const transfer = await b.node.client.post('/api/v1/transfers', {
      ...signed,
      nonce: nonce + 1,
      to: `${c.did}~${tag}`,
      amount: 1,
    });
    expect(transfer.status).to.be.within(400, 422);
  });

  it('waits for a home that is away, or says that the write is pending', async () => {
    const { listingId } = await seller.markets.info.create({
      ...{ ...offer, title: 'Wind', pricing: { price: 1 }, infoType: 'dataset' },
      ...{ content: { format: 'text/csv' }, accessMethod: { type: 'download' }, license: { type: 'CC0' } },
    });
    await b.sees(a);
    const address = (await a.address()).replace(/\/p2p.*/, '');
    const { dir } = a.node;
    await a.stop();
    const late = await buyer.infoOrders.create({ listingId }, { answerMs: 100 }).catch((error: unknown) => error);
    if (!(late instanceof PendingError)) expect.fail(`it is pending, not ${late}`);
    expect(late.message).to.include(a.did);
    expect(late.nonce).to.be.a('number');
    const waiting = buyer.infoOrders.create({ listingId });
    a = await Home.start({ dir, variables: { SVC_LISTEN: address, SVC_ARBITER_DID: arbiterKey.did } });
    homes = [a, b, c];
    expect(await waiting).to.include({ status: 'paid', home: a.did });
    const closed = await buyer.remoteRequests.waitFor(late.remoteRequestId, ['accepted', 'refused']);
    expect(closed).to.include({ status: 'accepted' });
    await until('the next nonce is right', () => buyer.wallets.transfer({ to: b.did, amount: 1 }), { is: () => true });
  });
});
