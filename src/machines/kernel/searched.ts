/**
 * The searchable content of a resource (docs/reference/markets.md#search): plain data, so that every store finds and
 * sorts alike.
 */
import type { Leaf } from '../../core/leaf.js';

/** A text and the weight of each of its words. */
export type WeighedText = readonly [text: string, weight: number];

export interface Searched {
  /** Texts for keywords. A word in several of them gets the sum of their weights. */
  readonly texts: readonly (readonly [text: string | Leaf, weight: number])[];
  /** Labels `<name>:<value>` for filters and facets. */
  readonly labels: readonly string[];
  readonly market: string;
  /** DID of the owner: private resources are found by their owner only, and the owner's reputation ranks them. */
  readonly owner: string;
  readonly visibility: 'public' | 'private';
  /** From this time on it counts as `expired`, whatever its state; epoch ms. Null: never, or its state is final. */
  readonly expiresAt: number | null;
  /** Tokens; null without a price. */
  readonly price: number | null;
}

/** Ranking figures of a searched resource, from a projection with the same id that changes often. */
export interface Ranked {
  /** Average rating, 1..5; null before the first. */
  readonly rating: number | null;
  /** Number of orders. */
  readonly popularity: number;
}
