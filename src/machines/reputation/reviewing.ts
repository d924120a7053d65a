/**
 * `reputation.review`: whoever was party to a finished order or contract says what the other one is like.
 */
import type { JsonObject } from '../kernel/canonical.js';
import { refuse } from '../kernel/refusal.js';
import type { Workflow } from '../kernel/step.js';
import type { ReviewInput } from './record.js';

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

export const reviewingOf = (deals: readonly DealKind[]): Workflow => ({
  revision: 1,
  parts(request, read, { signer }) {
    const { target, ref } = request.input as unknown as ReviewInput;
    if (target === signer) return refuse('FORBIDDEN', 'nobody reviews themselves');
    const deal = deals.find(({ idPrefix }) => ref.startsWith(idPrefix));
    const found = deal && read(deal.kind, ref);
    const parties = found && deal.isFinished(found.state, found.context) ? deal.parties(found.context) : [];
    return parties.includes(signer) && parties.includes(target)
      ? [request]
      : refuse('UNPROCESSABLE', `ref: ${ref} is no finished order or contract between signer and target`);
  },
});

export const reviewing = reviewingOf(dealKinds);
