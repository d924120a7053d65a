/**
 * What an information order changes in other resources, in its own entry
 * (docs/reference/markets.md#information-orders): listing, escrow, statistics, reputation.
 */

import type { JsonObject } from '../../core/canonical.js';
import { isRefusal, refuse } from '../../core/refusal.js';
import { locked, paidOut } from '../escrow/parts.js';
import type { ReadResource, Request, SubCommand, Workflow } from '../kernel/resource.js';
import { listingFor, restored, takeStock } from '../listing/parts.js';
import { tally } from '../listing/stats.js';
import { finishedParts, type RatingInput, reviewPart } from '../reputation/trade.js';
import { type InfoOrder, unsold } from './machine.js';
import { chargeOf } from './price.js';
import type { PurchaseInput } from './resource.js';

/** Takes the units from the stock, creates the order as paid, and puts the price into escrow. */
const purchase: Workflow['subCommands'] = (request, read, { signer }) => {
  const asked = request.input as unknown as PurchaseInput;
  const listing = listingFor(read, 'info-listing', asked.listingId, signer);
  if (isRefusal(listing)) return listing;
  const { seller, pricing, repricedAt, stock, own } = listing.context;
  if (seller === signer) return refuse('FORBIDDEN', 'nobody buys of themselves');
  const charge = chargeOf(pricing, asked);
  // If there is no price, the order's own sub-command refuses, after the listing's refusals.
  const price = isRefusal(charge) ? 0 : charge.price;
  const escrowId = price > 0 ? (request.ids?.escrow ?? '') : null;
  const terms = {
    seller,
    pricing: pricing as JsonObject,
    hasPackage: own.package !== undefined,
    isFromStock: stock !== null,
    ...(own.minDeliveryMs !== undefined && { minDeliveryMs: own.minDeliveryMs }),
    escrowId,
    repricedAt,
  };
  return [
    takeStock(listing, asked.quantity),
    { ...request, input: { ...request.input, ...terms }, asWorkflow: true },
    ...(escrowId === null ? [] : [inEscrow(escrowId, seller, price, request.id)]),
    tally(asked.listingId, { orders: 1 }),
  ];
};

const inEscrow = (id: string, beneficiary: string, amount: number, orderId: string): SubCommand =>
  locked({ id, beneficiary, amount, purpose: { kind: 'order', id: orderId } });

const known =
  (
    parts: (request: Request, order: InfoOrder, by: { signer: string; read: ReadResource }) => readonly SubCommand[],
  ): Workflow['subCommands'] =>
  (request, read, { signer }) => {
    const order = read('info-order', request.id)?.context as unknown as InfoOrder | undefined;
    return order
      ? parts(request, order, { signer, read })
      : refuse('ORDER_NOT_FOUND', `no order ${request.id} on this network`);
  };

/** Pays the seller and records the finished trade. */
const confirm = known((request, { escrowId, price, listingId, buyer, seller, deliveredAt, deliverBy }) => [
  request,
  ...paidOut(escrowId, { release: price }),
  tally(listingId, { completedOrders: 1 }),
  ...finishedParts({
    ref: request.id,
    client: buyer,
    provider: seller,
    price,
    inTime: deliveredAt !== null && deliveredAt <= deliverBy,
  }),
]);

const lapse = known((request, order, { read }) => [
  request,
  ...paidOut(order.escrowId, { refund: order.price }),
  ...restored(read, { id: order.listingId, ...unsold(order) }),
]);

/** The buyer's stars go to the listing; each party's review goes to the other's reputation, if Tokens were paid. */
const review = known((request, { listingId, buyer, seller, price }, { signer }) => {
  const { rating, comment, aspects } = request.input as unknown as RatingInput;
  const target = signer === buyer ? seller : buyer;
  return [
    request,
    ...(signer === buyer ? [tally(listingId, { rating })] : []),
    ...(price === 0 ? [] : [reviewPart({ ref: request.id, signer, target, rating, comment, aspects })]),
  ];
});

export const infoOrderWorkflows: { readonly [action: string]: Workflow } = {
  'info-order.create': { revision: 2, subCommands: purchase },
  'info-order.confirm': { revision: 1, subCommands: confirm },
  'info-order.settle': { revision: 1, subCommands: confirm },
  'info-order.lapse': { revision: 1, subCommands: lapse },
  'info-order.review': { revision: 1, subCommands: review },
};
