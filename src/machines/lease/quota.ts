/**
 * A listing's quota (docs/reference/leases.md#quotas): the usage that each lease allows, in total or per period,
 * counted from the lease's start. `{ maxCalls?, maxUnits?, period? }`, or several such limits in `limits`.
 */
import type { Json, JsonObject } from '../../core/canonical.js';
import * as is from '../../core/schema/scalar.js';
import { open } from '../listing/fields.js';
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

/** What a quota may say, each under several names. */
const names = {
  calls: ['maxCalls', 'calls', 'maxRequests', 'requests', 'maxInvocations', 'invocations', 'limit'],
  units: ['maxUnits', 'units'],
  period: ['period', 'per', 'window', 'interval'],
} as const;

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const said = (quota: JsonObject, member: keyof typeof names): Json | undefined =>
  names[member].map((name) => quota[name]).find((value) => value !== undefined && value !== null);

/** Milliseconds; null: the whole lease; undefined: not a period. */
const lengthOf = (period: string): number | null | undefined => (whole.includes(period) ? null : periodMsOf(period));

const parts = (quota: JsonObject): readonly Json[] => [quota, ...(Array.isArray(quota.limits) ? quota.limits : [])];

/** Why a quota cannot be enforced; undefined if it can. */
function flawOfQuota(quota: JsonObject): string | undefined {
  const all = parts(quota);
  for (const each of all) {
    if (!isObject(each)) return 'limits must be objects';
    for (const member of ['calls', 'units'] as const) {
      const value = said(each, member) ?? 0;
      if (!Number.isSafeInteger(value) || Number(value) < 0) return `${names[member][0]} must be an integer from 0`;
    }
    const period = said(each, 'period');
    if (period !== undefined && (typeof period !== 'string' || lengthOf(period) === undefined)) {
      return 'period must be minute, hour, day, week, month, quarter, year or total';
    }
  }
  return undefined;
}

const aliases = Object.fromEntries(
  Object.values(names).flatMap(([name, ...others]) => others.map((other) => [other, name])),
);
/** A request names interpreted members only, because the node enforces them; entries made before may have others. */
const onlyNamed = <T>(inner: is.Scalar<T>, members: is.Fields = {}): is.Scalar<T> =>
  is.aliased(is.closed(inner, members), aliases);

/** The members of one limit. */
const form = {
  maxCalls: is.described(is.optional(is.integer(0)), 'The most calls in a period; default: no limit.'),
  maxUnits: is.described(is.optional(is.integer(0)), 'The most units in a period; default: no limit.'),
  period: is.described(
    is.optional(is.text(32, 1)),
    'minute, hour, day, week, month, quarter, year, or total (default): the whole lease.',
  ),
};

/** The quota of a listing. */
export const quota = is.refined(
  onlyNamed(
    open({
      ...form,
      limits: is.described(
        is.optional(is.list(onlyNamed(is.freeObject, form), 0, maxLimits)),
        'Further limits of the same form, which also apply.',
      ),
    }),
  ),
  (given) => flawOfQuota(given as JsonObject) ?? true,
);

function limitOf(quota: JsonObject): Limit[] {
  const [calls = null, units = null] = [said(quota, 'calls'), said(quota, 'units')] as (number | undefined)[];
  if (calls === null && units === null) return [];
  const period = said(quota, 'period') as string | undefined;
  return [{ calls, units, periodMs: lengthOf(period ?? 'total') ?? null }];
}

/** The limits of a valid quota; empty if it has none. */
export const limitsOf = (quota: JsonObject): Limit[] => parts(quota).flatMap((each) => limitOf(each as JsonObject));

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
