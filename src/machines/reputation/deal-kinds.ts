/**
 * What a review may name in `ref`: orders and contracts, told by the prefix of their ids.
 */
import type { JsonObject } from '../kernel/canonical.js';

/** A kind of resource that stands for a deal between two DIDs. */
export interface DealKind {
  readonly kind: string;
  readonly idPrefix: string;
  /** Whether the deal was carried out, or decided, so that its parties can speak of it. */
  readonly isFinished: (state: string, context: JsonObject) => boolean;
  readonly parties: (context: JsonObject) => readonly string[];
}

/**
 * Every kind that a review may have in `ref`: a line each, such as
 * `{ kind: 'info-order', idPrefix: 'ord-', isFinished: (state) => …, parties: ({ buyer, seller }) => [buyer, seller] }`.
 */
export const dealKinds: readonly DealKind[] = [];
