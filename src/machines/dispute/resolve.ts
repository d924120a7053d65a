/** Actions on the dispute itself, by its parties, its arbiters, or the clock. */

import type { Catalogue } from '../kernel/definition.js';
import type { Workflow } from '../kernel/resource.js';
import { type OrderKind, orderEndings } from './order-dispute.js';
import { fallbackOf } from './ruling.js';
import { type Dispute, following, type RulingFollowUp, type RulingFollowUps, resolving } from './workflow.js';

/** @param contract what follows the ruling on a contract */
export function disputeWorkflows(contract: RulingFollowUp, orders: readonly OrderKind[]): Catalogue['workflows'] {
  const endings = { contract, ...orderEndings(orders) };
  return { 'dispute.resolve': resolvingDispute(endings), 'dispute.settle': settlingDispute(endings) };
}

const resolvingDispute = (endings: RulingFollowUps): Workflow => ({
  revision: 1,
  subCommands(request, read, circumstance) {
    const dispute = read('dispute', request.id) as unknown as Dispute | undefined;
    // If the dispute does not exist or is closed, its own sub-command refuses.
    return dispute?.state === 'open' ? resolving(dispute, request, read, circumstance, endings) : [request];
  },
});

const settlingDispute = (endings: RulingFollowUps): Workflow => ({
  revision: 1,
  subCommands(request, read, { signer, time }) {
    const dispute = read('dispute', request.id) as unknown as Dispute | undefined;
    if (dispute?.state !== 'open') return [request];
    const { context } = dispute;
    return [request, ...following({ ...context, ruling: fallbackOf(context) }, read, { signer, time }, endings)];
  },
});
