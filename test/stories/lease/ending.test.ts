import { expect } from 'chai';
import { dayMs } from '../../../src/core/bounds.js';
import { Alarms } from '../../../src/projections/alarms.js';
import { byDay, LeaseStory } from '../../world/lease-story.js';

/** Runs the node's alarm clock for this long. */
async function clockRuns({ bench }: LeaseStory, ms: number): Promise<void> {
  const alarms = new Alarms({
    store: bench.store,
    world: bench.world,
    deliver: (alarm) => bench.system.execute({ ...alarm, input: {} }),
    log: () => {},
    bounds: { batch: 10, restMs: 3_600_000 },
  });
  alarms.start();
  await bench.world.advance(ms);
  await alarms.stop();
}

describe('lease: pause and resume', () => {
  for (const who of ['ada', 'ben']) {
    it(`by ${who === 'ada' ? 'the lessee' : 'the lessor'}: no calls in between`, async () => {
      const story = await LeaseStory.leased({ budget: 100 });
      await story.accepts(who, 'pause');
      story.is('paused');
      await story.refuses('ada', 'invoke', {}, 'LEASE_INVALID_STATE');
      await story.refuses(who, 'pause', {}, 'LEASE_INVALID_STATE');
      await story.accepts(who, 'resume');
      await story.refuses(who, 'resume', {}, 'LEASE_INVALID_STATE');
      await story.accepts('ada', 'invoke');
    });
  }

  it('are no one else’s', async () => {
    const story = await LeaseStory.leased({ budget: 100 });
    for (const action of ['pause', 'resume', 'terminate']) await story.refuses('cyd', action, {}, 'FORBIDDEN');
  });

  it('are too late once the time has passed', async () => {
    const story = await LeaseStory.leased({ budget: 100 });
    await story.bench.world.advance(30 * dayMs);
    await story.refuses('ada', 'pause', {}, 'LEASE_INVALID_STATE');
    const paused = await LeaseStory.leased({ budget: 100 });
    await paused.accepts('ada', 'pause');
    await paused.bench.world.advance(30 * dayMs);
    await paused.refuses('ada', 'resume', {}, 'LEASE_INVALID_STATE');
  });

  it('don’t stop what accrues by time', async () => {
    const story = await LeaseStory.leased({ periods: 3 }, { pricing: byDay });
    await story.accepts('ada', 'pause');
    await story.bench.world.advance(dayMs);
    story.is('paused', { accrued: 40, remaining: 20 });
  });
});

describe('lease: terminate', () => {
  for (const state of ['active', 'paused'] as const) {
    for (const who of ['ada', 'ben']) {
      it(`${state}, by ${who === 'ada' ? 'the lessee' : 'the lessor'}: what was used is paid, the rest goes back`, async () => {
        const story = await LeaseStory.leased({ budget: 100 });
        await story.accepts('ada', 'invoke', { units: 3 });
        if (state === 'paused') await story.accepts('ada', 'pause');
        const { entry } = await story.accepts(who, 'terminate');
        expect(entry.core.event.type).to.equal('lease.terminated');
        story.is('terminated', { accrued: 30, remaining: 0, released: 30, refunded: 70, endedAt: story.now });
        story.escrowIs('refunded');
        await story.has('ben', 30);
        await story.has('ada', 970);
        for (const action of ['invoke', 'pause', 'resume', 'terminate']) {
          await story.refuses('ada', action, {}, 'LEASE_INVALID_STATE');
        }
        await story.isSound();
      });
    }
  }

  it('unused: everything goes back', async () => {
    const story = await LeaseStory.leased({ budget: 100 });
    await story.accepts('ada', 'terminate');
    story.is('terminated', { released: 0, refunded: 100 });
    await story.has('ada', 1_000);
  });

  it('exhausted: there is nothing left to share', async () => {
    const story = await LeaseStory.leased({ budget: 10 });
    await story.accepts('ada', 'invoke');
    for (const action of ['pause', 'resume']) await story.refuses('ada', action, {}, 'LEASE_INVALID_STATE');
    const { entry } = await story.accepts('ada', 'terminate');
    expect(entry.core.moves).to.deep.equal([]);
    story.is('terminated', { released: 10, refunded: 0 });
    await story.has('ben', 10);
    await story.isSound();
  });

  for (const [what, passes, paid] of [
    ['at once: the first period has started', 0, 20],
    ['a moment before the second', dayMs - 1, 20],
    ['as the second starts', dayMs, 40],
    ['as the last starts', 2 * dayMs, 60],
    ['after the last, before the clock came by', 5 * dayMs, 60],
  ] as const) {
    it(`by time, ${what}`, async () => {
      const story = await LeaseStory.leased({ periods: 3 }, { pricing: byDay });
      await story.bench.world.advance(passes);
      await story.accepts('ada', 'terminate');
      story.is('terminated', { released: paid, refunded: 60 - paid });
      await story.has('ben', paid);
      await story.has('ada', 1_000 - paid);
    });
  }
});

describe('lease: terminated by its lessor', () => {
  const byYear = { subscriptionPrice: { period: 'year', price: 365 } };

  for (const [what, pricing, passes, paid] of [
    ['a year at once: a day of it', byYear, 0, 1],
    ['a year on its hundredth day', byYear, 99 * dayMs, 100],
    ['a year on the last of its days', byYear, 365 * dayMs - 1, 365],
    ['a year in its second', byYear, 365 * dayMs, 366],
    ['after all of it', byYear, 900 * dayMs, 730],
    ['days, which are paid whole', byDay, dayMs, 40],
    ['hours, no more of them than have started', { usagePrice: { unit: 'hour', pricePerUnit: 7 } }, 0, 7],
    ['a month at a price that does not divide', { subscriptionPrice: { period: 'month', price: 100 } }, 6 * dayMs, 23],
  ] as const) {
    it(`${what}: ${paid}`, async () => {
      const story = await LeaseStory.leased({ type: 'time_based', periods: 2 }, { pricing });
      const amount = Number(story.view().amount);
      await story.bench.world.advance(passes);
      await story.accepts('ben', 'terminate');
      story.is('terminated', { released: paid, refunded: amount - paid, accrued: paid });
      await story.has('ben', paid);
      await story.has('ada', 1_000 - paid);
      await story.isSound();
    });
  }

  it('the lessee pays the periods that have started', async () => {
    const story = await LeaseStory.leased({ periods: 2 }, { pricing: byYear });
    await story.accepts('ada', 'terminate');
    story.is('terminated', { released: 365, refunded: 365 });
  });
});

describe('lease: the clock', () => {
  it('ends one by use: what was used is paid, the rest goes back, in one entry', async () => {
    const story = await LeaseStory.open();
    await story.starts('ada', { budget: 100, endsAt: story.now + dayMs });
    await story.accepts('ada', 'invoke', { units: 2 });
    await clockRuns(story, dayMs + 1_000);
    story.is('expired', { released: 20, refunded: 80 });
    await story.has('ben', 20);
    await story.has('ada', 980);
    await story.refuses('ada', 'terminate', {}, 'LEASE_INVALID_STATE');
    await story.isSound();
  });

  it('ends one that is paused', async () => {
    const story = await LeaseStory.leased({ periods: 2 }, { pricing: byDay });
    await story.accepts('ben', 'pause');
    await clockRuns(story, 2 * dayMs + 1_000);
    story.is('expired', { released: 40, refunded: 0 });
    await story.has('ben', 40);
  });

  it('is not early', async () => {
    const story = await LeaseStory.leased({ budget: 100 });
    await story.bench.world.advance(30 * dayMs - 1);
    await story.clockRefuses('expire', 'LEASE_INVALID_STATE');
    await story.bench.world.advance(1);
    await story.clockAccepts('expire');
    story.is('expired', { refunded: 100 });
  });

  it('leaves one alone that is exhausted or terminated', async () => {
    const exhausted = await LeaseStory.leased({ budget: 10 });
    await exhausted.accepts('ada', 'invoke');
    const terminated = await LeaseStory.leased({ budget: 10 });
    await terminated.accepts('ada', 'terminate');
    for (const { bench } of [exhausted, terminated]) expect(bench.store.tables.alarms.size).to.equal(0);
  });

  it('is accepted from no one else', async () => {
    const story = await LeaseStory.leased({ budget: 100 });
    await story.bench.world.advance(30 * dayMs);
    await story.refuses('ada', 'expire', {}, 'FORBIDDEN');
  });
});
