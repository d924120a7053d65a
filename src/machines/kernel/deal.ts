/**
 * What a kind says of itself that stands for a deal between two DIDs: reviews name it, and where it is an order of a market
 * it is read, listed and disputed with the orders of all markets. Said in the kind's own folder; no list has its name.
 */
import type { JsonObject } from './canonical.js';

export interface Deal<Context = JsonObject> {
  /** Who pays, and who delivers. */
  readonly parties: (context: Context) => { readonly client: string; readonly provider: string };
  /** Whether it was carried out, or decided, so that its parties can speak of each other. */
  readonly isFinished: (state: string, context: Context) => boolean;
  /** Present where it is an order of a market: what its dispute has to know. */
  readonly order?: (context: Context) => Ordered;
}

export interface Ordered {
  /** Tokens in question. */
  readonly price: number;
  /** Null where nothing was paid. */
  readonly escrowId: string | null;
  readonly listingId: string;
  /** Delivered, and by its deadline. */
  readonly inTime: boolean;
}
