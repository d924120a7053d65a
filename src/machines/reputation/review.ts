/**
 * `reputation.review`: a party of a finished order or contract reviews the other party.
 */
import { refuse } from '../../core/refusal.js';
import type { Workflow } from '../kernel/resource.js';
import type { ReputationReviewInput } from './record.js';
import type { TradeKind } from './trade-kinds.js';

export const reviewing = (deals: readonly TradeKind[]): Workflow => ({
  revision: 2,
  subCommands(request, read, { signer }) {
    const { target, ref } = request.input as unknown as ReputationReviewInput;
    if (target === signer) return refuse('FORBIDDEN', 'nobody reviews themselves');
    const deal = deals.find(({ idPrefix }) => ref.startsWith(idPrefix));
    const found = deal && read(deal.kind, ref);
    const parties: readonly string[] =
      found && deal.isFinished(found.state, found.context) ? Object.values(deal.parties(found.context)) : [];
    if (!parties.includes(signer) || !parties.includes(target)) {
      return refuse('UNPROCESSABLE', `ref: ${ref} is no finished order or contract between signer and target`);
    }
    return deal?.order?.(found!.context).price === 0
      ? refuse('UNPROCESSABLE', `ref: ${ref} was free of charge, and what costs nothing earns no reputation`)
      : [request];
  },
});
