/**
 * What is searched of a resource (docs/reference/markets.md#search): data, so that every store finds and orders the
 * same.
 */

/** A text and what each of its words weighs. */
export type WeighedText = readonly [text: string, weight: number];

export interface Searched {
  /** What a keyword looks into. A word that several of them have weighs their sum. */
  readonly texts: readonly WeighedText[];
  /** `<name>:<value>`: what filters select by, and facets count. */
  readonly labels: readonly string[];
  readonly market: string;
  /** DID whose it is: private ones are found by their owner only, and all are ranked by the owner's reputation. */
  readonly owner: string;
  readonly visibility: 'public' | 'private';
  /** From then on it counts as `expired`, whatever its state; epoch ms. Null: never, or it has ended already. */
  readonly expiresAt: number | null;
  /** Tokens; null where it has no price. */
  readonly price: number | null;
}

/** What becomes of a searched resource: of a projection under its id, which may move often. */
export interface Ranked {
  /** Average of its ratings, 1..5; null before the first. */
  readonly rating: number | null;
  /** How often it was asked for. */
  readonly popularity: number;
}
