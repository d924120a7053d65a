/** Orders of information over HTTP (docs/reference/markets.md#information-orders). */
import { expect } from 'chai';
import { dayMs } from '../../src/core/bounds.js';
import { until } from '../support/until.js';
import { expectInvalid, expectProblem, expectSoon, expectStatus } from './support/answers.js';
import type { Body } from './support/client.js';
import { invisible } from './support/invisible.js';
import { buys, dataset, infoPath, onListing, onOrder, publishes } from './support/market.js';
import { nodeForSuite, type TestNode } from './support/node.js';
import type { Person } from './support/person.js';

const hourMs = dayMs / 24;

describe('orders of information', () => {
  const shared = nodeForSuite();
  let node: TestNode;
  let seller: Person;
  let buyer: Person;
  let other: Person;

  beforeEach(async () => {
    node = shared();
    [seller, buyer, other] = [await node.rich(), await node.rich(), await node.rich()];
  });
  afterEach(() => node.world.skip(0));

  const order = async ({ orderId }: Body) => expectStatus(await node.client.get(`/api/v1/orders/${orderId}`));
  const listingOf = async ({ listingId }: Body) => expectStatus(await node.client.get(`${infoPath}/${listingId}`));
  const escrowOf = async ({ escrowId }: Body) => expectStatus(await node.client.get(`/api/v1/escrows/${escrowId}`));
  const has = async (who: Person) => {
    const { availableBalance, escrowed } = await who.wallet();
    return [availableBalance, escrowed];
  };
  /** Waits until the clock has brought the order to this status. */
  async function become(made: Body, status: string): Promise<Body> {
    return until(`${made.orderId} is ${status}`, () => order(made), { is: (now) => now.status === status });
  }
  async function delivered(more: Body = {}): Promise<Body> {
    const listing = await publishes(seller, more);
    return expectStatus(await onOrder(seller, await buys(buyer, listing), 'deliver'));
  }

  it('go from pending to paid in one event and one nonce, the price in escrow', async () => {
    const listing = await publishes(seller);
    const bought = await buys(buyer, listing);
    expect(bought).to.include({ status: 'paid', price: 25, unitPrice: 25, quantity: 1, currency: 'TOKEN' });
    expect(bought).to.include({ buyer: buyer.did, seller: seller.did, listingId: listing.listingId, nonce: 1 });
    expect(bought.orderId).to.match(/^ord-[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(bought.deliverBy).to.be.closeTo(bought.createdAt + 7 * dayMs, 10);
    const { versions } = expectStatus(await node.client.get(`/api/v1/events/${bought.eventHash}`));
    expect(versions.find(({ kind }: Body) => kind === 'info-order').path).to.deep.equal(['pending', 'paid']);
    expect(await escrowOf(bought)).to.deep.include({
      status: 'funded',
      depositor: buyer.did,
      beneficiary: seller.did,
      amount: 25,
      purpose: { kind: 'order', id: bought.orderId },
    });
    expect(await has(buyer)).to.deep.equal([975, 25]);
    const after = await listingOf(listing);
    expect(after.stats.orders).to.equal(1);
    expect(after.resourcePrev, 'stats do not move it').to.equal(listing.resourcePrev);
  });

  it('stand as `order` in the reply to what disputes them', async () => {
    const bought = await buys(buyer, await publishes(seller));
    const path = `/api/v1/orders/${bought.orderId}/actions/dispute`;
    const dispute = expectStatus(await buyer.write(path, { reason: 'non_delivery' }));
    expect(dispute).to.include({ orderId: bought.orderId, status: 'open' }).and.not.have.property('info-order');
    expect(dispute.order).to.include({ orderId: bought.orderId, status: 'disputed', disputeId: dispute.disputeId });
  });

  it('are delivered, confirmed and reviewed; the seller is paid', async () => {
    const made = await delivered();
    expect(made).to.include({ status: 'delivered' });
    expect(made.confirmBy).to.equal(made.deliveredAt + 7 * dayMs);
    const confirmed = expectStatus(await onOrder(buyer, made, 'confirm'));
    expect(confirmed.status).to.equal('confirmed');
    expect(await has(seller)).to.deep.equal([1_025, 0]);
    expect(await has(buyer)).to.deep.equal([975, 0]);
    expect((await escrowOf(made)).status).to.equal('released');
    const praised = expectStatus(await onOrder(buyer, made, 'review', { rating: 4, comment: 'as promised' }));
    expect(praised.status).to.equal('reviewed');
    expect(praised.reviews[0]).to.include({ role: 'buyer', rating: 4, comment: 'as promised' });
    const answered = expectStatus(await onOrder(seller, made, 'review', { rating: 5 }));
    expect(answered.status).to.equal('reviewed');
    expect((await listingOf(made)).stats).to.deep.equal({
      orders: 1,
      completedOrders: 1,
      averageRating: 4,
      ratingCount: 1,
    });
    for (const who of [buyer, seller]) {
      expectProblem(await onOrder(who, made, 'review', { rating: 1 }), 'ORDER_INVALID_STATE');
      const { totalTransactions } = expectStatus(await node.client.get(`/api/v1/reputations/${who.did}`));
      expect(totalTransactions).to.equal(1);
    }
    const { reviews } = expectStatus(await node.client.get(`/api/v1/reputations/${seller.did}/reviews`));
    expect(reviews[0]).to.include({
      ref: made.orderId,
      issuer: buyer.did,
      dimension: 'quality',
      comment: 'as promised',
    });
    expect((await node.audit()).flaw?.what).to.equal(undefined);
  });

  it('may be reviewed by the seller first, which leaves the state to the buyer', async () => {
    const made = await delivered();
    expectProblem(await onOrder(buyer, made, 'review', { rating: 3 }), 'ORDER_INVALID_STATE');
    expectStatus(await onOrder(buyer, made, 'confirm'));
    const mayReview = async () => Object.keys((await order(made)).permittedActions);
    expect(await mayReview()).to.deep.equal(['buyer', 'seller']);
    expect(expectStatus(await onOrder(seller, made, 'review', { rating: 3 })).status).to.equal('confirmed');
    expect(await mayReview(), 'who has not reviewed it').to.deep.equal(['buyer']);
    expect(expectStatus(await onOrder(buyer, made, 'review', { rating: 3 })).status).to.equal('reviewed');
    expect(await mayReview()).to.deep.equal([]);
    for (const rating of [0, 6, 2.5]) expectInvalid(await onOrder(buyer, made, 'review', { rating }), 'rating');
  });

  it('are their parties’ to move, in the order of their states', async () => {
    const listing = await publishes(seller);
    const made = await buys(buyer, listing);
    for (const who of [buyer, other]) expectProblem(await onOrder(who, made, 'deliver'), 'FORBIDDEN');
    expectProblem(await onOrder(buyer, made, 'confirm'), 'ORDER_INVALID_STATE');
    expectStatus(await onOrder(seller, made, 'deliver'));
    expectProblem(await onOrder(seller, made, 'deliver'), 'ORDER_INVALID_STATE');
    for (const who of [seller, other]) expectProblem(await onOrder(who, made, 'confirm'), 'FORBIDDEN');
    expectStatus(await onOrder(buyer, made, 'confirm'));
    expectProblem(await onOrder(buyer, made, 'confirm'), 'ORDER_INVALID_STATE');
    expectProblem(await onOrder(other, made, 'review', { rating: 1 }), 'FORBIDDEN');
  });

  it('are found below their own listing only', async () => {
    const made = await buys(buyer, await publishes(seller));
    const elsewhere = { ...made, listingId: (await publishes(seller)).listingId };
    expectProblem(await onOrder(seller, elsewhere, 'deliver'), 'ORDER_NOT_FOUND');
    const hidden = await publishes(other, { visibility: 'private' });
    for (const { listingId } of [{ listingId: 'lst-none' }, hidden]) {
      expectProblem(await onOrder(seller, { ...made, listingId }, 'deliver'), 'LISTING_NOT_FOUND');
    }
    expectProblem(await onOrder(seller, { ...made, orderId: 'ord-none' }, 'deliver'), 'ORDER_NOT_FOUND');
  });

  it('are the signer’s only one there that waits where the body names none', async () => {
    const listing = await publishes(seller);
    const access = { accessUrl: 'https://example.org/rain' };
    await buys(buyer, await publishes(seller));
    expectInvalid(await onListing(seller, listing, 'deliver', access), 'orderId');
    const made = await buys(buyer, listing);
    expect(expectStatus(await onListing(seller, listing, 'deliver', access))).to.include({ orderId: made.orderId });
    const second = await buys(buyer, listing);
    expectStatus(await onListing(buyer, listing, 'confirm'));
    for (const who of [buyer, seller]) {
      const { orderId } = expectStatus(await onListing(who, listing, 'review', { rating: 4 }));
      expect(orderId).to.equal(made.orderId);
      expectInvalid(await onListing(who, listing, 'review', { rating: 4 }), 'orderId');
    }
    const third = await buys(other, listing);
    const refused = await onListing(seller, listing, 'deliver', access);
    expectInvalid(refused, 'orderId');
    expect(refused.body.detail).to.equal(
      'orderId: is required: you have more than one order on this listing to deliver',
    );
    for (const each of [second, third]) expectStatus(await onOrder(seller, each, 'deliver'));
    expect(expectStatus(await onListing(other, listing, 'confirm'))).to.include({ orderId: third.orderId });
    expectProblem(await onListing(seller, { listingId: 'lst-none' }, 'deliver', access), 'LISTING_NOT_FOUND');
  });

  it('an order that was meant is meant again by the same Idempotency-Key, though another waits by now', async () => {
    const listing = await publishes(seller);
    const made = await buys(buyer, listing);
    const path = `${infoPath}/${listing.listingId}/actions/deliver`;
    const body = { ...seller.signed, accessUrl: 'https://example.org/rain' };
    const send = (more: Body = {}) => node.client.post(path, { ...body, ...more }, { 'Idempotency-Key': 'delivered' });
    const first = expectStatus(await send());
    seller.nonce += 1;
    expect(first.orderId).to.equal(made.orderId);
    expect(expectStatus(await send()), 'where none waits').to.deep.equal(first);
    const next = await buys(buyer, listing);
    expect(expectStatus(await send())).to.deep.equal(first);
    expectProblem(await send({ accessUrl: 'https://example.org/snow' }), 'UNPROCESSABLE');
    expectProblem(await send({ passphrase: 'not the passphrase' }), 'TRANSFER_NOT_ALLOWED');
    expect(await order(next)).to.include({ status: 'paid' });
  });

  it('check resourcePrev where it is given', async () => {
    const made = await buys(buyer, await publishes(seller));
    const stale = { resourcePrev: 'f'.repeat(64) };
    expectProblem(await onOrder(seller, made, 'deliver', stale), 'ORDER_INVALID_STATE');
    expectStatus(
      await onOrder(seller, made, 'deliver', { accessUrl: 'https://example.org', resourcePrev: made.resourcePrev }),
    );
  });

  it('are not made of one’s own, of nothing, or without the Tokens', async () => {
    const listing = await publishes(seller, { pricing: { price: 1_001 } });
    expectProblem(await onListing(seller, listing, 'purchase'), 'FORBIDDEN');
    expectProblem(await onListing(buyer, { listingId: 'lst-none' }, 'purchase'), 'LISTING_NOT_FOUND');
    expectProblem(await onListing(buyer, listing, 'purchase'), 'INSUFFICIENT_BALANCE');
    expect((await listingOf(listing)).stats.orders).to.equal(0);
    expect(await has(buyer)).to.deep.equal([1_000, 0]);
  });

  it('take an id that the buyer chooses, once', async () => {
    const listing = await publishes(seller);
    expect((await buys(buyer, listing, { orderId: 'ord-mine' })).orderId).to.equal('ord-mine');
    expectProblem(await onListing(buyer, listing, 'purchase', { orderId: 'ord-mine' }), 'CONFLICT');
    expectInvalid(await onListing(buyer, listing, 'purchase', { orderId: 'mine' }), 'orderId');
  });

  it('cost what the listing says, times the quantity', async () => {
    const subscription = { subscriptionPrice: { period: 'month', price: 9 } };
    expect(await buys(buyer, await publishes(seller), { quantity: 3 })).to.include({ price: 75, unitPrice: 25 });
    expect(await buys(buyer, await publishes(seller, { pricing: subscription }))).to.include({ price: 9 });
    const listing = await publishes(seller, { pricing: { priceRange: { min: 5, max: 9 } } });
    expect(await buys(buyer, listing, { unitPrice: 6, quantity: 2 })).to.include({ price: 12 });
    for (const unitPrice of [4, 10, undefined]) {
      expectProblem(await onListing(buyer, listing, 'purchase', { unitPrice }), 'UNPROCESSABLE');
    }
    const metered = await publishes(seller, { pricing: { usagePrice: { unit: 'call', pricePerUnit: 1 } } });
    expectProblem(await onListing(buyer, metered, 'purchase'), 'UNPROCESSABLE');
    const dear = await publishes(seller, { pricing: { price: Number.MAX_SAFE_INTEGER } });
    expectInvalid(await onListing(buyer, dear, 'purchase', { quantity: 2 }), 'quantity');
  });

  it('are not made at another price than expected', async () => {
    const listing = await publishes(seller);
    expectStatus(await onListing(seller, listing, 'update', { pricing: { price: 30 } }));
    const refused = await onListing(buyer, listing, 'purchase', { expectedPrice: 25 });
    expect(expectProblem(refused, 'CONFLICT')).to.include({ currentPrice: 30 });
    expect(await buys(buyer, listing, { expectedPrice: 30 })).to.include({ price: 30 });
  });

  it('say within an hour of a new price that they have seen it', async () => {
    const listing = await publishes(seller);
    expect(await buys(buyer, listing)).to.include({ price: 25 });
    expectStatus(await onListing(seller, listing, 'update', { title: 'Rain', pricing: { price: 25 } }));
    expect(await buys(buyer, listing), 'nothing has changed').to.include({ price: 25 });
    expectStatus(await onListing(seller, listing, 'update', { pricing: { price: 200 } }));
    const before = await has(buyer);
    const problem = expectProblem(await onListing(buyer, listing, 'purchase', { quantity: 2 }), 'CONFLICT');
    expect(problem).to.include({ currentPrice: 400 });
    expect(problem.detail).to.contain('is 400 now').and.to.contain('expectedPrice');
    expect(await has(buyer)).to.deep.equal(before);
    expect(await buys(buyer, listing, { expectedPrice: 200 })).to.include({ price: 200 });
    expect(await buys(buyer, listing, { unitPrice: 200 }), 'the price of a unit is as good').to.include({ price: 200 });
    node.world.skip(hourMs);
    expect(await buys(buyer, listing)).to.include({ price: 200 });
  });

  it('are not delivered with nothing', async () => {
    const made = await buys(buyer, await publishes(seller));
    for (const body of [
      {},
      { deliveryData: {} },
      { deliveryData: { x: null, '': {}, y: [' '] } },
      { expiresAt: node.world.now() + hourMs },
    ]) {
      expectProblem(await onOrder(seller, made, 'deliver', body), 'UNPROCESSABLE');
    }
    expectInvalid(await onOrder(seller, made, 'deliver', { accessToken: ' ' }), 'accessToken');
    for (const [name, text] of invisible) {
      const { detail } = expectProblem(
        await onOrder(seller, made, 'deliver', { deliveryData: { x: [text], y: ` ${text}` } }),
        'UNPROCESSABLE',
      );
      expect(detail, name).to.include('nothing is delivered');
      expectInvalid(await onOrder(seller, made, 'deliver', { accessUrl: text }), 'accessUrl');
      const envelope = { type: 'text', transport: { method: 'inline', data: text } };
      expectProblem(await onOrder(seller, made, 'deliver', { deliveryData: { envelope } }), 'UNPROCESSABLE');
    }
    expectStatus(await onOrder(seller, made, 'deliver', { deliveryData: { note: 'by post' } }));
  });

  it('keep what was agreed when the listing changes', async () => {
    const listing = await publishes(seller);
    const made = await buys(buyer, listing);
    expectStatus(await onListing(seller, listing, 'update', { pricing: { price: 30 } }));
    expectStatus(await onListing(seller, listing, 'remove'));
    expectStatus(await onOrder(seller, made, 'deliver'));
    expect(expectStatus(await onOrder(buyer, made, 'confirm'))).to.include({ price: 25 });
    expect(await has(seller)).to.deep.equal([1_025, 0]);
  });

  it('take the stock, the last of which pauses the listing in the same entry', async () => {
    const listing = await publishes(seller, { stock: 3 });
    await buys(buyer, listing, { quantity: 2 });
    expect(await listingOf(listing)).to.include({ stock: 1, status: 'active' });
    expectProblem(await onListing(buyer, listing, 'purchase', { quantity: 2 }), 'CONFLICT');
    const last = await buys(other, listing);
    const sold = await listingOf(listing);
    expect(sold).to.include({ stock: 0, status: 'paused', resourcePrev: last.eventHash });
    expectProblem(await onListing(buyer, listing, 'purchase'), 'LISTING_NOT_ACTIVE');
    expectProblem(await onListing(seller, listing, 'resume'), 'LISTING_NOT_ACTIVE');
    expectStatus(await onListing(seller, listing, 'update', { stock: 1 }));
    expectStatus(await onListing(seller, listing, 'resume'));
    await buys(buyer, listing);
  });

  it('of what costs nothing need no escrow, and no reputation follows', async () => {
    const made = await buys(buyer, await publishes(seller, { pricing: { price: 0 } }));
    expect(made).to.include({ status: 'paid', price: 0, escrowId: null });
    expectStatus(await onOrder(seller, made, 'deliver'));
    expectStatus(await onOrder(buyer, made, 'confirm'));
    expectStatus(await onOrder(buyer, made, 'review', { rating: 5 }));
    expect(await has(seller)).to.deep.equal([1_000, 0]);
    expect((await listingOf(made)).stats).to.include({ completedOrders: 1, averageRating: 5 });
    expectProblem(await node.client.get(`/api/v1/reputations/${seller.did}`), 'REPUTATION_NOT_FOUND');
    const review = { target: seller.did, dimension: 'social', score: 900, ref: made.orderId };
    const refused = await buyer.write(`/api/v1/reputations/${seller.did}/reviews`, review);
    expectProblem(refused, 'UNPROCESSABLE');
    expect(refused.body.detail).to.contain('free of charge');
  });

  it('that are not delivered are cancelled by the clock and refunded', async () => {
    const listing = await publishes(seller);
    const made = await buys(buyer, listing);
    const sooner = await buys(buyer, listing, { deliverBy: node.world.now() + dayMs });
    for (const ahead of [-1, 3_600_000 - 1, 366 * dayMs]) {
      const deliverBy = node.world.now() + ahead;
      expectProblem(await onListing(buyer, listing, 'purchase', { deliverBy }), 'UNPROCESSABLE');
    }
    const quick = await publishes(seller, { minDeliveryMs: 0, pricing: { price: 0 } });
    for (const ahead of [-1, 0]) {
      const deliverBy = node.world.now() + ahead;
      expectProblem(await onListing(buyer, quick, 'purchase', { deliverBy }), 'UNPROCESSABLE');
    }
    await buys(buyer, quick, { deliverBy: node.world.now() + 60_000 });
    const slow = await publishes(seller, { minDeliveryMs: 2 * dayMs, pricing: { price: 0 } });
    expectProblem(await onListing(buyer, slow, 'purchase', { deliverBy: node.world.now() + dayMs }), 'UNPROCESSABLE');
    node.world.skip(dayMs + 1);
    await become(sooner, 'cancelled');
    expect((await order(made)).status).to.equal('paid');
    node.world.skip(6 * dayMs);
    await become(made, 'cancelled');
    await expectSoon(() => has(buyer), [1_000, 0]);
    expect((await escrowOf(made)).status).to.equal('refunded');
    expectProblem(await onOrder(seller, made, 'deliver'), 'ORDER_INVALID_STATE');
  });

  it('are delivered after their time, too, before the clock has noted it', async () => {
    const made = await buys(buyer, await publishes(seller));
    node.world.hold();
    node.world.outrun(7 * dayMs + 1);
    expect(expectStatus(await onOrder(seller, made, 'deliver'))).to.include({ status: 'delivered' });
  });

  it('that are not confirmed are confirmed by the clock, and the seller is paid', async () => {
    const made = await delivered();
    node.world.skip(7 * dayMs - 60_000);
    expect((await order(made)).status).to.equal('delivered');
    node.world.skip(60_001);
    const settled = await become(made, 'confirmed');
    expect(settled.confirmedAt).to.be.at.least(made.confirmBy);
    await expectSoon(() => has(seller), [1_025, 0]);
    expect((await listingOf(made)).stats.completedOrders).to.equal(1);
    expectStatus(await onOrder(buyer, made, 'review', { rating: 2 }));
    expect((await node.audit()).flaw?.what).to.equal(undefined);
  });

  it('move their escrow by themselves only', async () => {
    const made = await buys(buyer, await publishes(seller));
    const { resourcePrev } = await escrowOf(made);
    const body = { amount: 25, resourcePrev, reason: 'x' };
    for (const who of [buyer, seller]) {
      for (const action of ['release', 'refund']) {
        expectProblem(await who.act(made, action, body), 'ESCROW_RULE_NOT_MET');
      }
    }
  });

  it('answer a purchase that is sent again with the same order', async () => {
    const listing = await publishes(seller);
    const path = `${infoPath}/${listing.listingId}/actions/purchase`;
    const key = { 'Idempotency-Key': 'once' };
    const first = await buyer.write(path, {}, key);
    const again = await buyer.write(path, { nonce: buyer.nonce - 1 }, key);
    expect(expectStatus(again, 201)).to.deep.equal(expectStatus(first, 201));
    expect(await has(buyer)).to.deep.equal([975, 25]);
  });

  describe('are listed', () => {
    it('by party, role and status, newest first', async () => {
      const [mine, theirs] = [await publishes(seller), await publishes(buyer)];
      const first = await buys(buyer, mine);
      const second = await buys(other, mine);
      const third = await buys(seller, theirs);
      expectStatus(await onOrder(seller, second, 'deliver'));
      const ids = async (query: string, client = node.client) => {
        const { orders, total, pagination } = expectStatus(await client.get(`/api/v1/orders${query}`));
        expect(pagination.total).to.equal(total);
        return orders.map(({ orderId }: Body) => orderId);
      };
      expect(await ids('?limit=3')).to.deep.equal([third, second, first].map(({ orderId }) => orderId));
      expect(await ids(`?did=${seller.did}`)).to.have.length(3);
      expect(await ids(`?did=${seller.did}&role=seller`)).to.deep.equal([second.orderId, first.orderId]);
      expect(await ids(`?did=${seller.did}&role=buyer`)).to.deep.equal([third.orderId]);
      expect(await ids(`?did=${seller.did}&status=delivered`)).to.deep.equal([second.orderId]);
      expect(await ids('?limit=1&offset=1')).to.deep.equal([second.orderId]);
      const own = await node.keyed({ scope: 'read', did: other.did });
      expect(await ids('?role=buyer', own)).to.deep.equal([second.orderId]);
      expectInvalid(await node.client.get('/api/v1/orders?role=buyer'), 'did');
      expectInvalid(await node.client.get('/api/v1/orders?role=arbiter'), 'role');
      expectInvalid(await node.client.get('/api/v1/orders?status=lost'), 'status');
    });

    it('one by one, with what is permitted', async () => {
      const made = await buys(buyer, await publishes(seller));
      const shown = await order(made);
      expect(shown.permittedActions.seller).to.deep.include({ action: 'deliver', open: ['UNPROCESSABLE'] });
      for (const id of ['ord-none', 'esc-1', 'task-ord-none']) {
        expectProblem(await node.client.get(`/api/v1/orders/${id}`), 'ORDER_NOT_FOUND');
      }
    });
  });

  it('are not published half: an offer that is refused leaves nothing', async () => {
    const before = await node.state();
    expectProblem(await seller.write(infoPath, dataset({ content: {} })), 'INVALID_REQUEST');
    expect(await node.state()).to.deep.equal(before);
  });
});
