import { tokens } from '../format/format.ts';
import type { Pricing } from './listing.ts';

/** The prices of a listing in words, one text for each way of paying. */
export function pricesOf(pricing: Pricing): string[] {
  const { priceRange, usagePrice, subscriptionPrice } = pricing;
  const fixed = pricing.price ?? pricing.fixedPrice ?? pricing.amount ?? pricing.budget;
  return [
    ...(fixed === undefined ? [] : [fixed === 0 ? 'free' : tokens(fixed)]),
    ...(priceRange ? [`${tokens(priceRange.min)} to ${tokens(priceRange.max)}`] : []),
    ...(usagePrice ? [`${tokens(usagePrice.pricePerUnit)} a ${usagePrice.unit}`] : []),
    ...(subscriptionPrice ? [`${tokens(subscriptionPrice.price)} a ${subscriptionPrice.period}`] : []),
  ];
}
