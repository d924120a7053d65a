/**
 * `reputation.review`: whoever was party to a finished order or contract says what the other one is like.
 */
import { refuse } from '../../machines/kernel/refusal.js';
import type { Workflow } from '../../machines/kernel/step.js';
import type { DealKind } from '../../machines/reputation/deal-kinds.js';
import type { ReviewInput } from '../../machines/reputation/record.js';

export const reviewing = (deals: readonly DealKind[]): Workflow => ({
  revision: 1,
  parts(request, read, { signer }) {
    const { target, ref } = request.input as unknown as ReviewInput;
    if (target === signer) return refuse('FORBIDDEN', 'nobody reviews themselves');
    const deal = deals.find(({ idPrefix }) => ref.startsWith(idPrefix));
    const found = deal && read(deal.kind, ref);
    const parties: readonly string[] =
      found && deal.isFinished(found.state, found.context) ? Object.values(deal.parties(found.context)) : [];
    return parties.includes(signer) && parties.includes(target)
      ? [request]
      : refuse('UNPROCESSABLE', `ref: ${ref} is no finished order or contract between signer and target`);
  },
});
