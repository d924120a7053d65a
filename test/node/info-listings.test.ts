/** Listings of the market of information over HTTP. The listings of the other markets share their machine. */
import { expect } from 'chai';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { capabilityListing } from '../../src/machines/lease/listing.js';
import { taskListing } from '../../src/machines/task-order/listing.js';
import { expectInvalid, expectProblem, expectStatus } from './support/answers.js';
import { dataset, infoPath, onListing, publishes } from './support/market.js';
import { TestNode } from './support/node.js';
import type { Person } from './support/person.js';

const hourMs = 3_600_000;

describe('listings', () => {
  let node: TestNode;
  let seller: Person;
  let buyer: Person;

  before(async () => {
    node = await TestNode.start();
    node.world.hold();
    [seller, buyer] = [await node.rich(), await node.rich()];
  });
  after(() => node.stop());

  const read = async (id: string) => expectStatus(await node.client.get(`${infoPath}/${id}`));

  it('are published with what was said, and what was not', async () => {
    const listing = await publishes(seller);
    expect(listing.listingId).to.match(/^lst-[0-9A-HJKMNP-TV-Z]{26}$/);
    const { eventHash, nonce, ...shown } = listing;
    expect(shown).to.deep.include({
      ...dataset(),
      id: listing.listingId,
      marketType: 'info',
      seller: seller.did,
      pricing: { currency: 'TOKEN', price: 25 },
      status: 'active',
      visibility: 'public',
      expiresAt: null,
      stats: { orders: 0, completedOrders: 0, averageRating: null, ratingCount: 0 },
      resourcePrev: eventHash,
    });
    expect(shown).not.to.have.any.keys('stock', 'bidding', 'package');
    expect(await read(listing.listingId)).to.deep.equal(shown);
  });

  it('are read in their own market only', async () => {
    const { listingId } = await publishes(seller);
    for (const market of ['tasks', 'capabilities']) {
      expectProblem(await node.client.get(`/api/v1/markets/${market}/${listingId}`), 'LISTING_NOT_FOUND');
      const path = `/api/v1/markets/${market}/${listingId}/actions/pause`;
      expectProblem(await seller.write(path), 'LISTING_NOT_FOUND');
    }
    expectProblem(await node.client.get(`${infoPath}/lst-none`), 'LISTING_NOT_FOUND');
  });

  it('have an id that no other market has', async () => {
    await publishes(seller, { listingId: 'lst-mine' });
    expectProblem(await seller.write(infoPath, dataset({ listingId: 'lst-mine' })), 'CONFLICT');
    for (const { route, create } of [taskListing, capabilityListing]) {
      const body = { ...create.example, listingId: 'lst-mine' };
      expectProblem(await buyer.write(`/api/v1${route.path}`, body), 'CONFLICT');
    }
    expectInvalid(await seller.write(infoPath, dataset({ listingId: 'mine' })), 'listingId');
  });

  it('of tasks and capabilities show their own members', async () => {
    const closesAt = node.world.now() + hourMs;
    const task = { ...taskListing.create.example, bidding: { closesAt, maxBids: 3 } };
    const published = expectStatus(await seller.write('/api/v1/markets/tasks', task), 201);
    expect(published).to.deep.include({
      marketType: 'task',
      taskType: 'translation',
      skills: ['japanese', 'english'],
      bidding: { closesAt, maxBids: 3, bidCount: 0, open: true, orderId: null },
    });
    const capability = { ...capabilityListing.create.example, meteredBy: 'lessor' };
    const offered = expectStatus(await seller.write('/api/v1/markets/capabilities', capability), 201);
    expect(offered).to.deep.include({ marketType: 'capability', capabilityType: 'transcription', meteredBy: 'lessor' });
  });

  it('of every market keep `metadata` as it came', async () => {
    const metadata = { station: 'Zürich', sensors: [{ id: 7 }], reviewed: null };
    for (const { route, create } of [infoListing, taskListing, capabilityListing]) {
      const path = `/api/v1${route.path}`;
      const { listingId } = expectStatus(await seller.write(path, { ...create.example, metadata }), 201);
      expect(expectStatus(await node.client.get(`${path}/${listingId}`)).metadata).to.deep.equal(metadata);
      const update = `${path}/${listingId}/actions/update`;
      expect(expectStatus(await seller.write(update, { title: 'Another' })).metadata).to.deep.equal(metadata);
      expect(expectStatus(await seller.write(update, { metadata: {} })).metadata).to.deep.equal({});
      expectInvalid(await seller.write(update, { metadata: 'none' }), 'metadata');
    }
  });

  it('of tasks close for bids with their timeline, else with their end', async () => {
    const at = node.world.now() + hourMs;
    const publish = async (more: object) =>
      expectStatus(await seller.write('/api/v1/markets/tasks', { ...taskListing.create.example, ...more }), 201);
    const iso = new Date(at).toISOString();
    expect((await publish({ timeline: { bidDeadline: iso } })).bidding.closesAt).to.equal(at);
    expect((await publish({ expiresAt: at })).bidding.closesAt).to.equal(at);
    expect((await publish({})).bidding).to.include({ closesAt: null, maxBids: 100 });
    const tooMany = { ...taskListing.create.example, bidding: { maxBids: 201 } };
    expectInvalid(await seller.write('/api/v1/markets/tasks', tooMany), 'bidding.maxBids');
  });

  for (const [name, pricing] of Object.entries<object>({
    'no price': { currency: 'TOKEN' },
    'two prices of a unit': { price: 5, budget: 5 },
    'a fixed price and a range': { price: 5, priceRange: { min: 1, max: 9 } },
    'a fraction': { price: 1.5 },
    'a negative price': { price: -1 },
    'a range upside down': { priceRange: { min: 5, max: 4 } },
    'another currency': { price: 5, currency: 'EUR' },
    'usage without a unit': { usagePrice: { pricePerUnit: 5 } },
    'a unit that no one sees': { usagePrice: { unit: ' \u200b', pricePerUnit: 5 } },
    'a type that no one sees': { price: 5, type: ' \u200b' },
    'a subscription for a while': { subscriptionPrice: { period: 'while', price: 5 } },
  })) {
    it(`with ${name} are INVALID_REQUEST`, async () => {
      const body = expectProblem(await seller.write(infoPath, dataset({ pricing })), 'INVALID_REQUEST');
      expect(body.errors[0].field).to.match(/^pricing/);
    });
  }

  for (const pricing of [
    { fixedPrice: 0, negotiable: true, type: 'fixed' },
    { amount: 7 },
    { priceRange: { min: 0, max: 9 } },
    { subscriptionPrice: { period: 'month', price: 5 }, usagePrice: { unit: 'call', pricePerUnit: 1 } },
  ]) {
    it(`may cost ${JSON.stringify(pricing)}`, async () => {
      expect((await publishes(seller, { pricing })).pricing).to.deep.equal({ currency: 'TOKEN', ...pricing });
    });
  }

  it('hold their bounds', async () => {
    const cases: [string, object][] = [
      ['title', { title: 'x'.repeat(201) }],
      ['title', { title: '' }],
      ['description', { description: 'x'.repeat(10_001) }],
      ['category', { category: 'x'.repeat(65) }],
      ['infoType', { infoType: '' }],
      ['tags', { tags: Array(33).fill('x') }],
      ['tags.0', { tags: ['x'.repeat(65)] }],
      ['stock', { stock: 0 }],
      ['visibility', { visibility: 'secret' }],
      ['expiresAt', { expiresAt: 'soon' }],
      ['license', { license: { text: 'x'.repeat(9_000) } }],
    ];
    for (const [field, more] of cases) expectInvalid(await seller.write(infoPath, dataset(more)), field);
    expectProblem(await seller.write(infoPath, dataset({ expiresAt: node.world.now() - 1 })), 'UNPROCESSABLE');
  });

  it('are paused and resumed by their seller', async () => {
    const listing = await publishes(seller);
    expectProblem(await onListing(buyer, listing, 'pause'), 'FORBIDDEN');
    expect(expectStatus(await onListing(seller, listing, 'pause')).status).to.equal('paused');
    expectProblem(await onListing(seller, listing, 'pause'), 'LISTING_NOT_ACTIVE');
    expectProblem(await onListing(buyer, listing, 'purchase'), 'LISTING_NOT_ACTIVE');
    expect(expectStatus(await onListing(seller, listing, 'resume')).status).to.equal('active');
    expectStatus(await onListing(buyer, listing, 'purchase'), 201);
  });

  it('are updated in part, also while they are paused', async () => {
    const listing = await publishes(seller, { stock: 5 });
    const license = { type: 'MIT' };
    const changed = { title: 'Another', pricing: { price: 30 }, stock: null, tags: [], license };
    const updated = expectStatus(await onListing(seller, listing, 'update', changed));
    expect(updated).to.deep.include({ title: 'Another', pricing: { currency: 'TOKEN', price: 30 }, tags: [], license });
    expect(updated).to.include({ description: listing.description });
    expect(updated).not.to.have.property('stock');
    expectStatus(await onListing(seller, listing, 'pause'));
    expect(expectStatus(await onListing(seller, listing, 'update', { stock: 2 }))).to.include({
      status: 'paused',
      stock: 2,
    });
    expectProblem(await onListing(seller, listing, 'update', { expiresAt: node.world.now() - 1 }), 'UNPROCESSABLE');
    const stale = { resourcePrev: listing.resourcePrev, title: 'x' };
    expectProblem(await onListing(seller, listing, 'update', stale), 'CONFLICT');
  });

  it('that are removed keep their id and their history', async () => {
    const listing = await publishes(seller, { listingId: 'lst-gone' });
    expectStatus(await onListing(seller, listing, 'remove'));
    expect(await read('lst-gone')).to.include({ status: 'removed', title: listing.title });
    for (const action of ['pause', 'resume', 'update', 'remove']) {
      expectProblem(await onListing(seller, listing, action), 'LISTING_NOT_ACTIVE');
    }
    expectProblem(await onListing(buyer, listing, 'purchase'), 'LISTING_NOT_ACTIVE');
    expectProblem(await seller.write(infoPath, dataset({ listingId: 'lst-gone' })), 'CONFLICT');
    const { events } = expectStatus(await node.client.get('/api/v1/events?resource=info-listing/lst-gone'));
    expect(events.map(({ event }: { event: { type: string } }) => event.type)).to.deep.equal([
      'listing.published',
      'listing.removed',
    ]);
  });

  it('expire when it is time, before the clock has noted it', async () => {
    const listing = await publishes(seller, { expiresAt: node.world.now() + hourMs });
    const paused = await publishes(seller, { expiresAt: node.world.now() + hourMs });
    expectStatus(await onListing(seller, paused, 'pause'));
    node.world.outrun(hourMs);
    for (const { listingId } of [listing, paused]) expect(await read(listingId)).to.include({ status: 'expired' });
    expectProblem(await onListing(buyer, listing, 'purchase'), 'LISTING_NOT_ACTIVE');
    for (const action of ['pause', 'update', 'remove']) {
      expectProblem(await onListing(seller, listing, action), 'LISTING_NOT_ACTIVE');
    }
    expectProblem(await onListing(seller, paused, 'resume'), 'LISTING_NOT_ACTIVE');
    expect((await read(listing.listingId)).permittedActions).to.deep.equal({});
  });

  it('that are private are there for their owner only', async () => {
    const listing = await publishes(seller, { visibility: 'private' });
    const path = `${infoPath}/${listing.listingId}`;
    const owner = await node.keyed({ scope: 'read', did: seller.did });
    const other = await node.keyed({ scope: 'read', did: buyer.did });
    expectStatus(await owner.get(path));
    for (const client of [node.client, other]) {
      expectProblem(await client.get(path), 'LISTING_NOT_FOUND');
      expectProblem(await client.get(`${path}/content`), 'LISTING_NOT_FOUND');
    }
    for (const action of ['purchase', 'pause', 'update', 'remove']) {
      expectProblem(await onListing(buyer, listing, action), 'LISTING_NOT_FOUND');
    }
    // Whatever else is wrong with the request, the answer is the same as for an unknown listing.
    for (const wrong of [{ nonce: 900 }, { passphrase: 'not the passphrase' }, { resourcePrev: 'a'.repeat(64) }]) {
      for (const id of [listing.listingId, 'lst-none']) {
        expectProblem(await buyer.write(`${infoPath}/${id}/actions/pause`, wrong), 'LISTING_NOT_FOUND');
      }
    }
    expectStatus(await onListing(seller, listing, 'update', { visibility: 'public' }));
    expectStatus(await node.client.get(path));
    expectStatus(await onListing(buyer, listing, 'purchase'), 201);
  });
});
