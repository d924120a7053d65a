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

/** Every kind that a review may have in `ref`: a line each. */
export const dealKinds: readonly DealKind[] = [
  {
    kind: 'info-order',
    idPrefix: 'ord-',
    // Deals that cost nothing say nothing of anybody: it costs nothing to make them.
    isFinished: (state, { price }) => (state === 'confirmed' || state === 'reviewed') && price !== 0,
    parties: ({ buyer, seller }) => [String(buyer), String(seller)],
  },
  {
    kind: 'contract',
    idPrefix: 'ctr-',
    // A draft that was dropped is none.
    isFinished: (state, { amount }) => (state === 'completed' || state === 'terminated') && amount !== 0,
    parties: ({ client, provider }) => [String(client), String(provider)],
  },
  {
    kind: 'task-order',
    idPrefix: 'task-ord-',
    isFinished: (state) => state === 'confirmed' || state === 'reviewed',
    parties: ({ requester, provider }) => [String(requester), String(provider)],
  },
];
