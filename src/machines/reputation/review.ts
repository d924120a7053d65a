/**
 * `reputation.review`: a party of a finished order or contract reviews the other party.
 */
import { refuse } from '../../core/refusal.js';
import type { Workflow } from '../kernel/step.js';
import { dealRecordIdOf, type ReputationReviewInput } from './record.js';
import type { TradeKind } from './trade-kinds.js';

/** Dimensions that every paid trade records by itself. */
const saidByDeals: readonly ReputationReviewInput['dimension'][] = ['transaction', 'fulfillment'];

export const reviewing = (deals: readonly TradeKind[]): Workflow => ({
  revision: 2,
  subCommands(request, read, { signer }) {
    const { target, dimension, ref } = request.input as unknown as ReputationReviewInput;
    if (target === signer) return refuse('FORBIDDEN', 'nobody reviews themselves');
    const deal = deals.find(({ idPrefix }) => ref.startsWith(idPrefix));
    const found = deal && read(deal.kind, ref);
    const parties: readonly string[] =
      found && deal.isFinished(found.state, found.context) ? Object.values(deal.parties(found.context)) : [];
    if (!parties.includes(signer) || !parties.includes(target)) {
      return refuse('UNPROCESSABLE', `ref: ${ref} is no finished order or contract between signer and target`);
    }
    if (saidByDeals.includes(dimension) && read('reputation', dealRecordIdOf(ref, 'transaction', target))) {
      return refuse('CONFLICT', `dimension: ${ref} has recorded its ${dimension} itself; review another dimension`);
    }
    return [request];
  },
});
