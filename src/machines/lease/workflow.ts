/**
 * Workflows of leases: starting, calling and ending one, with its listing and its escrow (docs/reference/leases.md).
 */
import type { JsonObject } from '../../core/canonical.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { locked, paidOut } from '../escrow/parts.js';
import type { ReadResource, Request, SubCommand, Workflow } from '../kernel/resource.js';
import { type Listing, listingFor, restored, takeStock } from '../listing/parts.js';
import { tally } from '../listing/stats.js';
import { accruedAt, dueAt, type InvokeInput, type LeaseContext, usesUp } from './machine.js';
import { limitsOf, type Quota } from './quota.js';
import type { CreateLeaseInput } from './resource.js';
import { type LeaseOffer, termsOf } from './terms.js';

type Read = ReadResource;

const offerOf = ({ context: { seller, pricing, repricedAt, own } }: Listing): LeaseOffer => ({
  lessor: seller,
  pricing,
  repricedAt,
  limits: limitsOf(own.quota as Quota),
  meteredBy: own.meteredBy === 'lessor' ? 'lessor' : 'lessee',
});

/** Takes one unit of the listing's stock, starts the lease, and puts its Tokens into an escrow. */
const start: Workflow['subCommands'] = (request, read, { signer, time }) => {
  const { listingId, plan } = request.input as unknown as CreateLeaseInput;
  const listing = listingFor(read, 'capability-listing', listingId, signer);
  if (isRefusal(listing)) return listing;
  if (listing.context.seller === signer) return refuse('FORBIDDEN', 'nobody leases a capability of their own');
  const offer = offerOf(listing);
  const terms = termsOf(offer, plan, time);
  const escrowId = request.ids?.escrow ?? '';
  const isFromStock = listing.context.stock !== null;
  const input = { ...request.input, offer, escrowId, isFromStock } as unknown as JsonObject;
  return [
    takeStock(listing),
    { ...request, input },
    // If the plan does not fit the offer, the lease's own sub-command has refused before.
    ...(isRefusal(terms) || terms.amount === 0 ? [] : [deposit(escrowId, request.id, offer.lessor, terms.amount)]),
    tally(listingId, { orders: 1 }),
  ];
};

const deposit = (id: string, leaseId: string, beneficiary: string, amount: number): SubCommand =>
  locked({ id, beneficiary, amount, purpose: { kind: 'lease', id: leaseId } });

/** Pays the lessor what it has earned, refunds the rest and frees the lease's unit, unless that was done before. */
function share(read: Read, lease: LeaseContext, accrued: number): SubCommand[] {
  const { escrowId, listingId, amount, settled, isFromStock } = lease;
  if (settled) return [];
  return [
    ...paidOut(escrowId, { release: accrued, refund: amount - accrued }),
    tally(listingId, { completedOrders: 1 }),
    ...restored(read, { kind: 'capability-listing', id: listingId, quantity: isFromStock ? 1 : 0 }),
  ];
}

/**
 * The lease's context; LEASE_NOT_FOUND if it does not exist. Its own sub-command decides whether the action is
 * possible.
 */
function found(request: Request, read: Read): LeaseContext | Refusal {
  const lease = read('lease', request.id)?.context as unknown as LeaseContext | undefined;
  return lease ?? refuse('LEASE_NOT_FOUND', `no lease ${request.id} on this network`);
}

/** Records a call. The one that reaches the budget also pays the lessor. */
function invoke(request: Request, read: Read): readonly SubCommand[] | Refusal {
  const lease = found(request, read);
  if (isRefusal(lease)) return lease;
  return usesUp(lease, request.input as InvokeInput) ? [request, ...share(read, lease, lease.amount)] : [request];
}

const ending =
  (due: typeof dueAt): Workflow['subCommands'] =>
  (request, read, circumstance) => {
    const lease = found(request, read);
    return isRefusal(lease) ? lease : [request, ...share(read, lease, due(lease, circumstance))];
  };

const accrued: typeof dueAt = (lease, { time }) => accruedAt(lease, time);

export const leaseWorkflows: { readonly [action: string]: Workflow } = {
  'lease.create': { revision: 2, subCommands: start },
  'lease.invoke': { revision: 1, subCommands: invoke },
  'lease.terminate': { revision: 2, subCommands: ending(dueAt) },
  'lease.expire': { revision: 1, subCommands: ending(accrued) },
};
