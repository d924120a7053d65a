/** What an offer asks of the lot, of whoever led before, and of the escrows. */
import type { JsonObject } from '../../src/machines/kernel/canonical.js';
import { isRefusal, refuse } from '../../src/machines/kernel/refusal.js';
import type { Part, Workflow } from '../../src/machines/kernel/step.js';
import { listingFor, takeStock } from '../../src/machines/listing/parts.js';
import { fixedPrice } from '../../src/machines/listing/pricing.js';
import { tally } from '../../src/machines/listing/stats.js';
import type { Offer, OfferInput } from './offer.js';

const part = (kind: string, id: string, action: string, input: JsonObject = {}): Part => ({
  kind,
  id,
  action,
  input,
  asWorkflow: true,
});
const back = ({ escrowId, amount }: Offer): Part => part('escrow', escrowId, 'refund', { amount, reason: 'outbid' });

const making: Workflow = {
  revision: 1,
  parts(request, read, { signer }) {
    const { listingId, amount } = request.input as unknown as OfferInput;
    const listing = listingFor(read, 'auction-listing', listingId, signer);
    if (isRefusal(listing)) return listing;
    const { seller, pricing, own } = listing.context;
    if (seller === signer || amount < (fixedPrice(pricing) ?? 0)) return refuse('BID_NOT_ALLOWED', 'not so');
    const leading = read('auction-lead', listingId)?.context as { offerId: string } | undefined;
    const before = leading && (read('offer', leading.offerId)?.context as unknown as Offer | undefined);
    const escrowId = request.ids?.escrow ?? '';
    const purpose = { kind: 'offer', id: request.id };
    return [
      { ...takeStock(listing), check: true },
      { ...request, input: { ...request.input, seller, closesAt: own.closesAt ?? 0, escrowId } },
      part('auction-lead', listingId, 'take', { offerId: request.id, amount }),
      part('escrow', escrowId, 'create', { beneficiary: seller, amount, releaseRules: [], autoFund: true, purpose }),
      ...(leading && before ? [part('offer', leading.offerId, 'outbid'), back(before)] : []),
    ];
  },
};

/** The clock's: the lot goes to the highest offer, unless its listing has gone meanwhile. */
const closing: Workflow = {
  revision: 1,
  parts(request, read, { time }) {
    const offer = read('offer', request.id)?.context as unknown as Offer | undefined;
    if (!offer) return refuse('ORDER_NOT_FOUND', `no offer ${request.id} on this network`);
    const listing = listingFor(read, 'auction-listing', offer.listingId, offer.seller);
    if (isRefusal(listing)) return listing;
    const { expiresAt, stock } = listing.context;
    const sold = listing.state === 'active' && stock !== 0 && (expiresAt ?? time + 1) > time;
    if (!sold) return [request, back(offer)];
    return [
      { ...request, input: { sold } },
      takeStock(listing),
      part('escrow', offer.escrowId, 'release', { amount: offer.amount }),
      tally(offer.listingId, { orders: 1, completedOrders: 1 }),
    ];
  },
};

export const auctionWorkflows: { readonly [action: string]: Workflow } = {
  'offer.create': making,
  'offer.close': closing,
};
