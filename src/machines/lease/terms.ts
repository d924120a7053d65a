/**
 * What a lease comes to: the listing's offer and the lessee's plan, made into terms that nothing changes afterwards
 * (docs/reference/leases.md#plans).
 */
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { fixedPrice, type Pricing } from '../listing/pricing.js';
import { periodMsOf } from './period.js';
import type { Limit } from './quota.js';

export const planTypes = ['pay_per_use', 'credits', 'time_based', 'subscription'] as const;
export type PlanType = (typeof planTypes)[number];

const dayMs = 86_400_000;
/** A lease by use without `endsAt` has this long. */
const defaultLifeMs = 30 * dayMs;
/** The longest lease by use, and by time. */
const longestLifeMs = 3_660 * dayMs;
const defaultUnitsPerCall = 1_000;
const maxPeriods = 1_000;

export const planInput = is.aliased(
  is.object({
    type: is.optional(is.oneOf(...planTypes)),
    budget: is.optional(is.amount),
    maxUnitsPerCall: is.optional(is.integer(1)),
    maxUnitsPerHour: is.optional(is.integer(1)),
    endsAt: is.optional(is.time),
    periods: is.optional(is.integer(1, maxPeriods)),
    unitPrice: is.optional(is.amount),
  }),
  { details: '*' },
);
export type Plan = is.TypeOf<typeof planInput>;

/** What the listing says of it when the lease starts. */
export interface Offer {
  readonly lessor: string;
  readonly pricing: Pricing;
  readonly limits: readonly Limit[];
  readonly meteredBy: 'lessee' | 'lessor';
  readonly repricedAt?: number | null;
}

/** How fast calls may use up the budget. */
export interface Pace {
  readonly maxUnitsPerCall: number;
  /** Null: as fast as the quota lets them. */
  readonly maxUnitsPerHour: number | null;
}

export interface Terms {
  readonly type: PlanType;
  /** Tokens for a unit, or for a period; copied from the listing. */
  readonly price: number;
  /** What `price` is for: the listing's word for a unit, or the period's name. */
  readonly unit: string;
  /** Tokens that the escrow holds: the budget, or all periods. */
  readonly amount: number;
  readonly maxUnitsPerCall: number;
  /** By time: how long a period is, and how many there are; null by use. */
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

/** What the plan asks for, else what the listing is priced by. */
function typeOf({ type: asked }: Plan, pricing: Pricing): PlanType | Refusal {
  const offered = asPlanType(pricing.type);
  if (asked && offered && asked !== offered) {
    return refuse('UNPROCESSABLE', `the listing is leased as ${offered}, not as ${asked}`);
  }
  return asked ?? offered ?? (pricing.usagePrice || !pricing.subscriptionPrice ? 'pay_per_use' : 'subscription');
}

function pricePerUnit(plan: Plan, pricing: Pricing): Price | Refusal {
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
  return refuse('UNPROCESSABLE', 'the listing has no price for a period of time');
}

function byUse(plan: Plan, { price, unit }: Price, time: number): Omit<Terms, 'type'> | Refusal {
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

function byTime(plan: Plan, { price, unit }: Price, time: number): Omit<Terms, 'type'> | Refusal {
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
 * Where the lessor meters, the lessee has hours to notice what it would not pay: without other words in the plan an hour
 * takes a tenth of what the budget pays for.
 */
export function paceOf({ meteredBy }: Offer, plan: Plan, { type, price, amount, maxUnitsPerCall }: Terms): Pace {
  const { maxUnitsPerHour = null } = plan;
  if (meteredBy === 'lessee' || isByTime(type) || price === 0) return { maxUnitsPerCall, maxUnitsPerHour };
  const tenth = Math.max(1, plan.maxUnitsPerCall ?? 1, Math.floor(amount / price / 10));
  const perHour = maxUnitsPerHour ?? tenth;
  return { maxUnitsPerCall: Math.min(maxUnitsPerCall, perHour), maxUnitsPerHour: perHour };
}

/** @returns INVALID_REQUEST for what the plan lacks, UNPROCESSABLE where the listing is not offered like that */
export function termsOf({ pricing }: Offer, plan: Plan, time: number): Terms | Refusal {
  const type = typeOf(plan, pricing);
  if (isRefusal(type)) return type;
  const price = isByTime(type) ? pricePerPeriod(pricing) : pricePerUnit(plan, pricing);
  if (isRefusal(price)) return price;
  const terms = isByTime(type) ? byTime(plan, price, time) : byUse(plan, price, time);
  return isRefusal(terms) ? terms : { type, ...terms };
}
