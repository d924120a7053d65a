/** The price of a purchase (docs/reference/markets.md#pricing). */
import { invalid, type Refusal, refuse } from '../../core/refusal.js';
import { maxTokens } from '../../core/schema/scalar.js';
import { asExpected, fixedPrice, type Pricing } from '../listing/pricing.js';

export interface PurchaseOffer {
  readonly quantity?: number | undefined;
  /** Chosen by the buyer, within the listing's range. */
  readonly unitPrice?: number | undefined;
  /** The total price that the buyer expects. */
  readonly expectedPrice?: number | undefined;
  /** Whether the listing's price was changed recently. */
  readonly isNews?: boolean;
}

export interface Charge {
  readonly quantity: number;
  readonly unitPrice: number;
  readonly price: number;
}

/** UNPROCESSABLE: no such price; CONFLICT: not the expected price; INVALID_REQUEST: more Tokens than can exist. */
export function chargeOf(
  pricing: Pricing,
  { quantity = 1, unitPrice, expectedPrice, isNews = false }: PurchaseOffer,
): Charge | Refusal {
  const unit = fixedPrice(pricing) ?? pricing.subscriptionPrice?.price ?? withinRange(pricing, unitPrice);
  if (typeof unit !== 'number') return unit;
  if (unitPrice !== undefined && unitPrice !== unit) {
    return refuse('UNPROCESSABLE', `unitPrice: the listing's price is ${unit}`);
  }
  const price = unit * quantity;
  if (price > maxTokens) return invalid('quantity', 'the price of so many exceeds 2^53-1');
  // A buyer who states the unit price knows it, even if it was changed recently.
  return asExpected(price, expectedPrice, isNews && unitPrice === undefined) ?? { quantity, unitPrice: unit, price };
}

function withinRange({ priceRange }: Pricing, unitPrice: number | undefined): number | Refusal {
  if (!priceRange) return refuse('UNPROCESSABLE', 'the listing has no price to buy it at: it is charged by usage');
  const { min, max } = priceRange;
  return unitPrice !== undefined && unitPrice >= min && unitPrice <= max
    ? unitPrice
    : refuse('UNPROCESSABLE', `unitPrice: the listing asks for one from ${min} to ${max}`);
}
