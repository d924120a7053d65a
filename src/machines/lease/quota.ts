/**
 * A listing's quota (docs/reference/leases.md#quotas): the usage that each lease allows, in total or per period,
 * counted from the lease's start. `{ maxCalls?, maxUnits?, period? }`, or several such limits in `limits`.
 */
import * as is from '../../core/schema/scalar.js';
import { periodsMs } from '../listing/pricing.js';

export interface Limit {
  readonly calls: number | null;
  readonly units: number | null;
  /** Null: the whole lease. */
  readonly periodMs: number | null;
}

export interface Spent {
  readonly period: number;
  readonly calls: number;
  readonly units: number;
}

const maxLimits = 8;

/** Milliseconds; null: the whole lease. With calendar months, the cost of a lease would depend on its first day. */
const lengths = {
  minute: periodsMs.hour / 60,
  ...periodsMs,
  quarter: 3 * periodsMs.month,
  total: null,
} as const;
const periods = Object.keys(lengths) as (keyof typeof lengths)[];

/** Milliseconds; undefined for a word that names no period. */
export const periodMsOf = (word: string): number | undefined =>
  (Object.hasOwn(lengths, word) && lengths[word as keyof typeof lengths]) || undefined;

const form = {
  maxCalls: is.optional(is.integer(0), 'The most calls in a period; default: no limit.'),
  maxUnits: is.optional(is.integer(0), 'The most units in a period; default: no limit.'),
  period: is.optional(
    is.oneOf(...periods),
    'How long a limit lasts, from the start of the lease on; a month has 30 days. Default total: the whole lease.',
  ),
};

const limit = is.object(form);
type StatedLimit = is.TypeOf<typeof limit>;

/** The quota of a listing. A request names these members only, because the node enforces them. */
export const quota = is.atMostBytes(
  is.object({
    ...form,
    limits: is.optional(is.list(limit, 0, maxLimits), 'Further limits of the same form, which also apply.'),
  }),
  8_192,
);
export type Quota = is.TypeOf<typeof quota>;

function limitOf({ maxCalls, maxUnits, period = 'total' }: StatedLimit): Limit[] {
  if (maxCalls === undefined && maxUnits === undefined) return [];
  return [{ calls: maxCalls ?? null, units: maxUnits ?? null, periodMs: lengths[period] }];
}

export const limitsOf = (quota: Quota): Limit[] => [quota, ...(quota.limits ?? [])].flatMap(limitOf);

/** A limit of units per hour, in the form of a quota. */
export const hourly = (units: number | null): Limit[] =>
  units === null ? [] : [{ calls: null, units, periodMs: lengths.hour }];

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
