/**
 * The lease as callers see it (interface: CapabilityLeaseDetailResponse; decisions.md, Leases), and the schema of that.
 */
import type { Json, JsonObject } from '../kernel/canonical.js';
import type { Resource, Seen } from '../kernel/resource.js';
import * as a from '../kernel/shape.js';
import { percentileMs } from './latency.js';
import { accruedAt, type LeaseContext } from './machine.js';
import { isByTime, planTypes } from './terms.js';

export const statuses = ['active', 'paused', 'exhausted', 'expired', 'terminated'] as const;

function usageOf({ usage }: LeaseContext): JsonObject {
  return {
    calls: usage.calls,
    succeeded: usage.succeeded,
    failed: usage.calls - usage.succeeded,
    units: usage.units,
    last: usage.last as unknown as Json,
  };
}

const statsOf = ({ usage }: LeaseContext, cost: number): JsonObject => ({
  calls: usage.calls,
  successRate: usage.calls === 0 ? null : usage.succeeded / usage.calls,
  p50LatencyMs: percentileMs(usage.latencies, 50),
  p95LatencyMs: percentileMs(usage.latencies, 95),
  cost,
});

export function view(resource: Resource<LeaseContext>, { time }: Seen): JsonObject {
  const { id, state, context, lastHash, createdAt, updatedAt } = resource;
  const { settled, amount } = context;
  const accrued = settled ? settled.paid : accruedAt(context, time);
  return {
    leaseId: id,
    id,
    status: state,
    listingId: context.listingId,
    lessee: context.lessee,
    lessor: context.lessor,
    escrowId: context.escrowId,
    plan: {
      type: context.type,
      budget: isByTime(context.type) ? null : amount,
      periods: context.periods,
      maxUnitsPerCall: context.maxUnitsPerCall,
    },
    price: context.price,
    unit: context.unit,
    meteredBy: context.meteredBy,
    quota: context.limits.map(({ calls, units, periodMs }, i) => ({
      maxCalls: calls,
      maxUnits: units,
      periodMs,
      usedCalls: context.usage.spent[i]?.calls ?? 0,
      usedUnits: context.usage.spent[i]?.units ?? 0,
    })),
    amount,
    accrued,
    remaining: settled ? 0 : amount - accrued,
    paid: settled?.paid ?? 0,
    refunded: settled?.refunded ?? 0,
    usage: usageOf(context),
    stats: statsOf(context, accrued),
    startedAt: context.startedAt,
    endsAt: context.endsAt,
    endedAt: settled?.at ?? null,
    createdAt,
    updatedAt,
    resourcePrev: lastHash,
  };
}

const lastCall = a.object(
  {
    at: a.time,
    resource: a.described(a.nullable(a.text), 'As the call named it.'),
    success: a.flag,
    latencyMs: a.described(a.nullable({ type: 'number', minimum: 0 }), 'As the call stated it.'),
    units: a.count,
    cost: a.described(a.tokens, 'Tokens that it charged.'),
  },
  {},
);

const latencyMs = { type: ['number', 'null'], minimum: 0 } as const;

export const viewSchema = a.named(
  'Lease',
  a.object({
    leaseId: a.text,
    id: a.described(a.text, 'The same as `leaseId`.'),
    status: a.oneOf(...statuses),
    listingId: a.text,
    lessee: a.described(a.did, 'DID that uses and pays.'),
    lessor: a.described(a.did, 'DID that offers the capability and is paid.'),
    escrowId: a.described(a.nullable(a.text), 'The escrow with its Tokens; null where nothing is to be paid.'),
    plan: a.object({
      type: a.oneOf(...planTypes),
      budget: a.described(a.nullable(a.tokens), 'By use: Tokens that calls may charge in all.'),
      periods: a.described(a.nullable(a.count), 'By time: how many were paid for.'),
      maxUnitsPerCall: a.count,
    }),
    price: a.described(a.tokens, 'Tokens for a unit, or a period, as the listing said when the lease started.'),
    unit: a.described(a.text, 'What `price` is for.'),
    meteredBy: a.described(a.oneOf('lessee', 'lessor'), 'Who records calls.'),
    quota: a.list(
      a.object({
        maxCalls: a.nullable(a.count),
        maxUnits: a.nullable(a.count),
        periodMs: a.described(a.nullable(a.count), 'Counted from the start of the lease; null: over all of it.'),
        usedCalls: a.described(a.count, 'In the newest period with a call.'),
        usedUnits: a.count,
      }),
    ),
    amount: a.described(a.tokens, 'Tokens that the escrow was made with: the budget, or all periods.'),
    accrued: a.described(
      a.tokens,
      'Tokens that the lessor has earned: of the calls, or of the periods started by now.',
    ),
    remaining: a.described(a.tokens, 'Tokens that have not accrued; 0 once it is settled.'),
    paid: a.described(a.tokens, 'Tokens that the lessor was paid when it ended.'),
    refunded: a.described(a.tokens, 'Tokens that the lessee got back when it ended.'),
    usage: a.object({
      calls: a.count,
      succeeded: a.count,
      failed: a.count,
      units: a.count,
      last: a.described(a.nullable(lastCall), 'The newest call.'),
    }),
    stats: a.object({
      calls: a.count,
      successRate: a.described({ type: ['number', 'null'], minimum: 0, maximum: 1 }, 'Null before the first call.'),
      p50LatencyMs: a.described(latencyMs, 'At most a sixteenth off; null where no call stated a latency.'),
      p95LatencyMs: latencyMs,
      cost: a.described(a.tokens, 'The same as `accrued`.'),
    }),
    startedAt: a.time,
    endsAt: a.described(a.time, 'When the clock ends it.'),
    endedAt: a.described(a.nullable(a.time), 'When its Tokens were shared out.'),
    createdAt: a.time,
    updatedAt: a.time,
    resourcePrev: a.described(a.hash, 'Hash of its last event: what the next write sends as `resourcePrev`.'),
  }),
);
