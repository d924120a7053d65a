/**
 * The terms of a lease, computed from the listing's offer and the lessee's plan; they never change afterwards
 * (docs/reference/leases.md#plans).
 */
import { dayMs } from '../../core/bounds.js';
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { fixedPrice, type Pricing } from '../listing/pricing.js';
import { type Limit, periodMsOf } from './quota.js';

export const planTypes = ['pay_per_use', 'credits', 'time_based', 'subscription'] as const;
export type PlanType = (typeof planTypes)[number];

/** The duration of a lease by use without `endsAt`. */
const defaultLifeMs = 30 * dayMs;
/** The longest duration of a lease, by use and by time. */
const longestLifeMs = 3_660 * dayMs;
const defaultUnitsPerCall = 1_000;
const maxPeriods = 1_000;

export const planInput = is.aliased(
  is.object({
    type: is.optional(
      is.oneOf(...planTypes),
      'How it is paid: by use (`pay_per_use`, `credits`) or by time (`time_based`, `subscription`); absent: as the listing offers.',
    ),
    budget: is.optional(is.amount, 'Paid by use: Tokens that all calls together may charge.'),
    maxUnitsPerCall: is.optional(is.integer(1), 'The most units in one call; default 1,000.'),
    maxUnitsPerHour: is.optional(
      is.integer(1),
      'The most units of an hour, counted from the start; absent: no such limit where the lessee meters.',
    ),
    endsAt: is.optional(
      is.time,
      'Paid by use: when the lease ends, ISO 8601 with an offset or epoch milliseconds; default: after 30 days.',
    ),
    periods: is.optional(is.integer(1, maxPeriods), 'Paid by time: number of periods to pay for; default 1.'),
    unitPrice: is.optional(is.amount, 'Tokens for one unit, if the listing has a range of prices.'),
  }),
  { details: '*' },
);
export type LeasePlan = is.TypeOf<typeof planInput>;

export interface LeaseOffer {
  readonly lessor: string;
  readonly pricing: Pricing;
  readonly limits: readonly Limit[];
  readonly meteredBy: 'lessee' | 'lessor';
  readonly repricedAt: number | null;
}

/** How fast calls may use the budget. */
export interface UsagePace {
  readonly maxUnitsPerCall: number;
  /** Null: limited by the quota only. */
  readonly maxUnitsPerHour: number | null;
}

export interface LeaseTerms {
  readonly type: PlanType;
  /** Tokens per unit or per period, copied from the listing. */
  readonly price: number;
  /** The unit of `price`: the listing's name for a unit, or the name of the period. */
  readonly unit: string;
  /** Tokens in the escrow: the budget, or the price of all periods. */
  readonly amount: number;
  readonly maxUnitsPerCall: number;
  /** For leases by time: the length of a period and the number of periods; null for leases by use. */
  readonly periodMs: number | null;
  readonly periods: number | null;
  readonly startedAt: number;
  readonly endsAt: number;
}

export const isByTime = (type: PlanType): boolean => type === 'time_based' || type === 'subscription';

interface Price {
  readonly price: number;
  readonly unit: string;
}

const asPlanType = (type: string | undefined): PlanType | undefined => planTypes.find((each) => each === type);

/** The type in the plan, or by default the one that the listing's pricing offers. */
function typeOf({ type: asked }: LeasePlan, pricing: Pricing): PlanType | Refusal {
  const offered = asPlanType(pricing.type);
  if (asked && offered && asked !== offered) {
    return refuse('UNPROCESSABLE', `the listing is leased as ${offered}, not as ${asked}`);
  }
  return asked ?? offered ?? (pricing.usagePrice || !pricing.subscriptionPrice ? 'pay_per_use' : 'subscription');
}

function pricePerUnit(plan: LeasePlan, pricing: Pricing): Price | Refusal {
  const { usagePrice, priceRange } = pricing;
  if (usagePrice) return { price: usagePrice.pricePerUnit, unit: usagePrice.unit };
  const fixed = fixedPrice(pricing);
  if (fixed !== undefined) return { price: fixed, unit: 'unit' };
  if (!priceRange) return refuse('UNPROCESSABLE', 'the listing has no price for a unit');
  const { unitPrice } = plan;
  if (unitPrice === undefined) return invalid('plan.unitPrice', 'is required: the listing has a range of prices');
  return unitPrice >= priceRange.min && unitPrice <= priceRange.max
    ? { price: unitPrice, unit: 'unit' }
    : refuse('UNPROCESSABLE', `unitPrice must be from ${priceRange.min} to ${priceRange.max}`);
}

function pricePerPeriod({ subscriptionPrice, usagePrice }: Pricing): Price | Refusal {
  if (subscriptionPrice) return { price: subscriptionPrice.price, unit: subscriptionPrice.period };
  if (usagePrice && periodMsOf(usagePrice.unit) !== undefined) {
    return { price: usagePrice.pricePerUnit, unit: usagePrice.unit };
  }
  return refuse(
    'UNPROCESSABLE',
    'the listing has no price for a period of time: minute, hour, day, week, month, quarter or year',
  );
}

function byUse(plan: LeasePlan, { price, unit }: Price, time: number): Omit<LeaseTerms, 'type'> | Refusal {
  const { budget, endsAt = time + defaultLifeMs } = plan;
  if (budget === undefined) return invalid('plan.budget', 'is required for a lease that is paid by use');
  if (endsAt <= time) return refuse('UNPROCESSABLE', 'endsAt has passed already');
  if (endsAt > time + longestLifeMs) return refuse('UNPROCESSABLE', 'a lease lasts ten years at most');
  return {
    price,
    unit,
    amount: budget,
    maxUnitsPerCall: plan.maxUnitsPerCall ?? defaultUnitsPerCall,
    periodMs: null,
    periods: null,
    startedAt: time,
    endsAt,
  };
}

function byTime(plan: LeasePlan, { price, unit }: Price, time: number): Omit<LeaseTerms, 'type'> | Refusal {
  const periodMs = periodMsOf(unit)!;
  const periods = plan.periods ?? 1;
  if (periods * periodMs > longestLifeMs) return refuse('UNPROCESSABLE', 'a lease lasts ten years at most');
  const amount = price * periods;
  if (amount > is.maxTokens) return invalid('plan.periods', 'the price of all of them exceeds 2^53-1');
  return {
    price,
    unit,
    amount,
    maxUnitsPerCall: plan.maxUnitsPerCall ?? defaultUnitsPerCall,
    periodMs,
    periods,
    startedAt: time,
    endsAt: time + periods * periodMs,
  };
}

/**
 * Limits the usage per hour. If the lessor records the usage, the lessee needs time to notice wrong records: by default
 * an hour may use a tenth of the budget.
 */
export function paceOf(
  { meteredBy }: LeaseOffer,
  plan: LeasePlan,
  { type, price, amount, maxUnitsPerCall }: LeaseTerms,
): UsagePace {
  const { maxUnitsPerHour = null } = plan;
  if (meteredBy === 'lessee' || isByTime(type) || price === 0) return { maxUnitsPerCall, maxUnitsPerHour };
  const tenth = Math.max(1, plan.maxUnitsPerCall ?? 1, Math.floor(amount / price / 10));
  const perHour = maxUnitsPerHour ?? tenth;
  return { maxUnitsPerCall: Math.min(maxUnitsPerCall, perHour), maxUnitsPerHour: perHour };
}

/** @returns INVALID_REQUEST if the plan is incomplete, UNPROCESSABLE if the listing has no such offer */
export function termsOf({ pricing }: LeaseOffer, plan: LeasePlan, time: number): LeaseTerms | Refusal {
  const type = typeOf(plan, pricing);
  if (isRefusal(type)) return type;
  const price = isByTime(type) ? pricePerPeriod(pricing) : pricePerUnit(plan, pricing);
  if (isRefusal(price)) return price;
  const terms = isByTime(type) ? byTime(plan, price, time) : byUse(plan, price, time);
  return isRefusal(terms) ? terms : { type, ...terms };
}
