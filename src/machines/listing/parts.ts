/** Sub-commands for a listing, used by the workflows of orders, bids and leases. resource.ts has an example. */
import { type Refusal, refuse } from '../../core/refusal.js';
import type { ReadResource, Resource, SubCommand } from '../kernel/resource.js';
import { isAwarded, isOffered, type ListingContext } from './machine.js';

export type Listing = Resource<ListingContext>;

/** The listing as this signer may see it; LISTING_NOT_FOUND if it does not exist, or is another DID's private one. */
export function listingFor(read: ReadResource, kind: string, id: string, signer: string): Listing | Refusal {
  const found = read(kind, id) as unknown as Listing | undefined;
  const isShown = found && (found.context.visibility === 'public' || found.context.seller === signer);
  return isShown ? found : refuse('LISTING_NOT_FOUND', `no listing ${id} on this network`);
}

const asked = ({ kind, id }: Listing, action: string, input: SubCommand['input']): SubCommand => ({
  kind,
  id,
  action,
  input,
  asWorkflow: true,
});

/**
 * Takes units of the stock; taking the last one pauses the listing. LISTING_NOT_ACTIVE if it is not active, CONFLICT if
 * the stock is too small. For a listing without a stock this is only a check, and its `resourcePrev` does not change.
 */
export const takeStock = (listing: Listing, quantity = 1): SubCommand => ({
  ...asked(listing, 'order', { quantity }),
  ...(listing.context.stock === null ? { check: true } : {}),
});

/** Records a bid by the signer: LISTING_NOT_ACTIVE, or BID_NOT_ALLOWED for each of the bid rules. */
export const noteBid = (listing: Listing, bidId: string): SubCommand => asked(listing, 'bid', { bidId });

/** Closes the bidding after a bid was accepted: LISTING_NOT_ACTIVE; ORDER_INVALID_STATE if one was accepted before. */
export const noteAward = (listing: Listing, bidId: string, orderId: string): SubCommand =>
  asked(listing, 'award', { bidId, orderId });

/** What an order or a lease that has ended gives back to its listing. */
export interface GivenBack {
  readonly kind: string;
  readonly id: string;
  /** Units of its stock; 0 for one without. */
  readonly quantity: number;
}

/**
 * Gives units of the stock back, and lets a task take bids again. A listing that stock alone paused is active again; one
 * that has expired or was removed stays as it is.
 */
export function restored(read: ReadResource, { kind, id, quantity }: GivenBack): SubCommand[] {
  const listing = read(kind, id) as unknown as Listing | undefined;
  if (!listing || !isOffered(listing.state)) return [];
  const isChanged = isAwarded(listing.context) || (quantity > 0 && listing.context.stock !== null);
  return isChanged ? [asked(listing, 'restore', { quantity })] : [];
}
