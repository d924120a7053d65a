/**
 * Every code of docs/reference/errors.md#codes that the endpoints of markets, orders, bids, leases and reputations can give,
 * caused over HTTP. The other codes of the table are listed as belonging to other endpoints.
 */
import { expect } from 'chai';
import { type Code, codes } from '../../src/core/refusal.js';
import { taskListing } from '../../src/machines/task-order/listing.js';
import { expectProblem, expectStatus } from './support/answers.js';
import { FakeChain } from './support/chain.js';
import type { Body, Reply } from './support/client.js';
import * as lessor from './support/lessor.js';
import { buys, dataset, infoPath, onListing, onOrder, publishes } from './support/market.js';
import { TestNode } from './support/node.js';
import type { Person } from './support/person.js';

/** Codes that only other endpoints give. */
const elsewhere: readonly Code[] = [
  ...(['ESCROW_NOT_FOUND', 'ESCROW_INVALID_STATE', 'ESCROW_RULE_NOT_MET'] as const),
  ...(['CONTRACT_NOT_FOUND', 'CONTRACT_INVALID_STATE', 'CONTRACT_NOT_SIGNED', 'CONTRACT_MILESTONE_INVALID'] as const),
  ...(['DISPUTE_NOT_ALLOWED', 'DID_NOT_FOUND', 'DID_UPDATE_CONFLICT', 'CAPABILITY_INVALID'] as const),
  // Sizes, media types and a stopping node are the same for all endpoints: test/http.
  ...(['PAYLOAD_TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE', 'SERVICE_UNAVAILABLE'] as const),
];

describe('The codes of market, order, bid, lease and reputation endpoints', () => {
  const chain = new FakeChain();
  let node: TestNode;
  let seller: Person;
  let buyer: Person;
  let other: Person;

  before(async () => {
    node = await TestNode.start({
      parts: { settlement: chain, onChain: chain },
    });
    [seller, buyer, other] = [await node.rich(100_000), await node.rich(100_000), await node.person()];
  });
  // A write that the chain refused has used its nonce.
  beforeEach(async () => {
    for (const each of [seller, buyer, other]) each.nonce = (await each.wallet()).nextNonce;
  });
  after(() => node?.discard());

  const get = (path: string) => node.client.get(`/api/v1${path}`);
  const anonymous = (path: string) => node.client.keyed('svck_nobodys').get(`/api/v1${path}`);
  const wrong = { passphrase: 'not the passphrase' };
  const noDid = { did: 'did:svc:zNo' };
  const used = { nonce: 1 };

  /** Reads twice with a key that permits one read a minute. @returns the second reply */
  async function tooMany(path: string): Promise<Reply> {
    const headers = { 'X-Forwarded-For': '203.0.113.9' };
    const key = (await node.key({ scope: 'read', limits: { reads: 1, writes: 1 } })).key;
    const client = node.client.keyed(key).with(headers);
    expectStatus(await client.get(`/api/v1${path}`));
    return client.get(`/api/v1${path}`);
  }
  /** The chain reverts what the journal contains. */
  async function reverted(write: () => Promise<Reply>): Promise<Reply> {
    chain.verdict = 'reverted';
    return write().finally(() => {
      chain.verdict = 'confirmed';
    });
  }

  const paid = async (): Promise<Body> => buys(buyer, await publishes(seller));
  const delivered = async (): Promise<Body> => expectStatus(await onOrder(seller, await paid(), 'deliver'));
  const confirmed = async (): Promise<Body> => expectStatus(await onOrder(buyer, await delivered(), 'confirm'));
  const purchase = async (who: Person, offer: Body = {}, body: Body = {}) =>
    onListing(who, await publishes(seller, offer), 'purchase', body);

  const market: Producers = {
    INVALID_REQUEST: () => seller.write(infoPath, dataset({ title: undefined })),
    UNAUTHORIZED: () => anonymous('/markets/info'),
    FORBIDDEN: async () => onListing(other, await publishes(seller), 'pause'),
    NOT_FOUND: () => get('/markets/stocks'),
    METHOD_NOT_ALLOWED: () => node.client.delete('/api/v1/markets/info'),
    CONFLICT: async () => seller.write(infoPath, dataset({ listingId: (await publishes(seller)).listingId })),
    UNPROCESSABLE: () => seller.write(infoPath, dataset({ expiresAt: '2020-01-01T00:00:00Z' })),
    RATE_LIMITED: () => tooMany('/markets/info'),
    TRANSFER_NOT_ALLOWED: () => seller.write(infoPath, dataset(wrong)),
    LISTING_NOT_FOUND: () => get('/markets/info/lst-none'),
    async LISTING_NOT_ACTIVE() {
      const listing = await publishes(seller);
      expectStatus(await onListing(seller, listing, 'remove'));
      return onListing(seller, listing, 'pause');
    },
    DID_INVALID: () => seller.write(infoPath, dataset(noDid)),
  };

  const order: Producers = {
    INVALID_REQUEST: () => purchase(buyer, {}, { quantity: 0 }),
    UNAUTHORIZED: () => anonymous('/orders'),
    FORBIDDEN: async () => onOrder(other, await delivered(), 'confirm'),
    NOT_FOUND: () => get('/orders/ord-1/receipt'),
    METHOD_NOT_ALLOWED: () => node.client.delete('/api/v1/orders/ord-1'),
    CONFLICT: () => purchase(buyer, { pricing: { price: 10 } }, { expectedPrice: 9 }),
    UNPROCESSABLE: () => purchase(buyer, { pricing: { usagePrice: { unit: 'row', pricePerUnit: 1 } } }),
    RATE_LIMITED: () => tooMany('/orders'),
    INTERNAL_ERROR: () => reverted(() => purchase(buyer)),
    INSUFFICIENT_BALANCE: () => purchase(other),
    TRANSFER_NOT_ALLOWED: () => purchase(buyer, {}, wrong),
    LISTING_NOT_FOUND: () => onListing(buyer, { listingId: 'lst-none' }, 'purchase'),
    async LISTING_NOT_ACTIVE() {
      const listing = await publishes(seller);
      expectStatus(await onListing(seller, listing, 'pause'));
      return onListing(buyer, listing, 'purchase');
    },
    ORDER_NOT_FOUND: () => get('/orders/ord-none'),
    ORDER_INVALID_STATE: async () => onOrder(buyer, await paid(), 'confirm'),
    DID_INVALID: () => purchase(buyer, {}, noDid),
  };

  const tasksPath = '/api/v1/markets/tasks';
  const task = (more: Body = {}): Promise<Body> =>
    seller.does(tasksPath, { ...(taskListing.create.example as Body), ...more });
  const bids = (who: Person, { listingId }: Body, more: Body = {}) =>
    who.write(`${tasksPath}/${listingId}/bids`, { price: 40, approach: 'twice', ...more });
  const bid = async (listing: Body): Promise<Body> => expectStatus(await bids(buyer, listing), 201);
  const accepts = async (who: Person, { listingId }: Body, { bidId }: Body, more: Body = {}) =>
    who.write(`${tasksPath}/${listingId}/bids/${bidId}/actions/accept`, more);
  async function accepted(): Promise<Body> {
    const listing = await task();
    return { ...listing, ...expectStatus(await accepts(seller, listing, await bid(listing))) };
  }
  const onTask = (who: Person, { listingId, orderId }: Body, action: string, more: Body = {}) =>
    who.write(`${tasksPath}/${listingId}/actions/${action}`, { orderId, ...more });
  const work = { deliverables: [{ name: 'manual.pdf', uri: 'https://example.org/manual.pdf' }] };
  const bidding: Producers = {
    INVALID_REQUEST: async () => bids(buyer, await task(), { price: 0 }),
    UNAUTHORIZED: async () => anonymous(`/markets/tasks/${(await task()).listingId}/bids`),
    async FORBIDDEN() {
      const listing = await task();
      return accepts(other, listing, await bid(listing));
    },
    NOT_FOUND: async () => accepts(seller, await task(), { bidId: 'bid-none' }),
    METHOD_NOT_ALLOWED: async () => node.client.delete(`${tasksPath}/${(await task()).listingId}/bids`),
    async CONFLICT() {
      const listing = await task();
      return bids(buyer, listing, { bidId: (await bid(await task())).bidId });
    },
    async INTERNAL_ERROR() {
      const listing = await task();
      const made = await bid(listing);
      return reverted(() => accepts(seller, listing, made));
    },
    RATE_LIMITED: async () => tooMany(`/markets/tasks/${(await task()).listingId}/bids`),
    async INSUFFICIENT_BALANCE() {
      const listing = expectStatus(await other.write(tasksPath, taskListing.create.example as Body), 201);
      return accepts(other, listing, await bid(listing));
    },
    TRANSFER_NOT_ALLOWED: async () => bids(buyer, await task(), wrong),
    LISTING_NOT_FOUND: () => bids(buyer, { listingId: 'lst-none' }),
    async LISTING_NOT_ACTIVE() {
      const listing = await task();
      expectStatus(await onTask(seller, listing, 'pause'));
      return bids(buyer, listing);
    },
    BID_NOT_ALLOWED: async () => bids(seller, await task()),
    async ORDER_INVALID_STATE() {
      const listing = await task();
      const made = await bid(listing);
      expectStatus(await accepts(seller, listing, made));
      return accepts(seller, listing, made);
    },
    DID_INVALID: async () => bids(buyer, await task(), noDid),
  };
  const taskOrder: Producers = {
    SUBMISSION_NOT_ALLOWED: async () => onTask(seller, await accepted(), 'deliver', work),
    ORDER_INVALID_STATE: async () => onTask(seller, await accepted(), 'confirm', { approved: true }),
    ORDER_NOT_FOUND: async () => onTask(buyer, { ...(await task()), orderId: 'task-ord-none' }, 'deliver', work),
    FORBIDDEN: async () => onTask(other, await accepted(), 'confirm', { approved: true }),
  };

  const leased = async (budget = 10): Promise<Body> => lessor.leases(buyer, await lessor.publishes(seller), { budget });
  const starts = async (who: Person, body: Body = {}, offer: Body = {}) =>
    lessor.start(who, await lessor.publishes(seller, offer), { plan: { budget: 10 }, ...body });
  const lease: Producers = {
    INVALID_REQUEST: () => starts(buyer, { plan: undefined }),
    UNAUTHORIZED: () => anonymous('/markets/capabilities/leases'),
    FORBIDDEN: async () => lessor.act(other, await leased(), 'pause'),
    NOT_FOUND: () => get('/markets/capabilities/leases/lease-1/bill'),
    METHOD_NOT_ALLOWED: () => node.client.delete('/api/v1/markets/capabilities/leases/lease-1'),
    CONFLICT: () => starts(buyer, { expectedPrice: 999 }),
    UNPROCESSABLE: () => starts(buyer, { plan: { type: 'subscription' } }),
    RATE_LIMITED: () => tooMany('/markets/capabilities'),
    INTERNAL_ERROR: () => reverted(() => starts(buyer)),
    INSUFFICIENT_BALANCE: () => starts(other),
    TRANSFER_NOT_ALLOWED: () => starts(buyer, wrong),
    LISTING_NOT_FOUND: () => lessor.start(buyer, { listingId: 'lst-none' }, { plan: { budget: 10 } }),
    async LISTING_NOT_ACTIVE() {
      const listing = await lessor.publishes(seller);
      expectStatus(await seller.write(`/api/v1/markets/capabilities/${listing.listingId}/actions/pause`));
      return lessor.start(buyer, listing, { plan: { budget: 10 } });
    },
    DID_INVALID: () => starts(buyer, noDid),
    LEASE_NOT_FOUND: () => get('/markets/capabilities/leases/lease-none'),
    async LEASE_INVALID_STATE() {
      const made = await leased();
      await lessor.acts(buyer, made, 'pause');
      return lessor.act(buyer, made, 'pause');
    },
    async LEASE_QUOTA_EXCEEDED() {
      const listing = await lessor.publishes(seller, { quota: { maxCalls: 1, period: 'day' } });
      const made = await lessor.leases(buyer, listing, { budget: 10 });
      const call = { resource: '/v1/x', latency: 1, success: true };
      await lessor.acts(buyer, made, 'invoke', call);
      return lessor.act(buyer, made, 'invoke', call);
    },
  };

  const reviews = (who: Person, of: Person, body: Body) =>
    who.write(`/api/v1/reputations/${of.did}/reviews`, { target: of.did, dimension: 'social', score: 900, ...body });
  const reputation: Producers = {
    INVALID_REQUEST: async () => reviews(buyer, seller, { ref: (await confirmed()).orderId, score: 1001 }),
    UNAUTHORIZED: () => anonymous(`/reputations/${seller.did}`),
    FORBIDDEN: async () => reviews(buyer, buyer, { ref: (await confirmed()).orderId }),
    NOT_FOUND: () => get(`/reputations/${seller.did}/friends`),
    METHOD_NOT_ALLOWED: () => node.client.delete(`/api/v1/reputations/${seller.did}`),
    CONFLICT: async () => reviews(buyer, seller, { ref: (await confirmed()).orderId, ...used }),
    UNPROCESSABLE: async () => reviews(buyer, seller, { ref: (await paid()).orderId }),
    async RATE_LIMITED() {
      await confirmed();
      return tooMany(`/reputations/${seller.did}`);
    },
    TRANSFER_NOT_ALLOWED: async () => reviews(buyer, seller, { ref: (await confirmed()).orderId, ...wrong }),
    DID_INVALID: async () => reviews(buyer, seller, { ref: (await confirmed()).orderId, ...noDid }),
    REPUTATION_NOT_FOUND: () => get(`/reputations/${other.did}`),
    REPUTATION_INVALID: () => get('/reputations/did:svc:zNo'),
  };

  const groups: { readonly [group: string]: readonly [RegExp, Producers] } = {
    market: [/^\/api\/v1\/markets\//, market],
    order: [/^\/api\/v1\/(markets\/(info|tasks)|orders)(\/|$)/, order],
    bid: [/^\/api\/v1\/markets\/tasks\//, bidding],
    'task order': [/^\/api\/v1\/markets\/tasks\//, taskOrder],
    lease: [/^\/api\/v1\/markets\/capabilities(\/|$)/, lease],
    reputation: [/^\/api\/v1\/reputations\//, reputation],
  };

  for (const [group, [place, producers]] of Object.entries(groups)) {
    for (const [code, produce] of Object.entries(producers) as [Code, () => Promise<Reply>][]) {
      it(`${group}: ${code}`, async () => {
        const { instance } = expectProblem(await produce(), code);
        expect(instance).to.match(place);
      });
    }
  }

  it('are all of the table that do not belong to other endpoints', () => {
    const here = Object.values(groups).flatMap(([, producers]) => Object.keys(producers));
    expect([...new Set([...here, ...elsewhere])]).to.have.members(Object.keys(codes));
    expect(elsewhere.filter((code) => here.includes(code))).to.deep.equal([]);
  });
});

type Producers = { readonly [C in Code]?: () => Promise<Reply> };
