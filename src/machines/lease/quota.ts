/**
 * A listing's quota (docs/reference/leases.md#quotas): the usage that each lease allows, in total or per period,
 * counted from the lease's start. `{ maxCalls?, maxUnits?, period? }`, or several such limits in `limits`.
 */
import * as is from '../../core/schema/scalar.js';
import { periodMsOf } from './period.js';

export interface Limit {
  readonly calls: number | null;
  readonly units: number | null;
  /** Null: the whole lease. */
  readonly periodMs: number | null;
}

/** Usage under one limit, in its newest period. */
export interface Spent {
  readonly period: number;
  readonly calls: number;
  readonly units: number;
}

/** The most limits of one quota. */
const maxLimits = 8;

/** Words for the whole lease as a period. */
const whole = ['total', 'lifetime', 'lease'];

/** Other names of a limit's members in a request. */
const aliases = {
  calls: 'maxCalls',
  maxRequests: 'maxCalls',
  requests: 'maxCalls',
  maxInvocations: 'maxCalls',
  invocations: 'maxCalls',
  limit: 'maxCalls',
  units: 'maxUnits',
  per: 'period',
  window: 'period',
  interval: 'period',
};

/** Milliseconds; null: the whole lease; undefined: not a period. */
const lengthOf = (period: string): number | null | undefined => (whole.includes(period) ? null : periodMsOf(period));

/** The members of one limit. */
const form = {
  maxCalls: is.described(is.optional(is.integer(0)), 'The most calls in a period; default: no limit.'),
  maxUnits: is.described(is.optional(is.integer(0)), 'The most units in a period; default: no limit.'),
  period: is.described(
    is.optional(
      is.refined(
        is.text(32, 1),
        (period) => lengthOf(period) !== undefined || 'must be minute, hour, day, week, month, quarter, year or total',
      ),
    ),
    'minute, hour, day, week, month, quarter, year, or total (default): the whole lease.',
  ),
};

const limit = is.aliased(is.object(form), aliases);
type StatedLimit = is.TypeOf<typeof limit>;

/** The quota of a listing. A request names these members only, because the node enforces them. */
export const quota = is.atMostBytes(
  is.aliased(
    is.object({
      ...form,
      limits: is.described(
        is.optional(is.list(limit, 0, maxLimits)),
        'Further limits of the same form, which also apply.',
      ),
    }),
    aliases,
  ),
  8_192,
);
export type Quota = is.TypeOf<typeof quota>;

function limitOf({ maxCalls, maxUnits, period = 'total' }: StatedLimit): Limit[] {
  if (maxCalls === undefined && maxUnits === undefined) return [];
  return [{ calls: maxCalls ?? null, units: maxUnits ?? null, periodMs: lengthOf(period) ?? null }];
}

/** The limits of a valid quota; empty if it has none. */
export const limitsOf = (quota: Quota): Limit[] => [quota, ...(quota.limits ?? [])].flatMap(limitOf);

/** A limit of units per hour, in the form of a quota. */
export const hourly = (units: number | null): Limit[] =>
  units === null ? [] : [{ calls: null, units, periodMs: periodMsOf('hour')! }];

export const unspent = (limits: readonly Limit[]): Spent[] => limits.map(() => ({ period: 0, calls: 0, units: 0 }));

/** The usage after one more call of this many units. */
export const spend = (
  limits: readonly Limit[],
  spent: readonly Spent[],
  { sinceMs, units }: { readonly sinceMs: number; readonly units: number },
): Spent[] =>
  limits.map(({ periodMs }, i) => {
    const period = periodMs === null ? 0 : Math.floor(sinceMs / periodMs);
    const before = spent[i]?.period === period ? spent[i] : { calls: 0, units: 0 };
    return { period, calls: before.calls + 1, units: before.units + units };
  });

export const isWithin = (limits: readonly Limit[], spent: readonly Spent[]): boolean =>
  limits.every(
    ({ calls, units }, i) =>
      spent[i]!.calls <= (calls ?? Number.POSITIVE_INFINITY) && spent[i]!.units <= (units ?? Number.POSITIVE_INFINITY),
  );
