/**
 * The lease as callers see it (docs/reference/leases.md#lease-states), and its schema.
 */
import { publicForm, resourceForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import { envelopeSchema } from '../info-order/sealed.js';
import type { Seen } from '../kernel/definition.js';
import type { Resource } from '../kernel/resource.js';
import { versionFields } from '../kernel/version-fields.js';
import { percentileMs } from './latency.js';
import { accruedAt, type LeaseContext } from './machine.js';
import { isByTime, planTypes } from './terms.js';

export const statuses = ['active', 'paused', 'exhausted', 'expired', 'terminated'] as const;

/** Tokens that the lessor has earned by this time. */
const accruedBy = ({ context }: Resource<LeaseContext>, { time }: Seen): number =>
  context.settled ? context.settled.paid : accruedAt(context, time);

const plan = publicForm<LeaseContext>({
  type: a.described(a.oneOf(...planTypes), 'How it is paid.'),
  budget: [
    a.nullable(a.tokens, 'Paid by use: Tokens that all calls together may charge.'),
    ({ type, amount }) => (isByTime(type) ? null : amount),
  ],
  periods: a.nullable(a.count, 'By time: how many were paid for.'),
  maxUnitsPerCall: a.described(a.count, 'The most units of one call.'),
  maxUnitsPerHour: a.nullable(
    a.count,
    'Units that calls may use within an hour, counted from the start: one more limit of `quota`. Null: no such limit.',
  ),
});

const limit = publicForm<LeaseContext['limits'][number], LeaseContext['usage']['spent'][number] | undefined>({
  maxCalls: [a.nullable(a.count, 'The most calls; null: no limit.'), ({ calls }) => calls],
  maxUnits: [a.nullable(a.count, 'The most units; null: no limit.'), ({ units }) => units],
  periodMs: a.nullable(a.count, 'Counted from the start of the lease; null: over all of it.'),
  usedCalls: [a.described(a.count, 'In the newest period with a call.'), (_, spent) => spent?.calls ?? 0],
  usedUnits: [a.described(a.count, 'The same for units.'), (_, spent) => spent?.units ?? 0],
});

export const usageSchema = a.named(
  'LeaseUsage',
  a.object({
    resource: a.nullable(a.text, 'As the call stated it.'),
    success: a.described(a.flag, 'Whether it succeeded.'),
    latency: a.nullable({ type: 'number', minimum: 0 }, 'Milliseconds, as the call stated them.'),
    units: a.described(a.count, 'Units that it used.'),
    cost: a.described(a.tokens, 'Tokens that it charged.'),
    recordedAt: a.described(a.time, 'When it was recorded; epoch milliseconds.'),
  }),
);

const latencyMs = { type: ['number', 'null'], minimum: 0 } as const;

const stats = publicForm<LeaseContext['usage']>({
  calls: a.described(a.count, 'Calls recorded.'),
  succeeded: a.described(a.count, 'Of these, those that succeeded.'),
  failed: [a.described(a.count, 'Of these, those that failed.'), ({ calls, succeeded }) => calls - succeeded],
  units: a.described(a.count, 'Units used.'),
  successRate: [
    a.described({ type: ['number', 'null'], minimum: 0, maximum: 1 }, 'Null before the first call.'),
    ({ calls, succeeded }) => (calls === 0 ? null : succeeded / calls),
  ],
  p50LatencyMs: [
    a.described(latencyMs, 'At most a sixteenth off; null if no call stated a latency.'),
    ({ latencies }) => percentileMs(latencies, 50),
  ],
  p95LatencyMs: [
    a.described(latencyMs, 'The latency that 95 percent of calls do not exceed.'),
    ({ latencies }) => percentileMs(latencies, 95),
  ],
});

const form = resourceForm<Resource<LeaseContext>, Seen>({
  leaseId: [a.described(a.text, 'Id of the lease.'), ({ id }) => id],
  id: [a.described(a.text, 'The same as `leaseId`.'), ({ id }) => id],
  status: [a.described(a.oneOf(...statuses), 'State of the lease.'), ({ state }) => state],
  listingId: a.described(a.text, 'The listing that was leased.'),
  lessee: a.described(a.did, 'DID that uses and pays.'),
  lessor: a.described(a.did, 'DID that offers the capability and is paid.'),
  escrowId: a.nullable(a.text, 'The escrow with its Tokens; null if there is nothing to pay.'),
  credentialsEnvelope: a.nullable(
    envelopeSchema,
    'The lessee’s credentials as JSON, encrypted for the lessor; null if not given.',
  ),
  plan: [a.described(plan.schema, 'The plan of the lease.'), ({ context }) => plan.view(context, undefined)],
  unitPrice: [
    a.described(a.tokens, 'Tokens for a unit, or a period, as the listing said when the lease started.'),
    ({ context }) => context.price,
  ],
  unit: a.described(a.text, 'What `unitPrice` is for.'),
  meteredBy: a.described(a.oneOf('lessee', 'lessor'), 'Who records calls.'),
  quota: [
    a.described(a.list(limit.schema), 'The limits of the lease, and how much of them is used.'),
    ({ context }) => context.limits.map((each, i) => limit.view(each, context.usage.spent[i])),
  ],
  amount: a.described(a.tokens, 'Tokens that the escrow began with: the budget, or the price of all periods.'),
  accrued: [
    a.described(a.tokens, 'Tokens that the lessor has earned so far, for calls or for periods that have started.'),
    accruedBy,
  ],
  remaining: [
    a.described(a.tokens, 'Tokens that have not accrued; 0 once the lease has ended and paid.'),
    (lease, options) => (lease.context.settled ? 0 : lease.context.amount - accruedBy(lease, options)),
  ],
  released: [
    a.described(a.tokens, 'Tokens that the lessor was paid when it ended.'),
    ({ context }) => context.settled?.paid ?? 0,
  ],
  refunded: [
    a.described(a.tokens, 'Tokens that the lessee got back when it ended.'),
    ({ context }) => context.settled?.refunded ?? 0,
  ],
  usage: [
    a.described(
      a.list(usageSchema),
      'The newest call; earlier ones are in the history of the lease (getMachineHistory).',
    ),
    ({ context: { usage } }) => (usage.last ? [usage.last] : []),
  ],
  stats: [a.described(stats.schema, 'Figures of its calls.'), ({ context }) => stats.view(context.usage)],
  startedAt: a.described(a.time, 'When it began; epoch milliseconds.'),
  endsAt: a.described(a.time, 'When the clock ends the lease.'),
  endedAt: [a.nullable(a.time, 'When its Tokens were divided.'), ({ context }) => context.settled?.at ?? null],
  ...versionFields,
});

export const { view } = form;
export const viewSchema = a.named('Lease', form.schema);
