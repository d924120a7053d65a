/**
 * Statistics of a listing's orders: a projection with the listing's id that is shown with it and does not change its
 * `resourcePrev` (docs/reference/markets.md#listing-statistics).
 */
import type { JsonObject } from '../../core/canonical.js';
import * as is from '../../core/schema/scalar.js';
import { defineReducer } from '../kernel/definition.js';
import type { SubCommand } from '../kernel/resource.js';

export interface Stats {
  readonly orders: number;
  readonly completedOrders: number;
  readonly ratingSum: number;
  readonly ratingCount: number;
}

export const noStats: Stats = { orders: 0, completedOrders: 0, ratingSum: 0, ratingCount: 0 };

/** The average in stars, rounded to hundredths; null before the first rating. */
const averageOf = ({ ratingSum, ratingCount }: Pick<Stats, 'ratingSum' | 'ratingCount'>): number | null =>
  ratingCount === 0 ? null : Math.round((ratingSum / ratingCount) * 100) / 100;

/** What a request adds. `rating`: 1 to 5 stars of one more review. */
const tallyInput = is.object({
  orders: is.optional(is.integer(1)),
  completedOrders: is.optional(is.integer(1)),
  rating: is.optional(is.integer(1, 5)),
});
export type Tally = is.TypeOf<typeof tallyInput>;

export const listingStats = defineReducer<Stats>({
  kind: 'listing-stats',
  revision: 1,
  roles: {},
  ranks: (stats) => ({ rating: averageOf(stats), popularity: stats.orders }),
  actions: {
    tally: {
      event: 'listing.tallied',
      who: ['workflow'],
      input: tallyInput,
      reduce: (before, { input }) => {
        const { orders = 0, completedOrders = 0, rating = 0 } = input as Tally;
        const stats = before ?? noStats;
        return {
          orders: stats.orders + orders,
          completedOrders: stats.completedOrders + completedOrders,
          ratingSum: stats.ratingSum + rating,
          ratingCount: stats.ratingCount + (rating > 0 ? 1 : 0),
        };
      },
    },
  },
});

/**
 * A sub-command that adds to the statistics: `tally(listingId, { orders: 1 })`, `{ completedOrders: 1 }`, `{ rating: 5
 * }`.
 */
export const tally = (listingId: string, added: Tally): SubCommand => ({
  kind: 'listing-stats',
  id: listingId,
  action: 'tally',
  input: added as JsonObject,
  asWorkflow: true,
});

/** The number of bids on a listing of another home, whose statistics have it in place of the bids. */
export const bidCountOf = (figures: JsonObject | undefined): number | undefined =>
  figures?.bidCount as number | undefined;

/** The statistics as views show them; `averageRating` is null until the first review. */
export function statsView(figures: JsonObject | undefined): JsonObject {
  const { orders, completedOrders, ratingSum, ratingCount } = { ...noStats, ...figures } as unknown as Stats;
  return { orders, completedOrders, averageRating: averageOf({ ratingSum, ratingCount }), ratingCount };
}
