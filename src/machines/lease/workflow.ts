/**
 * Leases over their listing and their escrow: what starting, calling and ending one asks of each
 * (docs/reference/leases.md).
 */
import type { JsonObject } from '../../core/canonical.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { locked, paidOut } from '../escrow/parts.js';
import type { Before, Request, SubCommand, Workflow } from '../kernel/step.js';
import { type Listing, listingFor, takeStock } from '../listing/parts.js';
import { tally } from '../listing/stats.js';
import { accruedAt, type Call, dueAt, type LeaseContext, usesUp } from './machine.js';
import { limitsOf } from './quota.js';
import type { CreateInput } from './resource.js';
import { type Offer, termsOf } from './terms.js';

type Read = Before['resource'];

const offerOf = ({ context: { seller, pricing, own } }: Listing): Offer => ({
  lessor: seller,
  pricing,
  limits: limitsOf(own.quota as JsonObject),
  meteredBy: own.meteredBy === 'lessor' ? 'lessor' : 'lessee',
});

/**
 * The listing gives up one of its stock, the lease begins, its Tokens go into an escrow.
 * @param news what the lease is told of the price beside itself: nothing in revision 1
 */
const starting =
  (news: (listing: Listing) => Partial<Offer>): Workflow['subCommands'] =>
  (request, read, { signer, time }) => {
    const { listingId, plan } = request.input as unknown as CreateInput;
    const listing = listingFor(read, 'capability-listing', listingId, signer);
    if (isRefusal(listing)) return listing;
    if (listing.context.seller === signer) return refuse('FORBIDDEN', 'nobody leases a capability of their own');
    const offer = { ...offerOf(listing), ...news(listing) };
    const terms = termsOf(offer, plan, time);
    const escrowId = request.ids?.escrow ?? '';
    const input = { ...request.input, offer, escrowId } as unknown as JsonObject;
    return [
      takeStock(listing),
      { ...request, input },
      // Where the plan does not fit, the lease's own part has said so before.
      ...(isRefusal(terms) || terms.amount === 0 ? [] : [deposit(escrowId, request.id, offer.lessor, terms.amount)]),
      tally(listingId, { orders: 1 }),
    ];
  };

const deposit = (id: string, leaseId: string, beneficiary: string, amount: number): SubCommand =>
  locked({ id, beneficiary, amount, purpose: { kind: 'lease', id: leaseId } });

/** What has accrued goes to the lessor, the rest back; nothing where that has been done. */
function share({ escrowId, listingId, amount, settled }: LeaseContext, accrued: number): SubCommand[] {
  if (settled) return [];
  return [
    ...paidOut(escrowId, { release: accrued, refund: amount - accrued }),
    tally(listingId, { completedOrders: 1 }),
  ];
}

/** The lease's own part says what is wrong where the rest must not follow. */
function found(request: Request, read: Read): LeaseContext | Refusal {
  const lease = read('lease', request.id)?.context as unknown as LeaseContext | undefined;
  return lease ?? refuse('LEASE_NOT_FOUND', `no lease ${request.id} on this network`);
}

/** The call that reaches the budget pays at once. */
function invoke(request: Request, read: Read): readonly SubCommand[] | Refusal {
  const lease = found(request, read);
  if (isRefusal(lease)) return lease;
  return usesUp(lease, request.input as Call) ? [request, ...share(lease, lease.amount)] : [request];
}

const ending =
  (due: typeof dueAt): Workflow['subCommands'] =>
  (request, read, circumstance) => {
    const lease = found(request, read);
    return isRefusal(lease) ? lease : [request, ...share(lease, due(lease, circumstance))];
  };

const accrued: typeof dueAt = (lease, { time }) => accruedAt(lease, time);

export const leaseWorkflows: { readonly [action: string]: Workflow } = {
  'lease.create': {
    revision: 2,
    subCommands: starting(({ context: { repricedAt } }) => ({ repricedAt })),
    past: [{ revision: 1, subCommands: starting(() => ({})) }],
  },
  'lease.invoke': { revision: 1, subCommands: invoke },
  'lease.terminate': { revision: 2, subCommands: ending(dueAt), past: [{ revision: 1, subCommands: ending(accrued) }] },
  'lease.expire': { revision: 1, subCommands: ending(accrued) },
};
