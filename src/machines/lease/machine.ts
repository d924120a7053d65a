/**
 * The lease's state machine (docs/reference/leases.md#lease-states).
 */
import { and, setup } from 'xstate';
import type { MachineEvent } from '../kernel/definition.js';
import { type Latencies, withLatency } from './latency.js';
import { isWithin, type Limit, type Spent, spend } from './quota.js';
import { isByTime, type Pace, type Terms } from './terms.js';

/** The newest call, as it was recorded. */
export interface LastCall {
  readonly at: number;
  readonly resource: string | null;
  readonly success: boolean;
  readonly latencyMs: number | null;
  readonly units: number;
  /** Tokens that it charged. */
  readonly cost: number;
}

/** What was used, in a space that does not grow with the number of calls. */
export interface Usage {
  readonly calls: number;
  readonly succeeded: number;
  readonly units: number;
  /** Tokens that calls have charged; 0 where the lease is paid by time. */
  readonly charged: number;
  readonly last: LastCall | null;
  readonly latencies: Latencies;
  /** By limit of the quota. */
  readonly spent: readonly Spent[];
}

export interface LeaseContext extends Terms, Pace {
  readonly listingId: string;
  readonly lessee: string;
  readonly lessor: string;
  /** Whose word counts for what was used. */
  readonly meteredBy: 'lessee' | 'lessor';
  readonly limits: readonly Limit[];
  /** Null where nothing is to be paid. */
  readonly escrowId: string | null;
  readonly usage: Usage;
  /** How the escrow was shared, and when; null while the lease goes on. */
  readonly settled: { readonly paid: number; readonly refunded: number; readonly at: number } | null;
}

export interface Call {
  readonly resource?: string | undefined;
  /** Milliseconds. */
  readonly latency?: number | undefined;
  readonly success?: boolean | undefined;
  readonly units?: number | undefined;
}
type Nothing = Record<never, never>;
type Reasoned = { readonly reason?: string | undefined };

export type LeaseEvent =
  | MachineEvent<'invoke', Call>
  | MachineEvent<'pause', Reasoned>
  | MachineEvent<'resume', Reasoned>
  | MachineEvent<'terminate', Reasoned>
  | MachineEvent<'expire', Nothing>;

const unitsOf = ({ units = 1 }: Call): number => units;

/** Tokens that calls have charged once this one is counted: the budget at most. */
const chargedWith = ({ type, price, amount, usage }: LeaseContext, call: Call): number =>
  isByTime(type) ? 0 : Math.min(amount, usage.charged + unitsOf(call) * price);

/** Whether a call reaches or passes the budget. */
export const usesUp = (context: LeaseContext, call: Call): boolean =>
  !isByTime(context.type) && chargedWith(context, call) >= context.amount;

const startedPeriods = ({ periods, periodMs, startedAt }: LeaseContext, time: number): number =>
  Math.min(periods ?? 0, Math.floor((time - startedAt) / (periodMs ?? 1)) + 1);

/** Tokens that the lessor has earned by now: of the calls, or of the periods that have started. */
export const accruedAt = (context: LeaseContext, time: number): number =>
  isByTime(context.type) ? startedPeriods(context, time) * context.price : context.usage.charged;

const dayMs = 86_400_000;

/**
 * Tokens that the lessor is due where it ends the lease: of periods that have started, what has accrued to the day, so
 * that nobody keeps a year's price for the first of its days.
 */
function dueToWhoEndsIt(context: LeaseContext, time: number): number {
  const accrued = accruedAt(context, time);
  if (!isByTime(context.type)) return accrued;
  const { price, periodMs, startedAt } = context;
  const startedDays = Math.floor((time - startedAt) / dayMs) + 1;
  const byDay = (BigInt(price) * BigInt(startedDays * dayMs)) / BigInt(periodMs ?? 1);
  return byDay < accrued ? Number(byDay) : accrued;
}

/** Tokens that go to the lessor when somebody, or the clock, ends the lease. */
export const dueAt = (context: LeaseContext, { signer, time }: { signer: string; time: number }): number =>
  signer === context.lessor ? dueToWhoEndsIt(context, time) : accruedAt(context, time);

const spentWith = (context: LeaseContext, event: MachineEvent<'invoke', Call>): Spent[] =>
  spend(context.limits, context.usage.spent, {
    sinceMs: event.time - context.startedAt,
    units: unitsOf(event.input),
  });

const definition = setup({
  types: { context: {} as LeaseContext, events: {} as LeaseEvent, input: {} as LeaseContext },
  guards: {
    isInTime: ({ context, event }) => event.time < context.endsAt,
    timeHasPassed: ({ context, event }) => event.time >= context.endsAt,
    isWithinACall: ({ context, event }) => event.type === 'invoke' && unitsOf(event.input) <= context.maxUnitsPerCall,
    isWithinTheQuota: ({ context, event }) =>
      event.type === 'invoke' && isWithin(context.limits, spentWith(context, event)),
    usesUpTheBudget: ({ context, event }) => event.type === 'invoke' && usesUp(context, event.input),
  },
});

const count = definition.assign(({ context, event }) => {
  if (event.type !== 'invoke') return {};
  const { usage } = context;
  const { latency, success = true, resource = null } = event.input;
  const units = unitsOf(event.input);
  const charged = chargedWith(context, event.input);
  const cost = charged - usage.charged;
  return {
    usage: {
      calls: usage.calls + 1,
      succeeded: usage.succeeded + (success ? 1 : 0),
      units: usage.units + units,
      charged,
      last: { at: event.time, resource, success, latencyMs: latency ?? null, units, cost },
      latencies: latency === undefined ? usage.latencies : withLatency(usage.latencies, latency),
      spent: spentWith(context, event),
    },
  };
});

/** After `count`, where a call ended it. */
const settling = (due: typeof dueAt) =>
  definition.assign(({ context, event }) => {
    const paid = due(context, event);
    return { settled: { paid, refunded: context.amount - paid, at: event.time } };
  });
const settle = settling((context, { time }) => accruedAt(context, time));

const countable = ['isInTime', 'isWithinACall', 'isWithinTheQuota'] as const;

function machineWith(settleTermination: typeof settle) {
  const ends = {
    terminate: { target: 'terminated', actions: settleTermination },
    expire: { target: 'expired', guard: 'timeHasPassed', actions: settle },
  } as const;

  return definition.createMachine({
    id: 'lease',
    context: ({ input }) => ({ ...input }),
    initial: 'active',
    states: {
      active: {
        on: {
          ...ends,
          invoke: [
            { target: 'exhausted', guard: and([...countable, 'usesUpTheBudget']), actions: [count, settle] },
            { guard: and([...countable]), actions: count },
          ],
          pause: { target: 'paused', guard: 'isInTime' },
        },
      },
      paused: { on: { ...ends, resume: { target: 'active', guard: 'isInTime' } } },
      // The lessor has been paid; what is left to end is the lease itself.
      exhausted: { on: { terminate: 'terminated' } },
      expired: { type: 'final' },
      terminated: { type: 'final' },
    },
  });
}

export const leaseMachine = machineWith(settling(dueAt));

/** Of revision 1, by which a lessor kept the periods that had started, whoever ended the lease. */
export const firstLeaseMachine = machineWith(settle);
