/**
 * A trade between two DIDs. A kind whose definition has one can be reviewed; if it is an order of a market, it is read,
 * listed and disputed together with the orders of all markets.
 */
import type { JsonObject } from '../../core/canonical.js';

export interface Trade<Context = JsonObject> {
  /** The paying and the delivering party. */
  readonly parties: (context: Context) => { readonly client: string; readonly provider: string };
  /** Whether it has ended and was carried out, so that its parties may review each other. */
  readonly isFinished: (state: string, context: Context) => boolean;
  /** Present for orders of a market: the data that a dispute about it needs. */
  readonly order?: (context: Context) => OrderInQuestion;
}

export interface OrderInQuestion {
  /** Tokens in dispute. */
  readonly price: number;
  /** Null if nothing was paid. */
  readonly escrowId: string | null;
  readonly listingId: string;
  /** Whether it was delivered by its deadline. */
  readonly inTime: boolean;
  /** The kind of the listing, and the units of its stock that a cancellation gives back. */
  readonly unsold?: { readonly kind: string; readonly quantity: number };
}
