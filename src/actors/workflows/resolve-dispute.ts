/** `dispute.resolve`: asked of the dispute itself, whatever it is about. */
import type { Workflow } from '../../machines/kernel/step.js';
import { contractEnding } from './contract-records.js';
import { type Dispute, resolving } from './dispute.js';
import { orderEndings } from './order-dispute.js';

const endings = { contract: contractEnding, ...orderEndings };

export const resolvingDispute: Workflow = {
  revision: 1,
  parts(request, read, circumstance) {
    const dispute = read('dispute', request.id) as unknown as Dispute | undefined;
    // Its own part says what is wrong where it is not there or is over.
    return dispute?.state === 'open' ? resolving(dispute, request, read, circumstance, endings) : [request];
  },
};
