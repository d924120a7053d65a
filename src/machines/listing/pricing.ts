/**
 * The pricing of a listing (docs/reference/markets.md#pricing): its schema, and the price of each way of buying.
 */
import { dayMs } from '../../core/bounds.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';

/** Tokens; 0 for a gift. */
const price = is.integer(0);

/** The length of a subscription's period, ms; a month has 30 days, a year 365. */
export const periodsMs = {
  hour: dayMs / 24,
  day: dayMs,
  week: 7 * dayMs,
  month: 30 * dayMs,
  year: 365 * dayMs,
} as const;
export type Period = keyof typeof periodsMs;
const periods = Object.keys(periodsMs) as Period[];

const usagePrice = is.object({
  unit: is.described(is.name(64), 'Name of the unit, a word of your choice, such as `call`.'),
  pricePerUnit: is.described(is.amount, 'Tokens for each.'),
});
const subscriptionPrice = is.object({
  period: is.described(is.oneOf(...periods), 'Length of a period; a month has 30 days, a year 365.'),
  price: is.described(price, 'Tokens for each period.'),
});
const priceRange = is.refined(
  is.object({
    min: is.described(price, 'The lowest price, in Tokens.'),
    max: is.described(is.amount, 'The highest price, in Tokens.'),
  }),
  ({ min, max }) => min <= max || 'min must not exceed max',
);

const fixedNames = ['price', 'fixedPrice', 'amount', 'budget'] as const;
const unitNames = [...fixedNames, 'priceRange'] as const;
const everyName = [...unitNames, 'usagePrice', 'subscriptionPrice'] as const;

const stated = is.aliased(
  is.object({
    type: is.optional(
      is.name(64),
      'Kind of payment, a word of your choice; for leases `pay_per_use`, `credits`, `time_based` or `subscription`.',
    ),
    currency: is.optional(is.oneOf('TOKEN'), 'Always TOKEN.'),
    price: is.optional(price, 'Tokens for one unit; 0: free.'),
    fixedPrice: is.optional(price, 'The same as `price`.'),
    amount: is.optional(price, 'The same as `price`.'),
    budget: is.optional(price, 'The same as `price`: the requester’s budget for a task.'),
    priceRange: is.optional(priceRange, 'Bounds within which a unit price is agreed, instead of `price`.'),
    usagePrice: is.optional(usagePrice, 'Price by use.'),
    subscriptionPrice: is.optional(subscriptionPrice, 'Price by time.'),
    negotiable: is.optional(is.boolean, 'Whether the price is negotiable. For readers only: it has no effect.'),
  }),
  { basePrice: 'price', model: 'type' },
);
export type Pricing = is.TypeOf<typeof stated>;

/** At most one unit price, under any of its names. A task may have none, because bids state it. */
export const offer = is.refined(stated, (given) => {
  const ofUnit = unitNames.filter((name) => given[name] !== undefined);
  return ofUnit.length <= 1 || `must have one of ${ofUnit.join(', ')}, not several`;
});

/** A pricing with at least one way to pay. */
export const pricing = is.refined(
  offer,
  (given) => everyName.some((name) => given[name] !== undefined) || `must have one of ${everyName.join(', ')}`,
);

/** The price of one unit, if it is fixed; otherwise undefined. */
export function fixedPrice(of: Pricing): number | undefined {
  const name = fixedNames.find((each) => of[each] !== undefined);
  return name && of[name];
}

/** For this long after a price change, buyers must confirm the price in `expectedPrice`. */
const newsMs = 3_600_000;

export const isNews = (repricedAt: number | null = null, time: number): boolean =>
  repricedAt !== null && time < repricedAt + newsMs;

/** CONFLICT if the buyer expects another price, or expects none although it was changed recently. */
export function asExpected(price: number, expected: number | undefined, news: boolean): Refusal | undefined {
  if (expected !== undefined && expected !== price) {
    return refuse('CONFLICT', `the price is ${price} by now, and not ${expected}`, { currentPrice: price });
  }
  if (expected !== undefined || !news) return undefined;
  const says = `the price was changed within the last hour and is ${price} now: say so in expectedPrice`;
  return refuse('CONFLICT', says, { currentPrice: price });
}

/**
 * The price by which lists filter and sort: the fixed price, else the price of a unit, of a period, or the range's
 * minimum.
 */
export const leadPrice = (of: Pricing): number =>
  fixedPrice(of) ?? of.usagePrice?.pricePerUnit ?? of.subscriptionPrice?.price ?? of.priceRange?.min ?? 0;
