/** What is asked of the dispute itself, whatever it is about: by its parties and arbiters, or by the clock. */
import { fallbackOf } from '../../machines/dispute/ruling.js';
import type { Workflow } from '../../machines/kernel/step.js';
import { contractEnding } from './contract-records.js';
import { type Dispute, following, resolving } from './dispute.js';
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

export const settlingDispute: Workflow = {
  revision: 1,
  parts(request, read, { signer, time }) {
    const dispute = read('dispute', request.id) as unknown as Dispute | undefined;
    if (dispute?.state !== 'open') return [request];
    const { context } = dispute;
    return [request, ...following({ ...context, ruling: fallbackOf(context) }, read, { signer, time }, endings)];
  },
};
