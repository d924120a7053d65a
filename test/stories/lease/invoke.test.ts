import { expect } from 'chai';
import { dayMs } from '../../../src/core/bounds.js';
import type { JsonObject } from '../../../src/core/canonical.js';
import { byDay, LeaseStory } from '../../world/lease-story.js';

const hourMs = dayMs / 24;

describe('lease: invoke', () => {
  it('charges units × price, and moves nothing before the end', async () => {
    const story = await LeaseStory.leased({ budget: 100 });
    const { entry } = await story.accepts('ada', 'invoke', { units: 3, resource: '/v1/x', latency: 12.5 });
    expect(entry.core.moves).to.deep.equal([]);
    expect(entry.core.event.type).to.equal('lease.invoked');
    story.is('active', { accrued: 30, remaining: 70, released: 0 });
    const [last] = story.view().usage as readonly JsonObject[];
    expect(last).to.deep.equal({
      recordedAt: story.now,
      resource: '/v1/x',
      success: true,
      latency: 12.5,
      units: 3,
      cost: 30,
    });
    await story.has('ada', 900, 100);
  });

  it('counts calls, failures and latencies', async () => {
    const story = await LeaseStory.leased({ budget: 1_000 });
    for (const latency of [100, 20, 400]) await story.accepts('ada', 'invoke', { latency });
    await story.accepts('ada', 'invoke', { latency: 5, success: false });
    expect(story.view()).to.deep.include({
      stats: {
        ...{ calls: 4, succeeded: 3, failed: 1, units: 4, successRate: 0.75 },
        ...{ p50LatencyMs: 20, p95LatencyMs: 400 },
      },
    });
  });

  it('has no rates and latencies before the first call', async () => {
    const story = await LeaseStory.leased({ budget: 10 });
    const none = { calls: 0, succeeded: 0, failed: 0, units: 0 };
    const stats = { ...none, successRate: null, p50LatencyMs: null, p95LatencyMs: null };
    expect(story.view()).to.deep.include({ stats });
  });

  for (const [what, units] of [
    ['reaches', 3],
    ['passes', 8],
  ] as const) {
    it(`that ${what} the budget charges the rest, exhausts the lease and pays at once`, async () => {
      const story = await LeaseStory.leased({ budget: 100 });
      await story.accepts('ada', 'invoke', { units: 7 });
      const { entry } = await story.accepts('ada', 'invoke', { units });
      expect(entry.core.versions.map(({ kind, path }) => `${kind} ${path.join('>')}`)).to.deep.equal([
        'lease exhausted',
        'escrow released',
        'listing-stats current',
      ]);
      story.is('exhausted', { accrued: 100, remaining: 0, released: 100, refunded: 0, endedAt: story.now });
      await story.has('ben', 100);
      await story.has('ada', 900);
      await story.refuses('ada', 'invoke', {}, 'LEASE_INVALID_STATE');
      await story.isSound();
    });
  }

  it('never charges more than the budget, whatever units and price multiply to', async () => {
    const pricing = { usagePrice: { unit: 'call', pricePerUnit: Number.MAX_SAFE_INTEGER } };
    const story = await LeaseStory.leased({ budget: 999, maxUnitsPerCall: 1_000_000_000 }, { pricing });
    await story.accepts('ada', 'invoke', { units: 1_000_000_000 });
    story.is('exhausted', { released: 999, refunded: 0 });
    await story.has('ben', 999);
  });

  it('of a lease by time costs nothing', async () => {
    const story = await LeaseStory.leased({ periods: 2 }, { pricing: byDay });
    await story.accepts('ada', 'invoke', { units: 500 });
    story.is('active', { accrued: 20 });
  });

  it('is UNPROCESSABLE beyond the units of one call', async () => {
    const usual = await LeaseStory.leased({ budget: 1_000 });
    await usual.refuses('ada', 'invoke', { units: 1_001 }, 'UNPROCESSABLE');
    const own = await LeaseStory.leased({ budget: 1_000, maxUnitsPerCall: 2 });
    await own.refuses('ada', 'invoke', { units: 3 }, 'UNPROCESSABLE');
    await own.accepts('ada', 'invoke', { units: 2 });
  });

  for (const body of [
    { units: 0 },
    { units: 1.5 },
    { units: '1' },
    { latency: -1 },
    { latency: 3_600_001 },
    { success: 1 },
  ]) {
    it(`is INVALID_REQUEST with ${JSON.stringify(body)}`, async () => {
      const story = await LeaseStory.leased({ budget: 100 });
      await story.refuses('ada', 'invoke', body, 'INVALID_REQUEST');
    });
  }

  it('is the lessee’s to record', async () => {
    const story = await LeaseStory.leased({ budget: 100 });
    for (const who of ['ben', 'cyd']) await story.refuses(who, 'invoke', {}, 'FORBIDDEN');
  });

  it('is the lessor’s where the listing says so, and still paid by the lessee', async () => {
    const story = await LeaseStory.leased({ budget: 20, maxUnitsPerHour: 2 }, { meteredBy: 'lessor' });
    for (const who of ['ada', 'cyd']) await story.refuses(who, 'invoke', {}, 'FORBIDDEN');
    await story.accepts('ben', 'invoke', { units: 2 });
    story.is('exhausted');
    await story.has('ada', 980);
    await story.has('ben', 20);
  });

  it('of a lessor takes a tenth of the budget an hour, unless the plan says otherwise', async () => {
    const story = await LeaseStory.leased({ budget: 1_000 }, { meteredBy: 'lessor' });
    expect(story.view().plan).to.include({ maxUnitsPerCall: 10, maxUnitsPerHour: 10 });
    await story.refuses('ben', 'invoke', { units: 11 }, 'UNPROCESSABLE');
    await story.accepts('ben', 'invoke', { units: 9 });
    await story.refuses('ben', 'invoke', { units: 2 }, 'LEASE_QUOTA_EXCEEDED');
    await story.accepts('ben', 'invoke');
    await story.refuses('ben', 'invoke', {}, 'LEASE_QUOTA_EXCEEDED');
    await story.bench.world.advance(3_600_000);
    await story.accepts('ben', 'invoke', { units: 10 });
    story.is('active', { accrued: 200, remaining: 800 });
    await story.isSound();
  });

  for (const [plan, maxUnitsPerCall, maxUnitsPerHour] of [
    [{ budget: 10 }, 1, 1],
    [{ budget: 1_000, maxUnitsPerCall: 40 }, 40, 40],
    [{ budget: 1_000, maxUnitsPerCall: 4 }, 4, 10],
    [{ budget: 1_000, maxUnitsPerHour: 3 }, 3, 3],
    [{ budget: 1_000, maxUnitsPerHour: 5_000 }, 1_000, 5_000],
  ] as const) {
    it(`of a lessor: ${JSON.stringify(plan)} is ${maxUnitsPerCall} a call and ${maxUnitsPerHour} an hour`, async () => {
      const story = await LeaseStory.leased(plan, { meteredBy: 'lessor' });
      expect(story.view().plan).to.include({ maxUnitsPerCall, maxUnitsPerHour });
      await story.refuses('ben', 'invoke', { units: maxUnitsPerCall + 1 }, 'UNPROCESSABLE');
    });
  }

  it('of a lessee has a bound an hour if the plan names one, in addition to the listing’s quota', async () => {
    const free = await LeaseStory.leased({ budget: 100 });
    expect(free.view().plan).to.include({ maxUnitsPerCall: 1_000, maxUnitsPerHour: null });
    const quota = { maxUnits: 3 };
    const story = await LeaseStory.leased({ budget: 100, maxUnitsPerHour: 2 }, { quota });
    await story.refuses('ada', 'invoke', { units: 3 }, 'LEASE_QUOTA_EXCEEDED');
    await story.accepts('ada', 'invoke', { units: 2 });
    await story.refuses('ada', 'invoke', {}, 'LEASE_QUOTA_EXCEEDED');
    await story.bench.world.advance(3_600_000);
    await story.accepts('ada', 'invoke');
    await story.bench.world.advance(3_600_000);
    await story.refuses('ada', 'invoke', {}, 'LEASE_QUOTA_EXCEEDED');
  });

  it('is LEASE_INVALID_STATE once the time has passed, before the clock came by', async () => {
    const story = await LeaseStory.leased({ budget: 100 });
    await story.bench.world.advance(30 * dayMs);
    await story.refuses('ada', 'invoke', {}, 'LEASE_INVALID_STATE');
  });

  it('is LEASE_NOT_FOUND where there is none', async () => {
    const story = await LeaseStory.open();
    await story.refuses('ada', 'invoke', {}, 'LEASE_NOT_FOUND');
  });
});

describe('lease: quota', () => {
  it('over the whole lease', async () => {
    const story = await LeaseStory.leased({ budget: 1_000 }, { quota: { maxCalls: 2 } });
    await story.accepts('ada', 'invoke');
    await story.accepts('ada', 'invoke', { success: false });
    await story.bench.world.advance(dayMs);
    await story.refuses('ada', 'invoke', {}, 'LEASE_QUOTA_EXCEEDED');
    story.is('active', { accrued: 20 });
  });

  it('of units', async () => {
    const story = await LeaseStory.leased({ budget: 1_000 }, { quota: { maxUnits: 5 } });
    await story.accepts('ada', 'invoke', { units: 4 });
    await story.refuses('ada', 'invoke', { units: 2 }, 'LEASE_QUOTA_EXCEEDED');
    await story.accepts('ada', 'invoke', { units: 1 });
  });

  it('of each period, counted from the start of the lease', async () => {
    const story = await LeaseStory.leased({ budget: 1_000 }, { quota: { maxCalls: 1, period: 'hour' } });
    await story.accepts('ada', 'invoke');
    await story.bench.world.advance(hourMs - 1);
    await story.refuses('ada', 'invoke', {}, 'LEASE_QUOTA_EXCEEDED');
    await story.bench.world.advance(1);
    await story.accepts('ada', 'invoke');
    await story.refuses('ada', 'invoke', {}, 'LEASE_QUOTA_EXCEEDED');
  });

  it('of several limits at once', async () => {
    const limits = [
      { maxCalls: 2, period: 'hour' },
      { maxCalls: 3, period: 'day' },
    ];
    const story = await LeaseStory.leased({ budget: 1_000 }, { quota: { limits } });
    for (let n = 0; n < 2; n++) await story.accepts('ada', 'invoke');
    await story.refuses('ada', 'invoke', {}, 'LEASE_QUOTA_EXCEEDED');
    await story.bench.world.advance(hourMs);
    await story.accepts('ada', 'invoke');
    await story.bench.world.advance(hourMs);
    await story.refuses('ada', 'invoke', {}, 'LEASE_QUOTA_EXCEEDED');
    await story.bench.world.advance(22 * hourMs);
    await story.accepts('ada', 'invoke');
    expect(story.view().quota).to.deep.equal([
      { maxCalls: 2, maxUnits: null, periodMs: hourMs, usedCalls: 1, usedUnits: 1 },
      { maxCalls: 3, maxUnits: null, periodMs: dayMs, usedCalls: 1, usedUnits: 1 },
    ]);
  });

  it('holds for leases by time as well', async () => {
    const story = await LeaseStory.leased({}, { pricing: byDay, quota: { maxCalls: 1 } });
    await story.accepts('ada', 'invoke');
    await story.refuses('ada', 'invoke', {}, 'LEASE_QUOTA_EXCEEDED');
  });

  for (const quota of [
    { maxCalls: -1 },
    { maxCalls: 'many' },
    { maxCalls: 1, period: 'fortnight' },
    { limits: [1] },
    { limits: Array.from({ length: 9 }, () => ({ maxCalls: 1 })) },
  ]) {
    it(`that could not be enforced is INVALID_REQUEST: ${JSON.stringify(quota).slice(0, 50)}`, async () => {
      const story = await LeaseStory.open();
      const result = await story.bench.ask('ben', 'capability-listing', 'lst-story', 'update', { quota });
      expect(result).to.include({ code: 'INVALID_REQUEST' });
    });
  }
});
