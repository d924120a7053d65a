import { expect } from 'chai';
import { dayMs } from '../../../src/core/bounds.js';
import { byDay, LeaseStory } from '../../world/lease-story.js';
import { ada, ben } from '../../world/people.js';

describe('lease: start', () => {
  it('moves the budget into its own escrow, in one entry', async () => {
    const story = await LeaseStory.open();
    const started = await story.starts('ada', { budget: 100 });
    expect(LeaseStory.wrote(started)).to.deep.equal([
      'lease active',
      'escrow created.open>funded',
      'listing-stats current',
    ]);
    expect(started.entry.core.event.type).to.equal('lease.started');
    const { context } = story.bench.store.tables.snapshot('escrow', 'esc-lease-story')!;
    expect(context).to.include({ depositor: ada, beneficiary: ben, amount: 100, revocable: false });
    expect(context.purpose).to.deep.equal({ kind: 'lease', id: 'lease-story' });
    await story.has('ada', 900, 100);
    story.is('active', { lessee: ada, lessor: ben, listingId: 'lst-story', unitPrice: 10, unit: 'call', amount: 100 });
  });

  it('has 30 days if the plan names no end, and its own end if it does', async () => {
    const story = await LeaseStory.leased({ budget: 100 });
    expect(story.view().endsAt).to.equal(story.now + 30 * dayMs);
    await story.starts('ada', { budget: 100, endsAt: story.now + dayMs }, {}, 'lease-short');
    expect(story.bench.store.tables.snapshot('lease', 'lease-short')!.context.endsAt).to.equal(story.now + dayMs);
  });

  for (const [what, pricing, plan, comesTo] of [
    ['credits', {}, { type: 'credits', budget: 100 }, { amount: 100, unitPrice: 10, type: 'credits' }],
    ['a subscription', { pricing: byDay }, { periods: 3 }, { amount: 60, unitPrice: 20, type: 'subscription' }],
    ['one period of it', { pricing: byDay }, {}, { amount: 20, unitPrice: 20, type: 'subscription' }],
    [
      'time, at the price of a subscription',
      { pricing: byDay },
      { type: 'time_based', periods: 2 },
      { amount: 40, unitPrice: 20, type: 'time_based' },
    ],
    [
      'time, at the price of a unit that is one',
      { pricing: { usagePrice: { unit: 'hour', pricePerUnit: 3 } } },
      { type: 'time_based', periods: 5 },
      { amount: 15, unitPrice: 3, type: 'time_based' },
    ],
    [
      'units at a fixed price',
      { pricing: { type: 'credits', price: 7 } },
      { budget: 70 },
      { amount: 70, unitPrice: 7, type: 'credits' },
    ],
    [
      'units at a price within a range',
      { pricing: { priceRange: { min: 2, max: 5 } } },
      { budget: 70, unitPrice: 5 },
      { amount: 70, unitPrice: 5, type: 'pay_per_use' },
    ],
  ] as const) {
    it(`of ${what}`, async () => {
      const story = await LeaseStory.leased(plan, pricing);
      const {
        plan: made,
        amount,
        unitPrice,
      } = story.view() as { plan: { type: string }; amount: number; unitPrice: number };
      expect({ amount, unitPrice, type: made.type }).to.deep.equal(comesTo);
      await story.has('ada', 1_000 - comesTo.amount, comesTo.amount);
    });
  }

  it('of what is free by time makes no escrow', async () => {
    const story = await LeaseStory.leased({}, { pricing: { subscriptionPrice: { period: 'week', price: 0 } } });
    story.is('active', { amount: 0, escrowId: null });
    await story.bench.world.advance(7 * dayMs);
    await story.clockAccepts('expire');
    story.is('expired', { released: 0, refunded: 0 });
    await story.isSound();
  });

  it('keeps the price and the quota of that day', async () => {
    const story = await LeaseStory.leased({ budget: 100 }, { quota: { maxCalls: 2 } });
    await story.listing('ben', 'update', { pricing: { usagePrice: { unit: 'call', pricePerUnit: 50 } }, quota: {} });
    await story.accepts('ada', 'invoke');
    story.is('active', { accrued: 10 });
    await story.accepts('ada', 'invoke');
    await story.refuses('ada', 'invoke', {}, 'LEASE_QUOTA_EXCEEDED');
  });

  it('continues when the listing is removed', async () => {
    const story = await LeaseStory.leased({ budget: 100 });
    await story.listing('ben', 'remove');
    await story.accepts('ada', 'invoke');
    await story.accepts('ada', 'terminate');
    await story.has('ben', 10);
  });

  it('counts as an order of the listing', async () => {
    const story = await LeaseStory.leased({ budget: 100 });
    const { context } = story.bench.store.tables.snapshot('listing-stats', 'lst-story')!;
    expect(context).to.include({ orders: 1, completedOrders: 0 });
    await story.accepts('ada', 'terminate');
    const after = story.bench.store.tables.snapshot('listing-stats', 'lst-story')!;
    expect(after.context).to.include({ orders: 1, completedOrders: 1 });
  });

  it('takes one of the stock; the last pauses the listing', async () => {
    const story = await LeaseStory.leased({ budget: 10 }, { stock: 2 });
    await story.starts('ada', { budget: 10 }, {}, 'lease-2');
    await story.refuses('ada', 'create', { listingId: 'lst-story', plan: { budget: 10 } }, 'LISTING_NOT_ACTIVE', {
      ids: { escrow: 'esc-3' },
    });
  });
});

describe('lease: a start that is refused', () => {
  it('of one’s own capability: FORBIDDEN', async () => {
    const story = await LeaseStory.open();
    await story.refusesToStart('ben', { budget: 10 }, 'FORBIDDEN');
  });

  it('of no listing, or of another’s private one: LISTING_NOT_FOUND', async () => {
    const story = await LeaseStory.open({ visibility: 'private' });
    await story.refusesToStart('ada', { budget: 10 }, 'LISTING_NOT_FOUND');
    await story.refusesToStart('ada', { budget: 10 }, 'LISTING_NOT_FOUND', { listingId: 'lst-none' });
  });

  for (const action of ['pause', 'remove']) {
    it(`after ${action}: LISTING_NOT_ACTIVE`, async () => {
      const story = await LeaseStory.open();
      await story.listing('ben', action);
      await story.refusesToStart('ada', { budget: 10 }, 'LISTING_NOT_ACTIVE');
    });
  }

  it('after the listing’s end, before the clock came by: LISTING_NOT_ACTIVE', async () => {
    const story = await LeaseStory.open({ expiresAt: '2030-01-01T00:00:00Z' });
    await story.bench.world.advance(Date.UTC(2030, 0, 1) - story.now);
    await story.refusesToStart('ada', { budget: 10 }, 'LISTING_NOT_ACTIVE');
  });

  it('without the funds: INSUFFICIENT_BALANCE', async () => {
    const story = await LeaseStory.open();
    await story.refusesToStart('ada', { budget: 1_001 }, 'INSUFFICIENT_BALANCE');
  });

  it('at another price than was expected: CONFLICT', async () => {
    const story = await LeaseStory.open();
    await story.refusesToStart('ada', { budget: 10 }, 'CONFLICT', { expectedPrice: 9 });
    await story.starts('ada', { budget: 10 }, { expectedPrice: 10 });
  });

  it('within an hour of a new price, without saying that it was seen: CONFLICT', async () => {
    const story = await LeaseStory.open();
    await story.listing('ben', 'update', { pricing: { usagePrice: { unit: 'call', pricePerUnit: 200 } } });
    await story.refusesToStart('ada', { budget: 400 }, 'CONFLICT');
    await story.starts('ada', { budget: 400 }, { expectedPrice: 200 }, 'lease-seen');
    await story.listing('ben', 'update', { title: 'Speech to text, better' });
    await story.bench.world.advance(3_600_000);
    await story.starts('ada', { budget: 400 });
  });

  for (const [what, code, plan, pricing] of [
    ['without a budget', 'INVALID_REQUEST', {}, {}],
    ['with a budget of nothing', 'INVALID_REQUEST', { budget: 0 }, {}],
    ['with a type that there is not', 'INVALID_REQUEST', { type: 'barter', budget: 5 }, {}],
    ['with an end in the past', 'UNPROCESSABLE', { budget: 5, endsAt: '2001-01-01T00:00:00Z' }, {}],
    ['with an end in a century', 'UNPROCESSABLE', { budget: 5, endsAt: '2130-01-01T00:00:00Z' }, {}],
    ['by time, where calls are priced', 'UNPROCESSABLE', { type: 'subscription' }, {}],
    ['by use, where time is priced', 'UNPROCESSABLE', { type: 'pay_per_use', budget: 5 }, { pricing: byDay }],
    [
      'as another type than is offered',
      'UNPROCESSABLE',
      { type: 'credits', budget: 5 },
      { pricing: { type: 'pay_per_use', price: 1 } },
    ],
    ['of no periods', 'INVALID_REQUEST', { periods: 0 }, { pricing: byDay }],
    [
      'of more years than ten',
      'UNPROCESSABLE',
      { periods: 999 },
      { pricing: { subscriptionPrice: { period: 'year', price: 1 } } },
    ],
    [
      'that costs more Tokens than there can be',
      'INVALID_REQUEST',
      { periods: 2 },
      { pricing: { subscriptionPrice: { period: 'day', price: Number.MAX_SAFE_INTEGER } } },
    ],
    ['without a price in a range', 'INVALID_REQUEST', { budget: 5 }, { pricing: { priceRange: { min: 2, max: 5 } } }],
    [
      'at a price out of the range',
      'UNPROCESSABLE',
      { budget: 5, unitPrice: 6 },
      { pricing: { priceRange: { min: 2, max: 5 } } },
    ],
  ] as const) {
    it(`${what}: ${code}`, async () => {
      const story = await LeaseStory.open(pricing);
      await story.refusesToStart('ada', plan, code);
    });
  }

  it('under an id that is taken: CONFLICT', async () => {
    const story = await LeaseStory.leased({ budget: 10 });
    await story.refuses('ada', 'create', { listingId: 'lst-story', plan: { budget: 5 } }, 'CONFLICT', {
      ids: { escrow: 'esc-2' },
    });
  });
});
