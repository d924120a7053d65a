/** Publishing, bidding and accepting over HTTP (docs/reference/markets.md#tasks, docs/reference/markets.md#bids). */
import { expect } from 'chai';
import { expectInvalid, expectPage, expectProblem, expectStatus, expectWritten } from './support/answers.js';
import type { Body } from './support/client.js';
import { nodeForSuite } from './support/node.js';
import type { Person } from './support/person.js';
import { accepts, aTask, bid, bids, onBid, publishesTask, tasksPath } from './support/requester.js';

const hourMs = 3_600_000;

describe('Tasks', () => {
  const node = nodeForSuite();
  let ada: Person;
  let ben: Person;
  let cyd: Person;

  beforeEach(async () => {
    [ada, ben, cyd] = [await node().rich(1_000), await node().person(), await node().person()];
  });

  const task = async ({ listingId }: Body): Promise<Body> =>
    expectStatus(await node().client.get(`${tasksPath}/${listingId}`));
  const nonces = async () => Promise.all([ada, ben, cyd].map(async (who) => (await who.wallet()).nextNonce));

  it('are published with the bids that they take, and show how many they have', async () => {
    const closesAt = node().world.now() + hourMs;
    const published = await publishesTask(ada, { bidding: { closesAt, maxBids: 7 } });
    expect(published.bidding).to.deep.equal({ closesAt, maxBids: 7, bidCount: 0, open: true, orderId: null });
    expect((await publishesTask(ada)).bidding).to.include({ maxBids: 100, closesAt: null });
    await bids(ben, published);
    const { bidding, resourcePrev } = await task(published);
    expect(bidding).to.include({ bidCount: 1, open: true });
    expect(resourcePrev).to.match(/^[0-9a-f]{64}$/);
    expectInvalid(await ada.write(tasksPath, { ...aTask, bidding: { maxBids: 201 } }), 'bidding.maxBids');
  });

  it('a bid: 201, Location, the whole view', async () => {
    const published = await publishesTask(ada);
    const said = { price: 40, timeline: { days: 5 }, approach: 'twice' };
    const reply = await bid(ben, published, { ...said, bidId: 'bid-of-ben' });
    const made = expectStatus(reply, 201);
    expectWritten(made, 1);
    expect(made).to.deep.include({ ...said, bidId: 'bid-of-ben', id: 'bid-of-ben', status: 'submitted' });
    expect(made).to.include({ taskId: published.listingId, bidder: ben.did, requester: ada.did, orderId: null });
    expect(made.permittedActions).to.deep.equal({
      requester: [
        { action: 'accept', open: [] },
        { action: 'reject', open: [] },
      ],
      bidder: [{ action: 'withdraw', open: [] }],
    });
    const { nonce: _, eventHash, ...view } = made;
    const read = await node().client.get(reply.headers.location!);
    expect(expectStatus(read)).to.deep.equal({ ...view, title: published.title });
    expect(view.resourcePrev).to.equal(eventHash);
  });

  it('a bid: fields that are no such, by name', async () => {
    const published = await publishesTask(ada);
    for (const price of [undefined, 0, -1, 0.5, '40', null])
      expectInvalid(await bid(ben, published, { price }), 'price');
    expectInvalid(await bid(ben, published, { price: 1, approach: 7 }), 'approach');
    expectInvalid(await bid(ben, published, { price: 1, bidId: 'ben-1' }), 'bidId');
  });

  it('a bid that must not be: LISTING_NOT_FOUND, LISTING_NOT_ACTIVE, BID_NOT_ALLOWED; no nonce is used', async () => {
    const closing = await publishesTask(ada, { bidding: { closesAt: node().world.now() - hourMs } });
    const full = await publishesTask(ada, { bidding: { maxBids: 1 } });
    await bids(ben, full);
    const paused = await publishesTask(ada);
    await ada.does(`${tasksPath}/${paused.listingId}/actions/pause`);
    const before = await nonces();
    expectProblem(await bid(ben, { listingId: 'lst-none' }), 'LISTING_NOT_FOUND');
    expectProblem(await bid(ben, closing), 'BID_NOT_ALLOWED');
    expectProblem(await bid(cyd, full), 'BID_NOT_ALLOWED');
    expectProblem(await bid(ben, full), 'BID_NOT_ALLOWED');
    expectProblem(await bid(ada, full), 'BID_NOT_ALLOWED');
    expectProblem(await bid(ben, paused), 'LISTING_NOT_ACTIVE');
    expect(await nonces()).to.deep.equal(before);
  });

  it('a bid on a listing of another market is BID_NOT_ALLOWED', async () => {
    const shared = { title: 'x', description: 'x', category: 'x', pricing: { price: 1 } };
    const info = { infoType: 'dataset', content: { format: 'text/csv' }, accessMethod: {}, license: {} };
    const capability = { capabilityType: 'x', capability: {}, quota: {}, access: {} };
    for (const [market, own] of Object.entries({ info, capabilities: capability })) {
      const other = expectStatus(await ada.write(`/api/v1/markets/${market}`, { ...shared, ...own }), 201);
      expectProblem(await bid(ben, other), 'BID_NOT_ALLOWED');
      expectProblem(await node().client.get(`${tasksPath}/${other.listingId}/bids`), 'LISTING_NOT_FOUND');
    }
  });

  it('bids are listed by task, and by bidder and requester, newest first, as pages', async () => {
    const [one, other] = [await publishesTask(ada), await publishesTask(ada)];
    const made = [await bids(ben, one), await bids(cyd, one), await bids(ben, other)].map(({ bidId }) => bidId);
    const ids = async (path: string): Promise<string[]> => {
      const { bids: found, total, pagination } = expectStatus(await node().client.get(path));
      expect(total).to.equal(pagination.total);
      return found.map(({ bidId }: Body) => bidId);
    };
    const below = `${tasksPath}/${one.listingId}/bids`;
    expect(await ids(below)).to.deep.equal([made[1], made[0]]);
    expect(await ids(`${below}?limit=1&offset=1`)).to.deep.equal([made[0]]);
    expect(await ids(`${below}?did=${ben.did}&role=bidder`)).to.deep.equal([made[0]]);
    expect(await ids(`${tasksPath}/bids?did=${ben.did}&role=bidder`)).to.deep.equal([made[2], made[0]]);
    expect(await ids(`${tasksPath}/bids?did=${ada.did}&role=requester`)).to.have.length(3);
    expect(await ids(`${tasksPath}/bids?did=${ada.did}&role=bidder`)).to.deep.equal([]);
    await onBid(ada, { taskId: one.listingId, bidId: made[0] }, 'reject');
    expect(await ids(`${below}?status=rejected`)).to.deep.equal([made[0]]);
    const { pagination } = expectStatus(await node().client.get(below));
    expectPage(pagination, { limit: 20, offset: 0, total: 2 });
    expectProblem(await node().client.get(`${tasksPath}/lst-none/bids`), 'LISTING_NOT_FOUND');
    expectInvalid(await node().client.get(`${below}?limit=101`), 'limit');
    expectInvalid(await node().client.get(`${below}?status=open`), 'status');
  });

  it('a private task and its bids are its owner’s: LISTING_NOT_FOUND to others', async () => {
    const hidden = await publishesTask(ada, { visibility: 'private' });
    expectProblem(await bid(ben, hidden), 'LISTING_NOT_FOUND');
    const path = `${tasksPath}/${hidden.listingId}/bids`;
    expectProblem(await node().client.get(path), 'LISTING_NOT_FOUND');
    const own = await node().keyed({ scope: 'read', did: ada.did });
    expect(expectStatus(await own.get(path)).bids).to.deep.equal([]);
  });

  it('reject and withdraw: the requester’s and the bidder’s, once; no second bid afterwards', async () => {
    const published = await publishesTask(ada);
    const [first, second] = [await bids(ben, published), await bids(cyd, published)];
    expectProblem(await onBid(ben, first, 'reject'), 'FORBIDDEN');
    expectProblem(await onBid(ada, first, 'withdraw'), 'FORBIDDEN');
    const rejected = expectStatus(await onBid(ada, first, 'reject', { reason: 'too slow' }));
    expect(rejected).to.include({ status: 'rejected', reason: 'too slow' });
    expect(expectStatus(await onBid(cyd, second, 'withdraw'))).to.include({ status: 'withdrawn' });
    for (const [who, made, action] of [
      [ada, first, 'reject'],
      [ada, second, 'accept'],
      [cyd, second, 'withdraw'],
    ] as const) {
      expectProblem(await onBid(who, made, action), 'ORDER_INVALID_STATE');
    }
    for (const who of [ben, cyd]) expectProblem(await bid(who, published), 'BID_NOT_ALLOWED');
  });

  it('accept: the order with the bid in it; the price in escrow, the others rejected, in one event', async () => {
    const published = await publishesTask(ada);
    const [taken, left] = [await bids(ben, published, { price: 40 }), await bids(cyd, published, { price: 30 })];
    for (const who of [ben, cyd]) expectProblem(await onBid(who, taken, 'accept'), 'FORBIDDEN');
    const order = await accepts(ada, taken);
    expectWritten(order, ada.nonce - 1);
    expect(order).to.include({ status: 'accepted', marketType: 'task', price: 40, bidId: taken.bidId });
    expect(order).to.include({ requester: ada.did, provider: ben.did, taskId: published.listingId });
    expect(order.orderId).to.match(/^task-ord-[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(order.bid).to.include({ status: 'accepted', orderId: order.orderId, escrowId: order.escrowId });
    const escrow = expectStatus(await node().client.get(`/api/v1/escrows/${order.escrowId}`));
    expect(escrow).to.deep.include({ status: 'funded', amount: 40, purpose: { kind: 'order', id: order.orderId } });
    expect(await ada.wallet()).to.include({ balance: 1_000, availableBalance: 960, escrowed: 40 });
    const other = expectStatus(await node().client.get(`${tasksPath}/bids/${left.bidId}`));
    expect(other).to.include({ status: 'rejected', resourcePrev: order.eventHash });
    expect(await task(published)).to.deep.include({ status: 'active' });
    const { bidding, stats } = await task(published);
    expect(bidding).to.include({ open: false, orderId: order.orderId });
    expect(await task(published)).to.include({ status: 'active', substate: 'awarded' });
    expect(stats).to.include({ orders: 1, completedOrders: 0 });
    expectProblem(await bid(await node().person(), published), 'BID_NOT_ALLOWED');
    expectProblem(await onBid(ada, left, 'accept'), 'ORDER_INVALID_STATE');
    const { event, versions } = expectStatus(await node().client.get(`/api/v1/events/${order.eventHash}`));
    expect(event.type).to.equal('bid.accepted');
    const paths = versions.map(({ kind, path }: Body) => `${kind} ${path.join('>')}`);
    expect(paths).to.include.members(['task-order open>accepted', 'escrow created.open>funded']);
  });

  it('accept: the order has the id that the requester chose, unless another has it', async () => {
    const published = await publishesTask(ada);
    const [taken, other] = [await bids(ben, published), await bids(cyd, await publishesTask(ada))];
    for (const orderId of ['ord-1', 'task-ord-a b', 7])
      expectInvalid(await onBid(ada, taken, 'accept', { orderId }), 'orderId');
    const order = expectStatus(await onBid(ada, taken, 'accept', { orderId: 'task-ord-mine' }));
    expect(order).to.include({ orderId: 'task-ord-mine', status: 'accepted' });
    expect(expectStatus(await node().client.get('/api/v1/orders/task-ord-mine'))).to.include({ bidId: taken.bidId });
    const before = await node().state();
    expectProblem(await onBid(ada, other, 'accept', { orderId: 'task-ord-mine' }), 'CONFLICT');
    expect(await node().state()).to.deep.equal(before);
  });

  it('accept: INVALID_REQUEST where the body names another bid or task than the path; nothing is accepted', async () => {
    const published = await publishesTask(ada);
    const [cheap, dear] = [await bids(ben, published, { price: 1 }), await bids(cyd, published, { price: 900 })];
    const before = await node().state();
    expectInvalid(await onBid(ada, dear, 'accept', { bidId: cheap.bidId }), 'bidId');
    expectInvalid(await onBid(ada, dear, 'accept', { bidId: dear.bidId, taskId: 'lst-other' }), 'taskId');
    expect(await node().state()).to.deep.equal(before);
    const { bidId, taskId } = cheap;
    expectStatus(await onBid(ada, cheap, 'accept', { bidId, taskId }));
  });

  it('accept: the same reply again for the same Idempotency-Key', async () => {
    const made = await bids(ben, await publishesTask(ada));
    const path = `${tasksPath}/${made.taskId}/bids/${made.bidId}/actions/accept`;
    const first = expectStatus(await ada.write(path, {}, { 'Idempotency-Key': 'once' }));
    const again = await ada.write(path, { nonce: ada.nonce - 1 }, { 'Idempotency-Key': 'once' });
    expect(again.headers['idempotent-replayed']).to.equal('true');
    expect(expectStatus(again)).to.deep.equal(first);
    expect(await ada.wallet()).to.include({ escrowed: 40 });
  });

  it('accept: INSUFFICIENT_BALANCE, LISTING_NOT_ACTIVE, NOT_FOUND, CONFLICT; nothing is half done', async () => {
    const published = await publishesTask(ada);
    const [dear, cheap] = [await bids(ben, published, { price: 1_001 }), await bids(cyd, published, { price: 1 })];
    const before = await node().state();
    expectProblem(await onBid(ada, dear, 'accept'), 'INSUFFICIENT_BALANCE');
    expectProblem(await onBid(ada, { ...cheap, bidId: 'bid-none' }, 'accept'), 'NOT_FOUND');
    expectProblem(await onBid(ada, { ...cheap, taskId: 'lst-other' }, 'accept'), 'LISTING_NOT_FOUND');
    expectProblem(await onBid(ada, cheap, 'accept', { resourcePrev: 'f'.repeat(64) }), 'CONFLICT');
    expect(await node().state()).to.deep.equal(before);
    await ada.does(`${tasksPath}/${published.listingId}/actions/pause`);
    expectProblem(await onBid(ada, cheap, 'accept'), 'LISTING_NOT_ACTIVE');
    await ada.does(`${tasksPath}/${published.listingId}/actions/resume`);
    expect(await accepts(ada, cheap)).to.include({ price: 1 });
  });
});
