/** A fourth market that no file outside of this folder knows: one folder, and one line of the catalogue. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { sha256Hex } from '../../src/core/canonical.js';
import { catalogue as everyKind } from '../../src/machines/catalogue.js';
import { taskListing } from '../../src/machines/task-order/listing.js';
import { expectProblem, expectStatus } from '../node/support/answers.js';
import type { Body, Reply } from '../node/support/client.js';
import { buys, publishes as publishesData } from '../node/support/market.js';
import { TestNode } from '../node/support/node.js';
import type { Person } from '../node/support/person.js';
import { bid } from '../node/support/requester.js';
import { isLong } from '../support/long.js';
import { until } from '../support/until.js';
import { accepted, Bench, codeOf } from '../world/bench.js';
import { auctionListing } from './listing.js';
import { auctions, withAuctions } from './market.js';
import { saleOf } from './workflows.js';

const hourMs = 3_600_000;

describe('A fourth market', () => {
  let node: TestNode;
  let seller: Person;
  let first: Person;
  let second: Person;

  before(async () => {
    node = await TestNode.start({ parts: { catalogue: withAuctions } });
  });
  after(async () => {
    const report = await node.audit();
    await node.discard();
    expect(report.flaw?.what).to.equal(undefined);
  });
  beforeEach(async () => {
    [seller, first, second] = [await node.person(), await node.rich(100), await node.rich(100)];
  });

  const publishes = (): Promise<Body> =>
    seller.does('/api/v1/markets/auctions', {
      title: 'A book',
      description: 'Signed.',
      category: 'books',
      pricing: { price: 5 },
      stock: 1,
      lot: 'A signed first edition',
      closesAt: node.world.now() + hourMs,
    });
  const offers = (who: Person, { listingId }: Body, amount: number): Promise<Reply> =>
    who.write(`/api/v1/markets/auctions/${listingId}/offers`, { amount });
  const read = async ({ offerId }: Body): Promise<Body> =>
    expectStatus(await node.client.get(`/api/v1/markets/auctions/offers/${offerId}`));
  async function closed(offer: Body): Promise<Body> {
    node.world.skip(hourMs);
    return until('the clock comes', () => read(offer), { is: ({ status }) => status !== 'leading', everyMs: 1 });
  }
  const purse = async (who: Person) => {
    const { availableBalance, escrowed } = await who.wallet();
    return [availableBalance, escrowed];
  };

  /** A lot sold to the first bidder for this amount, and the resulting order. */
  async function sold(amount: number): Promise<Body> {
    const lot = await publishes();
    const offer = expectStatus(await offers(first, lot, amount), 201);
    expect(await closed(offer)).to.include({ status: 'won' });
    return { ...offer, listingId: lot.listingId, orderId: saleOf(offer.offerId) };
  }
  const onSale = (who: Person, { orderId }: Body, action: string, body: Body = {}): Promise<Reply> =>
    who.write(`/api/v1/markets/auctions/sales/${orderId}/actions/${action}`, body);
  const onOrder = (who: Person, { orderId }: Body, action: string, body: Body = {}): Promise<Reply> =>
    who.write(`/api/v1/orders/${orderId}/actions/${action}`, body);
  const get = async (path: string): Promise<Body> => expectStatus(await node.client.get(`/api/v1${path}`));

  it('sells to the highest offer; who was outbid has it all back at once', async () => {
    const lot = await publishes();
    expectProblem(await offers(first, lot, 4), 'BID_NOT_ALLOWED');
    expectProblem(await offers(seller, lot, 9), 'BID_NOT_ALLOWED');
    const low = expectStatus(await offers(first, lot, 10), 201);
    expectProblem(await offers(second, lot, 10), 'BID_NOT_ALLOWED');
    const high = expectStatus(await offers(second, lot, 11), 201);
    expect(await read(low)).to.include({ status: 'outbid' });
    expect(await purse(first)).to.deep.equal([100, 0]);
    expect(await purse(second)).to.deep.equal([89, 11]);
    expect(await closed(high)).to.include({ status: 'won' });
    expect(await purse(second)).to.deep.equal([89, 11]);
    expectStatus(await onSale(second, { orderId: saleOf(high.offerId) }, 'confirm'));
    expect(await purse(second)).to.deep.equal([89, 0]);
    expect((await seller.wallet()).balance).to.equal(11);
    const listing = expectStatus(await node.client.get(`/api/v1/markets/auctions/${lot.listingId}`));
    expect(listing).to.deep.include({ status: 'paused', stock: 0 });
    expect(listing.stats).to.include({ orders: 1, completedOrders: 1 });
    expectProblem(await offers(first, lot, 50), 'LISTING_NOT_ACTIVE');
  });

  it('its orders are among the orders of all markets, by party, status and id', async () => {
    const order = await sold(20);
    const bought = await buys(first, await publishesData(seller, { pricing: { price: 1 } }));
    const mine = await get(`/orders?role=buyer&did=${first.did}`);
    expect(mine.orders.map((each: Body) => each.orderId)).to.deep.equal([bought.orderId, order.orderId]);
    expect(mine).to.include({ total: 2 });
    expect((await get(`/orders?role=seller&did=${seller.did}&status=paid`)).total).to.equal(2);
    expect((await get(`/orders?role=buyer&did=${second.did}`)).total).to.equal(0);
    const { permittedActions, ...read } = await get(`/orders/${order.orderId}`);
    expect(read).to.include({ status: 'paid', marketType: 'auction', price: 20, listingId: order.listingId });
    expect(Object.keys(permittedActions)).to.deep.equal(['buyer', 'seller']);
    expectProblem(await node.client.get('/api/v1/orders/sale-none'), 'ORDER_NOT_FOUND');
  });

  it('its listings are found with all others, by words, market and facets; a bid on one is BID_NOT_ALLOWED', async () => {
    const lot = await publishes();
    for (const query of ['markets=auction', 'type=auction', 'keyword=book+sig', `seller=${seller.did}`]) {
      const found = await get(`/markets/search?${query}&includeFacets=true`);
      expect(found.listings[0], query).to.include({ listingId: lot.listingId, marketType: 'auction' });
      expect(found.facets.markets, query).to.deep.include({ key: 'auction', count: found.total });
    }
    expect((await get('/markets/auctions?keyword=signed')).listings[0].listingId).to.equal(lot.listingId);
    expectProblem(await bid(first, lot), 'BID_NOT_ALLOWED');
  });

  it('what is finished counts: statistics, ratings, records of both parties, reviews that name it', async () => {
    const order = await sold(30);
    const says = { target: first.did, dimension: 'social', score: 900, ref: order.orderId };
    const reviews = (): Promise<Reply> => seller.write(`/api/v1/reputations/${first.did}/reviews`, says);
    expectProblem(await reviews(), 'UNPROCESSABLE');
    expectStatus(await onSale(first, order, 'confirm'));
    expectStatus(await onSale(first, order, 'review', { rating: 4 }));
    expectProblem(await onSale(first, order, 'review', { rating: 4 }), 'ORDER_INVALID_STATE');
    expectStatus(await reviews(), 201);
    expectProblem(await reviews(), 'CONFLICT');
    const { stats } = await get(`/markets/auctions/${order.listingId}`);
    expect(stats).to.deep.equal({ orders: 1, completedOrders: 1, averageRating: 4, ratingCount: 1 });
    const { dimensions } = await get(`/reputations/${seller.did}`);
    expect(dimensions).to.have.all.keys('transaction', 'fulfillment', 'quality');
    expect(dimensions.quality).to.include({ score: 800 });
    expect((await get(`/reputations/${first.did}`)).dimensions).to.have.all.keys('transaction', 'social');
    const log = await get(`/reputations/${seller.did}?source=log`);
    expect(log.dimensions).to.deep.equal(dimensions);
  });

  it('is disputed like every order, by its id alone; what the parties agree on ends it', async () => {
    const order = await sold(40);
    expectProblem(await onOrder(second, order, 'dispute', { reason: 'quality' }), 'DISPUTE_NOT_ALLOWED');
    const dispute = expectStatus(await onOrder(first, order, 'dispute', { reason: 'quality' }));
    expect(dispute).to.include({ status: 'open', amount: 40, orderId: order.orderId, client: first.did });
    expectProblem(await onSale(first, order, 'confirm'), 'ORDER_INVALID_STATE');
    const split = { resolution: 'split', clientRefund: 15, providerPayment: 25 };
    expectStatus(await onOrder(first, order, 'resolve', split));
    expectStatus(await seller.write(`/api/v1/disputes/${dispute.disputeId}/actions/resolve`, split));
    expect(await get(`/orders/${order.orderId}`)).to.include({ status: 'confirmed', disputeId: dispute.disputeId });
    expect(await purse(first)).to.deep.equal([75, 0]);
    expect((await seller.wallet()).balance).to.equal(25);
    expect((await get(`/markets/auctions/${order.listingId}`)).stats).to.include({ completedOrders: 1 });
  });

  it('its machines are shown with the others, with their charts and histories', async () => {
    const { machines } = await get('/machines?limit=100');
    for (const { kind } of auctions.kinds) expect(machines.map((each: Body) => each.kind)).to.include(kind);
    expect((await get('/machines/auction-order')).states.map((each: Body) => each.name)).to.include('disputed');
    expect((await node.client.get('/api/v1/machines/auction-order?format=mermaid')).text).to.include('disputed');
    const order = await sold(9);
    expectStatus(await onSale(first, order, 'confirm'));
    const { steps } = await get(`/machines/auction-order/${order.orderId}/history`);
    expect(steps.map((each: Body) => each.event ?? each.action)).to.have.length(2);
  });

  it('gives the highest offer back where the listing has gone meanwhile', async () => {
    const lot = await publishes();
    const offer = expectStatus(await offers(first, lot, 20), 201);
    await seller.write(`/api/v1/markets/auctions/${lot.listingId}/actions/remove`);
    expect(await closed(offer)).to.include({ status: 'returned' });
    expect(await purse(first)).to.deep.equal([100, 0]);
  });

  it('two equal offers at once: one leads, and one escrow is left', async () => {
    const lot = await publishes();
    const replies = await Promise.all([offers(first, lot, 30), offers(second, lot, 30)]);
    expect(replies.map(({ status }) => status).sort()).to.deep.equal([201, 403]);
    expect((await purse(first))[1]! + (await purse(second))[1]!).to.equal(30);
  });

  it('has its ids, routes, lists, permissions and documentation without a word', async () => {
    const lot = await publishes();
    expect(Object.keys(lot.permittedActions)).to.deep.equal(['seller']);
    const { lot: _, closesAt: __, ...shared } = auctionListing.create.example;
    const taken = { ...shared, listingId: lot.listingId, quota: {}, access: {} };
    const other = { ...taken, title: 't', description: 'd', category: 'c', capabilityType: 'x', capability: {} };
    expectProblem(await seller.write('/api/v1/markets/capabilities', other), 'CONFLICT');
    await offers(first, lot, 6);
    const list = expectStatus(await node.client.get(`/api/v1/markets/auctions/offers?role=bidder&did=${first.did}`));
    expect(list.offers).to.have.length(1);
    const { paths } = expectStatus(await node.client.get('/openapi.json'));
    for (const path of ['', '/{listingId}', '/{listingId}/actions/pause', '/{listingId}/offers', '/offers/{offerId}']) {
      expect(paths, path).to.have.property(`/api/v1/markets/auctions${path}`);
    }
  });

  it('transforms requests, shows some members once, and lists below its listings, by its definition alone', async () => {
    const lot = await publishes();
    const body = { did: first.did, passphrase: first.passphrase, amount: 7, note: 'for my aunt' };
    const again = { headers: { 'idempotency-key': 'one-offer' } };
    const path = `/api/v1/markets/auctions/${lot.listingId}/offers`;
    const made = expectStatus(await node.client.post(path, { ...body, nonce: 1 }, again.headers), 201);
    expect(made.noteHash).to.equal(sha256Hex('for my aunt'));
    expect(made.receiptId).to.match(/^rcp-/);
    const replayed = expectStatus(await node.client.post(path, { ...body, nonce: 1 }, again.headers), 201);
    expect(replayed).to.include({ offerId: made.offerId, receiptId: null });
    expect(JSON.stringify((await node.store.entries({ after: 0, limit: 1_000 })).at(-1))).not.to.include('aunt');
    const { offers: listed } = await get(`/markets/auctions/${lot.listingId}/offers`);
    expect(listed.map((each: Body) => each.offerId)).to.deep.equal([made.offerId]);
    expectProblem(await node.client.get('/api/v1/markets/auctions/lst-none/offers'), 'LISTING_NOT_FOUND');
    const { paths } = expectStatus(await node.client.get('/openapi.json'));
    expect(paths['/api/v1/markets/auctions/{listingId}/offers'].get.operationId).to.equal('listLotOffers');
  });

  it('is not known outside its folder', () => {
    const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    expect(sources).to.have.length.above(100);
    for (const file of sources) {
      expect(readFileSync(`src/${file}`, 'utf8'), file).not.to.match(/auction|fourth-market/i);
    }
    const added = Object.keys(withAuctions.definitions).filter((kind) => !(kind in everyKind.definitions));
    expect(added).to.have.members(auctions.kinds.map(({ kind }) => kind));
  });
});

describe('A market that joins a journal', () => {
  it('leaves what was there as it was: the whole journal replays, and continues', async () => {
    const before = await Bench.open({}, { ada: 100, ben: 100 });
    const task = taskListing.create.example;
    const publishes = (bench: Bench, id: string) => bench.ask('ada', 'task-listing', id, 'create', task);
    const bids = (bench: Bench, taskId: string) =>
      bench.ask('ben', 'bid', `bid-${taskId}`, 'create', { taskId, price: 1 });
    accepted(await publishes(before, 'lst-1'));
    accepted(await bids(before, 'lst-1'));
    const after = await before.restart({ catalogue: withAuctions });
    expect((await after.audit()).flaw?.what).to.equal(undefined);
    accepted(await publishes(after, 'lst-2'));
    accepted(await bids(after, 'lst-2'));
    expect((await after.audit()).flaw?.what).to.equal(undefined);
  });
});

describe('A fourth market, at random', () => {
  const command = fc.record({
    who: fc.constantFrom('ada', 'ben', 'cyd'),
    lot: fc.nat(1),
    amount: fc.integer({ min: 1, max: 60 }),
    does: fc.constantFrom('offer', 'offer', 'offer', 'pause', 'resume', 'remove', 'wait'),
  });

  it('conserves Tokens, and strands no escrow', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 30 }), async (commands) => {
        const bench = await Bench.open({ catalogue: withAuctions }, { ada: 100, ben: 100, cyd: 100 });
        const words = { title: 't', description: 'd', category: 'c', lot: 'x', pricing: { price: 5 }, stock: 1 };
        for (const [lot, who] of ['ada', 'ben'].entries()) {
          const body = { ...words, closesAt: bench.world.now() + (lot + 1) * hourMs };
          accepted(await bench.ask(who, 'auction-listing', `lst-${lot}`, 'create', body));
        }
        for (const [i, { who, lot, amount, does }] of commands.entries()) {
          const stated = { ids: { escrow: `esc-${i}` } };
          if (does === 'wait') await bench.world.advance(amount * 60_000);
          else if (does === 'offer') {
            await bench.ask(who, 'offer', `off-${i}`, 'create', { listingId: `lst-${lot}`, amount }, stated);
          } else await bench.ask(who, 'auction-listing', `lst-${lot}`, does, {});
        }
        for (;;) {
          const [next] = await bench.store.due(Number.MAX_SAFE_INTEGER, 1);
          if (!next) break;
          await bench.world.advance(Math.max(0, next.at - bench.world.now()));
          expect(codeOf(await bench.operate(next.kind, next.id, next.action))).to.equal('accepted');
        }
        const { supply, available, escrowed, reserved } = await bench.store.totals();
        expect([available, escrowed, reserved]).to.deep.equal([supply, 0, 0]);
        expect((await bench.audit()).flaw?.what).to.equal(undefined);
      }),
      { numRuns: isLong ? 200 : 25 },
    );
  });
});
