/** What is asked of the dispute itself, whatever it is about: by its parties and arbiters, or by the clock. */
import { fallbackOf } from '../../machines/dispute/ruling.js';
import type { Workflow } from '../../machines/kernel/step.js';
import { contractEnding } from './contract-records.js';
import { type Dispute, type Endings, following, resolving } from './dispute.js';
import { type OrderKind, orderEndings } from './order-dispute.js';

export function disputeWorkflows(orders: readonly OrderKind[]): { readonly [action: string]: Workflow } {
  const endings = { contract: contractEnding, ...orderEndings(orders) };
  return { 'dispute.resolve': resolvingDispute(endings), 'dispute.settle': settlingDispute(endings) };
}

const resolvingDispute = (endings: Endings): Workflow => ({
  revision: 1,
  parts(request, read, circumstance) {
    const dispute = read('dispute', request.id) as unknown as Dispute | undefined;
    // Its own part says what is wrong where it is not there or is over.
    return dispute?.state === 'open' ? resolving(dispute, request, read, circumstance, endings) : [request];
  },
});

const settlingDispute = (endings: Endings): Workflow => ({
  revision: 1,
  parts(request, read, { signer, time }) {
    const dispute = read('dispute', request.id) as unknown as Dispute | undefined;
    if (dispute?.state !== 'open') return [request];
    const { context } = dispute;
    return [request, ...following({ ...context, ruling: fallbackOf(context) }, read, { signer, time }, endings)];
  },
});
