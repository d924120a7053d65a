/**
 * Bidding on a task, and accepting a bid (docs/reference/markets.md#bids). Each is one event: accepting closes the
 * listing for bids, opens an order, puts the bid's price into escrow and rejects every other bid. A task takes at most
 * 200 bids, so that this stays within what one entry may write.
 */

import { dayMs } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import { isRefusal, refuse } from '../../core/refusal.js';
import { locked } from '../escrow/parts.js';
import type { ReadResource, SubCommand, Workflow } from '../kernel/resource.js';
import { overListings } from '../listing/kinds.js';
import { type Listing, listingFor, noteAward, noteBid } from '../listing/parts.js';
import { tally } from '../listing/stats.js';
import type { BidContext } from './machine.js';

/** The provider's time to deliver if the task has no deadline. */
const deliverWithinMs = 30 * dayMs;

const part = (kind: string, id: string, action: string, input: JsonObject = {}): SubCommand => ({
  kind,
  id,
  action,
  input,
  asWorkflow: true,
});

const bidOf = (read: ReadResource, id: string): BidContext | undefined =>
  read('bid', id)?.context as unknown as BidContext | undefined;

/** The deadline of the task's timeline if it is in the future, else thirty days from now. */
function deliverBy({ context }: Listing, time: number): number {
  const { deadline } = (context.own.timeline ?? {}) as { readonly deadline?: number };
  return deadline !== undefined && deadline > time ? deadline : time + deliverWithinMs;
}

const partsAmong =
  (kinds: readonly string[]): Workflow['subCommands'] =>
  (request, read, { signer }) => {
    const { taskId } = request.input as { readonly taskId: string };
    // Reads all kinds before it refuses, so that one more attempt loads them all.
    const [kind = kinds[0]!] = kinds.filter((each) => read(each, taskId) !== undefined);
    const listing = listingFor(read, kind, taskId, signer);
    if (isRefusal(listing)) return listing;
    return [
      noteBid(listing, request.id),
      part('bid', request.id, 'create', { ...request.input, requester: listing.context.seller }),
    ];
  };

/** A bid may name any listing; the listing's state machine decides whether it takes bids. @param kinds every kind of listing */
export const bidding = (kinds: readonly string[]): { readonly [action: string]: Workflow } => ({
  'bid.create': overListings(kinds, partsAmong),
});

const accept: Workflow = {
  revision: 1,
  subCommands(request, read, { time }) {
    const bid = bidOf(read, request.id);
    const listing = bid && (read('task-listing', bid.taskId) as unknown as Listing | undefined);
    if (!bid || !listing) return refuse('NOT_FOUND', `no bid ${request.id} on this network`);
    const { order: orderId = '', escrow: escrowId = '' } = request.ids ?? {};
    const { bidder: provider, price, taskId } = bid;
    // As above: reads all bids first.
    const others = (listing.context.bidding?.bids ?? [])
      .filter(({ id }) => id !== request.id)
      .map(({ id }) => ({ id, state: read('bid', id)?.state }));
    const agreed = { taskId, bidId: request.id, provider, price, escrowId, deliverBy: deliverBy(listing, time) };
    return [
      { ...request, input: { ...request.input, orderId, escrowId } },
      noteAward(listing, request.id, orderId),
      part('task-order', orderId, 'create', agreed),
      locked({ id: escrowId, beneficiary: provider, amount: price, purpose: { kind: 'order', id: orderId } }),
      part('task-order', orderId, 'begin'),
      ...others.filter(({ state }) => state === 'submitted').map(({ id }) => part('bid', id, 'reject')),
      tally(taskId, { orders: 1 }),
    ];
  },
};

export const bidWorkflows: { readonly [action: string]: Workflow } = { 'bid.accept': accept };
