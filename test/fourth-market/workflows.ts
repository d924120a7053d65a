/** What an offer writes: the lot, the offer that led before, and the escrows of both. */

import type { JsonObject } from '../../src/core/canonical.js';
import { isRefusal, refuse } from '../../src/core/refusal.js';
import type { Request, SubCommand, Workflow } from '../../src/machines/kernel/resource.js';
import { isIn } from '../../src/machines/kernel/state-path.js';
import { type Listing, listingFor, takeStock } from '../../src/machines/listing/parts.js';
import { fixedPrice } from '../../src/machines/listing/pricing.js';
import { tally } from '../../src/machines/listing/stats.js';
import { finishedParts, reviewPart } from '../../src/machines/reputation/trade.js';
import type { Offer, OfferInput } from './offer.js';
import type { Sale } from './sale.js';

const part = (kind: string, id: string, action: string, input: JsonObject = {}): SubCommand => ({
  kind,
  id,
  action,
  input,
  asWorkflow: true,
});
const back = ({ escrowId, amount }: Offer): SubCommand =>
  part('escrow', escrowId, 'refund', { amount, reason: 'outbid' });

/** @param isChecked whether the lot must be active and in stock; not so in revision 1 */
const making =
  (isChecked: boolean): Workflow['subCommands'] =>
  (request, read, { signer }) => {
    const { listingId, amount } = request.input as unknown as OfferInput;
    const listing = listingFor(read, 'auction-listing', listingId, signer);
    if (isRefusal(listing)) return listing;
    const { seller, pricing, own } = listing.context;
    if (seller === signer || amount < (fixedPrice(pricing) ?? 0)) return refuse('BID_NOT_ALLOWED', 'not so');
    const leading = read('auction-lead', listingId)?.context as { offerId: string } | undefined;
    const before = leading && read('offer', leading.offerId);
    const escrowId = request.ids?.escrow ?? '';
    const purpose = { kind: 'offer', id: request.id };
    return [
      ...(isChecked ? [{ ...takeStock(listing), check: true as const }] : []),
      { ...request, input: { ...request.input, seller, closesAt: own.closesAt ?? 0, escrowId } },
      part('auction-lead', listingId, 'take', { offerId: request.id, amount }),
      part('escrow', escrowId, 'create', { beneficiary: seller, amount, releaseRules: [], autoFund: true, purpose }),
      ...(before?.state === 'leading' ? [part('offer', before.id, 'outbid'), back(before.context as never)] : []),
    ];
  };

const sold = (offerId: string, offer: Offer, listing: Listing): readonly SubCommand[] => {
  const { listingId, seller, bidder: buyer, amount: price, escrowId } = offer;
  return [
    takeStock(listing),
    part('auction-order', saleOf(offerId), 'create', { listingId, seller, buyer, price, escrowId }),
    tally(listingId, { orders: 1 }),
  ];
};

/** Sent by the seller: sells the lot to the highest offer at once. */
const accepting: Workflow = {
  revision: 1,
  subCommands(request, read) {
    const offer = read('offer', request.id)?.context as unknown as Offer | undefined;
    if (!offer) return refuse('ORDER_NOT_FOUND', `no offer ${request.id} on this network`);
    const listing = listingFor(read, 'auction-listing', offer.listingId, offer.seller);
    return isRefusal(listing) ? listing : [request, ...sold(request.id, offer, listing)];
  },
};

/** Sent by the clock: sells the lot to the highest offer, unless the listing was removed. */
const closing: Workflow = {
  revision: 1,
  subCommands(request, read, { time }) {
    const offer = read('offer', request.id)?.context as unknown as Offer | undefined;
    if (!offer) return refuse('ORDER_NOT_FOUND', `no offer ${request.id} on this network`);
    const listing = listingFor(read, 'auction-listing', offer.listingId, offer.seller);
    if (isRefusal(listing)) return listing;
    const { expiresAt, stock } = listing.context;
    const isSold = isIn(listing.state, 'active') && stock !== 0 && (expiresAt ?? time + 1) > time;
    if (!isSold) return [request, back(offer)];
    return [{ ...request, input: { sold: true } }, ...sold(request.id, offer, listing)];
  },
};

/** Derived from the offer's id, so that an offer is sold only once. */
export const saleOf = (offerId: string): string => offerId.replace(/^off-/, 'sale-');

const known = (parts: (request: Request, sale: Sale, signer: string) => readonly SubCommand[]): Workflow => ({
  revision: 1,
  subCommands(request, read, { signer }) {
    const order = read('auction-order', request.id)?.context as unknown as Sale | undefined;
    return order ? parts(request, order, signer) : refuse('ORDER_NOT_FOUND', `no sale ${request.id} on this network`);
  },
});

/** Pays the seller and records the deal. */
const paying = known((request, { escrowId, price, listingId, buyer, seller }) => [
  request,
  part('escrow', escrowId, 'release', { amount: price }),
  tally(listingId, { completedOrders: 1 }),
  ...finishedParts({ ref: request.id, client: buyer, provider: seller, price, inTime: true }),
]);

const review = known((request, { listingId, seller }, signer) => {
  const { rating } = request.input as unknown as { readonly rating: number };
  return [request, tally(listingId, { rating }), reviewPart({ ref: request.id, signer, target: seller, rating })];
});

export const auctionWorkflows: { readonly [action: string]: Workflow } = {
  'offer.create': {
    revision: 2,
    subCommands: making(true),
    past: [{ revision: 1, subCommands: making(false) }],
  },
  'offer.accept': accepting,
  'offer.close': closing,
  'auction-order.confirm': paying,
  'auction-order.settle': paying,
  'auction-order.review': review,
};
