/**
 * Random sessions of several people over leases of every plan: no Token is created or lost, each escrow is paid out in full,
 * and without any requests the clock ends what is left.
 */
import { expect } from 'chai';
import fc from 'fast-check';
import type { JsonObject } from '../../src/core/canonical.js';
import type { Resource } from '../../src/machines/kernel/resource.js';
import { accruedAt, type LeaseContext } from '../../src/machines/lease/machine.js';
import { isLong } from '../support/long.js';
import { Bench, codeOf } from '../world/bench.js';
import { listing } from '../world/lease-story.js';

const hourMs = 3_600_000;

const offers: readonly JsonObject[] = [
  { pricing: { usagePrice: { unit: 'call', pricePerUnit: 7 } }, quota: { maxCalls: 5, period: 'day' } },
  { pricing: { price: 3 }, meteredBy: 'lessor', stock: 2 },
  { pricing: { subscriptionPrice: { period: 'day', price: 11 } } },
  { pricing: { usagePrice: { unit: 'hour', pricePerUnit: 2 } } },
  { pricing: { subscriptionPrice: { period: 'week', price: 0 } } },
];

const who = fc.constantFrom('ada', 'ben', 'cyd', 'dan');
const which = fc.nat(5);
const plan = fc.record(
  {
    type: fc.constantFrom('pay_per_use', 'credits', 'time_based', 'subscription'),
    budget: fc.integer({ min: 1, max: 60 }),
    periods: fc.integer({ min: 1, max: 4 }),
    maxUnitsPerCall: fc.integer({ min: 1, max: 4 }),
  },
  { requiredKeys: [] },
);
const command = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('create' as const), who, plan, offer: fc.nat(4), which }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('invoke' as const),
      who,
      which,
      units: fc.integer({ min: 1, max: 5 }),
      latency: fc.integer({ min: 0, max: 900 }),
      success: fc.boolean(),
    }),
  },
  fc.record({ do: fc.constantFrom('pause' as const, 'resume' as const, 'terminate' as const), who, which }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 40 }) }) },
  fc.record({ do: fc.constant('restart' as const) }),
);
type Command = typeof command extends fc.Arbitrary<infer T> ? T : never;

/** Ada owns the first two offers and Ben the others, so that half of the commands come from a party. */
const sellerOf = (offer: number): string => (offer < 2 ? 'ada' : 'ben');

type Lease = Resource<LeaseContext>;

class Session {
  private constructor(private bench: Bench) {}

  static async open(): Promise<Session> {
    const session = new Session(await Bench.open({}, { ada: 100, ben: 100, cyd: 100, dan: 100 }));
    for (const [i, offer] of offers.entries()) {
      await session.bench.ask(sellerOf(i), 'capability-listing', `lst-${i}`, 'create', { ...listing, ...offer });
    }
    return session;
  }

  get leases(): Lease[] {
    const names = Array.from({ length: 6 }, (_, i) => `lease-${i}`);
    const found = names.map((id) => this.bench.store.tables.snapshot('lease', id));
    return found.flatMap((each) => (each ? [each as unknown as Lease] : []));
  }

  async run(asked: Command): Promise<void> {
    if (asked.do === 'wait') return this.bench.world.advance(asked.hours * hourMs);
    if (asked.do === 'restart') {
      this.bench = await this.bench.restart();
      return;
    }
    const id = `lease-${asked.which}`;
    const before = this.bench.store.tables.journal.length;
    const result =
      asked.do === 'create'
        ? await this.bench.ask(
            asked.who,
            'lease',
            id,
            'create',
            { listingId: `lst-${asked.offer}`, plan: asked.plan },
            { ids: { escrow: `esc-${id}` } },
          )
        : await this.bench.ask(asked.who, 'lease', id, asked.do, this.#input(asked));
    const grown = this.bench.store.tables.journal.length - before;
    expect(grown, `${asked.do}: one entry or none`).to.equal(codeOf(result) === 'accepted' ? 1 : 0);
  }

  #input(asked: Command): JsonObject {
    return asked.do === 'invoke' ? { units: asked.units, latency: asked.latency, success: asked.success } : {};
  }

  /** Checked after every request. */
  async check(): Promise<void> {
    const { supply, fees, available, reserved, escrowed } = await this.bench.store.totals();
    expect(fees + available + reserved + escrowed, 'no Token is made or lost').to.equal(supply);
    let held = 0;
    for (const { id, state, context } of this.leases) {
      const { settled, amount, usage } = context;
      expect(settled !== null, `${id} is ${state}`).to.equal(state !== 'active' && state !== 'paused');
      if (settled) expect(settled.paid + settled.refunded, `${id}: paid and refunded`).to.equal(amount);
      else held += amount;
      expect(accruedAt(context, this.bench.world.now())).to.be.within(0, amount);
      expect(usage.succeeded).to.be.at.most(usage.calls);
    }
    expect(escrowed, 'what running leases hold').to.equal(held);
  }

  /** No further requests: deadlines pass, one after the other. */
  async rest(): Promise<void> {
    for (;;) {
      const [next] = await this.bench.store.due(Number.MAX_SAFE_INTEGER, 1);
      if (!next) return;
      await this.bench.world.advance(Math.max(0, next.at - this.bench.world.now()));
      const delivered = await this.bench.operate(next.kind, next.id, next.action);
      expect(codeOf(delivered), `${next.kind} ${next.action}`).to.equal('accepted');
      await this.check();
    }
  }

  async isOver(): Promise<void> {
    const { escrowed, reserved } = await this.bench.store.totals();
    expect([escrowed, reserved], 'no escrow is stranded').to.deep.equal([0, 0]);
    for (const { id, state } of this.leases) expect(state, id).to.be.oneOf(['exhausted', 'expired', 'terminated']);
    expect((await this.bench.audit()).flaw?.what).to.equal(undefined);
  }
}

describe('Leases, at random', () => {
  it('conserve Tokens, and strand no escrow', async () => {
    let ended = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(command, { minLength: 10, maxLength: 40, size: 'max' }), async (commands) => {
        const session = await Session.open();
        for (const each of commands) {
          await session.run(each);
          await session.check();
        }
        await session.rest();
        await session.isOver();
        ended += session.leases.length;
      }),
      { numRuns: isLong ? 300 : 25 },
    );
    expect(ended, 'sessions that lease something').to.be.greaterThan(25);
  });
});
