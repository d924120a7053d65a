/**
 * The lease's state machine (docs/reference/leases.md#lease-states).
 */

import { and, setup } from 'xstate';
import { dayMs } from '../../core/bounds.js';
import type { Leaf } from '../../core/leaf.js';
import type { Wrapped } from '../../core/sealing.js';
import { functionsFor } from '../kernel/machine-functions.js';
import type { MachineEvent, NoInput } from '../kernel/resource.js';
import { type Latencies, withLatency } from './latency.js';
import { isWithin, type Limit, type Spent, spend } from './quota.js';
import { isByTime, type LeaseTerms, type UsagePace } from './terms.js';

/** The newest recorded call. */
export interface LastCall {
  readonly recordedAt: number;
  readonly resource: string | null;
  readonly success: boolean;
  /** Milliseconds. */
  readonly latency: number | null;
  readonly units: number;
  /** Tokens charged for it. */
  readonly cost: number;
}

/** The usage, in space that does not grow with the number of calls. */
export interface Usage {
  readonly calls: number;
  readonly succeeded: number;
  readonly units: number;
  /** Tokens charged for calls; 0 if the lease is paid by time. */
  readonly charged: number;
  readonly last: LastCall | null;
  readonly latencies: Latencies;
  /** One element per limit of the quota. */
  readonly spent: readonly Spent[];
}

export interface LeaseContext extends LeaseTerms, UsagePace {
  readonly listingId: string;
  readonly lessee: string;
  readonly lessor: string;
  /** The party that records the lease's usage. */
  readonly meteredBy: 'lessee' | 'lessor';
  /** Whether it holds a unit of the listing's stock, until it ends. */
  readonly isFromStock: boolean;
  readonly limits: readonly Limit[];
  /** Null if there is nothing to pay. */
  readonly escrowId: string | null;
  /** What the lessee shows the lessor, wrapped for the lessor's key. */
  readonly credentialsEnvelope: Wrapped | null;
  readonly usage: Usage;
  /** The distribution of the escrow, and its time; null while the lease runs. */
  readonly settled: { readonly paid: number; readonly refunded: number; readonly at: number } | null;
}

export interface InvokeInput {
  readonly resource?: string | undefined;
  /** Milliseconds. */
  readonly latency?: number | undefined;
  readonly success?: boolean | undefined;
  readonly units?: number | undefined;
  /** Tokens that the caller expects it to charge. */
  readonly cost?: number | undefined;
}
type Reasoned = { readonly reason?: Leaf | undefined };

export type LeaseEvent =
  | MachineEvent<'invoke', InvokeInput>
  | MachineEvent<'pause', Reasoned>
  | MachineEvent<'resume', Reasoned>
  | MachineEvent<'terminate', Reasoned>
  | MachineEvent<'expire', NoInput>;

const unitsOf = ({ units = 1 }: InvokeInput): number => units;

/** Tokens charged including this call, at most the budget. */
const chargedWith = ({ type, price, amount, usage }: LeaseContext, call: InvokeInput): number =>
  isByTime(type) ? 0 : Math.min(amount, usage.charged + unitsOf(call) * price);

/** Tokens that the call charges. */
export const costOf = (context: LeaseContext, call: InvokeInput): number =>
  isByTime(context.type) ? 0 : chargedWith(context, call) - context.usage.charged;

export const usesUp = (context: LeaseContext, call: InvokeInput): boolean =>
  !isByTime(context.type) && chargedWith(context, call) >= context.amount;

const startedPeriods = ({ periods, periodMs, startedAt }: LeaseContext, time: number): number =>
  Math.min(periods ?? 0, Math.floor((time - startedAt) / (periodMs ?? 1)) + 1);

/** Tokens that the lessor has earned: for the calls, or for the periods that have started. */
export const accruedAt = (context: LeaseContext, time: number): number =>
  isByTime(context.type) ? startedPeriods(context, time) * context.price : context.usage.charged;

/**
 * Tokens due to a lessor who ends the lease. Of the last period only the days so far count, so that a lessor can't keep
 * a year's price for the first day.
 */
function dueToWhoEndsIt(context: LeaseContext, time: number): number {
  const accrued = accruedAt(context, time);
  if (!isByTime(context.type)) return accrued;
  const { price, periodMs, startedAt } = context;
  const startedDays = Math.floor((time - startedAt) / dayMs) + 1;
  const byDay = (BigInt(price) * BigInt(startedDays * dayMs)) / BigInt(periodMs ?? 1);
  return byDay < accrued ? Number(byDay) : accrued;
}

/** Tokens due to the lessor when a party or the clock ends the lease. */
export const dueAt = (context: LeaseContext, { signer, time }: { signer: string; time: number }): number =>
  signer === context.lessor ? dueToWhoEndsIt(context, time) : accruedAt(context, time);

const spentWith = (context: LeaseContext, event: MachineEvent<'invoke', InvokeInput>): Spent[] =>
  spend(context.limits, context.usage.spent, {
    sinceMs: event.time - context.startedAt,
    units: unitsOf(event.input),
  });

const settledAs = (context: LeaseContext, paid: number, at: number) => ({
  settled: { paid, refunded: context.amount - paid, at },
});

const { guardOn, change, changeOn } = functionsFor<LeaseContext, LeaseEvent>();

const definition = setup({
  types: { context: {} as LeaseContext, events: {} as LeaseEvent, input: {} as LeaseContext },
  guards: {
    isInTime: ({ context, event }) => event.time < context.endsAt,
    timeHasPassed: ({ context, event }) => event.time >= context.endsAt,
    isWithinACall: guardOn(['invoke'], ({ context, event }) => unitsOf(event.input) <= context.maxUnitsPerCall),
    isWithinTheQuota: guardOn(['invoke'], ({ context, event }) => isWithin(context.limits, spentWith(context, event))),
    costsAsStated: guardOn(
      ['invoke'],
      ({ context, event: { input } }) => input.cost === undefined || input.cost === costOf(context, input),
    ),
    usesUpTheBudget: guardOn(['invoke'], ({ context, event }) => usesUp(context, event.input)),
  },
  actions: {
    count: changeOn(['invoke'], { usage: 'with the call' }, ({ context, event }) => {
      const { usage } = context;
      const { latency, success = true, resource = null } = event.input;
      const units = unitsOf(event.input);
      const cost = costOf(context, event.input);
      return {
        usage: {
          calls: usage.calls + 1,
          succeeded: usage.succeeded + (success ? 1 : 0),
          units: usage.units + units,
          charged: usage.charged + cost,
          last: { recordedAt: event.time, resource, success, latency: latency ?? null, units, cost },
          latencies: latency === undefined ? usage.latencies : withLatency(usage.latencies, latency),
          spent: spentWith(context, event),
        },
      };
    }),
    /** Runs after `count`, if the call ends the lease. */
    settle: change({ settled: 'what has accrued is paid, the rest refunded' }, ({ context, event: { time } }) =>
      settledAs(context, accruedAt(context, time), time),
    ),
    settleTermination: change(
      { settled: 'what is due, by who ends it, is paid, the rest refunded' },
      ({ context, event }) => settledAs(context, dueAt(context, event), event.time),
    ),
  },
});

const countable = ['isInTime', 'isWithinACall', 'isWithinTheQuota', 'costsAsStated'] as const;

const ends = {
  terminate: { target: 'terminated', actions: 'settleTermination' },
  expire: { target: 'expired', guard: 'timeHasPassed', actions: 'settle' },
} as const;

export const leaseMachine = definition.createMachine({
  id: 'lease',
  context: ({ input }) => ({ ...input }),
  initial: 'active',
  states: {
    active: {
      on: {
        ...ends,
        invoke: [
          { target: 'exhausted', guard: and([...countable, 'usesUpTheBudget']), actions: ['count', 'settle'] },
          { guard: and([...countable]), actions: 'count' },
        ],
        pause: { target: 'paused', guard: 'isInTime' },
      },
    },
    paused: { on: { ...ends, resume: { target: 'active', guard: 'isInTime' } } },
    // The lessor has been paid; only the lease itself remains to be ended.
    exhausted: { on: { terminate: 'terminated' } },
    expired: { type: 'final' },
    terminated: { type: 'final' },
  },
});
