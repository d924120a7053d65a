/**
 * The information order as a resource (docs/reference/markets.md#information-orders). workflow.ts defines which other
 * resources a request writes (listing, escrow, statistics, reputation); transformers.ts handles keys.
 */

import { dayMs } from '../../core/bounds.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { looksBlank } from '../deliverable/blank.js';
import { withEnvelope } from '../deliverable/envelope.js';
import { undisputed } from '../dispute/claim.js';
import { orderDispute, orderGuards, orderResolve } from '../dispute/order-actions.js';
import { ruledMoves } from '../dispute/ruling.js';
import { defineResource } from '../kernel/definition.js';
import type { MachineEvent } from '../kernel/resource.js';
import { isNews, type Pricing } from '../listing/pricing.js';
import { type DeliverInput, deliverWithinMs, type InfoOrder, infoOrderMachine, unsold } from './machine.js';
import { chargeOf } from './price.js';
import { infoReads } from './reads.js';
import { sealed } from './sealed.js';
import { deliverInfo, orderOfInformation, purchaseInfo, saysNothingDelivered } from './transformers.js';
import { statuses, view, viewSchema } from './view.js';

/** The seller's least time to deliver, unless the listing states `minDeliveryMs`. */
const shortestDeliveryMs = 3_600_000;
/** Limits how long a buyer's Tokens may be locked for something that is never delivered. */
const longestDeliveryMs = 365 * dayMs;
const key32 = is.pattern(/^[0-9a-f]{64}$/, '32 bytes as lower-case hexadecimal digits');

/** It is sealed before the machine sees it, so a blank one is refused here. */
const opening = is.refined(is.text(4096, 1), (text) => !looksBlank(text) || 'must not be blank');

const purchaseFields = {
  listingId: is.described(is.chosenId(), 'Id of the listing that is bought.'),
  quantity: is.optional(is.integer(1, 1_000_000), 'Units; default 1.'),
  unitPrice: is.optional(is.integer(0), 'Tokens for one unit, if the listing has a range of prices.'),
  expectedPrice: is.optional(
    is.integer(0),
    'The unit price that you expect. If the price differs, the node refuses the request and returns the current price.',
  ),
  deliverBy: is.optional(
    is.time,
    'When an order that was not delivered is cancelled: an hour ahead (or the listing’s `minDeliveryMs`) to a year, ISO 8601 with an offset, or epoch milliseconds.',
  ),
  buyerPublicKeyHex: is.optional(
    key32,
    'X25519 key to encrypt the content key for; default: the X25519 form of the DID’s own key.',
  ),
};

interface PurchaseTerms {
  readonly seller?: string;
  readonly pricing?: Pricing;
  readonly repricedAt?: number | null;
  readonly hasPackage?: boolean;
  readonly isFromStock?: boolean;
  readonly minDeliveryMs?: number;
  readonly escrowId?: string | null;
}
const purchase = is.object(purchaseFields);
export type PurchaseInput = is.TypeOf<typeof purchase> & PurchaseTerms;

/** Unknown members are ignored (docs/reference/requests.md#unknown-members). */
const deliver = is.ignoringUnknown(
  is.object({
    contentKeyHex: is.optional(
      is.secret(key32),
      'Key of the content, 32 bytes in hex; absent: the one that the node keeps for the seller.',
    ),
    buyerPublicKeyHex: is.optional(key32, 'The buyer’s X25519 key, as a check: it must be the key of the order.'),
    accessToken: is.optional(is.secret(opening), 'An access token. The node encrypts it for the buyer.'),
    accessUrl: is.optional(is.secret(opening), 'URL of the content. The node encrypts it for the buyer.'),
    expiresAt: is.optional(
      is.time,
      'Until when what it opens is there: ISO 8601 with an offset, or epoch milliseconds. Absent: for good.',
    ),
    deliveryData: is.optional(withEnvelope, 'Further details of the delivery, in members of your choice.'),
  }),
);

function check({ input, time }: MachineEvent<'create', PurchaseInput>): Refusal | undefined {
  const charge = chargeOf(input.pricing ?? {}, { ...input, isNews: isNews(input.repricedAt, time) });
  if (isRefusal(charge)) return charge;
  const { deliverBy, minDeliveryMs = shortestDeliveryMs } = input;
  if (deliverBy === undefined) return undefined;
  if (deliverBy < time + minDeliveryMs || deliverBy <= time) {
    return refuse('UNPROCESSABLE', `deliverBy: the seller has at least ${minDeliveryMs} ms to deliver`);
  }
  return deliverBy > time + longestDeliveryMs
    ? refuse('UNPROCESSABLE', 'deliverBy is more than a year ahead')
    : undefined;
}

function context({ input, signer, time }: MachineEvent<'create', PurchaseInput>): InfoOrder {
  const charge = chargeOf(input.pricing ?? {}, input);
  return {
    listingId: input.listingId,
    buyer: signer,
    seller: input.seller ?? '',
    ...(isRefusal(charge) ? { quantity: 0, unitPrice: 0, price: 0 } : charge),
    escrowId: input.escrowId ?? null,
    buyerPublicKeyHex: input.buyerPublicKeyHex ?? '',
    hasPackage: input.hasPackage ?? false,
    isFromStock: input.isFromStock ?? false,
    deliverBy: input.deliverBy ?? time + deliverWithinMs,
    deliveredAt: null,
    confirmBy: null,
    confirmedAt: null,
    delivery: null,
    ...undisputed,
    reviews: {},
  };
}

const nothing = { input: is.object({}), example: {} };
const below = (action: string) => `/markets/info/:listingId/actions/${action}`;

export const infoOrder = defineResource({
  kind: 'info-order',
  revision: 3,
  machine: infoOrderMachine,
  tones: { confirmed: 'good', reviewed: 'good', cancelled: 'neutral', disputed: 'trouble' },
  route: { path: '/orders', param: 'orderId', tag: 'Market: information', idPrefix: 'ord-', ownReads: true },
  refusals: { unknown: 'ORDER_NOT_FOUND', state: 'ORDER_INVALID_STATE', stale: 'ORDER_INVALID_STATE' },
  roles: {
    buyer: ({ buyer }) => [buyer],
    seller: ({ seller }) => [seller],
    arbiter: ({ arbiter }) => (arbiter ? [arbiter] : []),
  },
  create: {
    mayRefuse: ['FORBIDDEN', 'LISTING_NOT_ACTIVE'],
    moves: [{ amount: 'price', from: 'buyer, available', to: 'buyer, escrowed' }],
    transform: purchaseInfo,
    event: 'order.purchased',
    summary: 'Buy: the price goes into an escrow, and the seller has to deliver.',
    idField: 'orderId',
    path: below('purchase'),
    of: ['info-listing'],
    makes: { escrow: 'esc-' },
    input: purchase as is.Scalar<PurchaseInput>,
    example: { listingId: 'lst-1', quantity: 1 },
    check,
    context,
    followUps: () => [{ type: 'pay', input: {} }],
  },
  actions: {
    pay: { event: 'order.paid', who: ['workflow'], ...nothing, summary: 'The price is in escrow.', internal: true },
    deliver: {
      transform: deliverInfo,
      adds: { sealed: is.optional(sealed) },
      event: 'order.delivered',
      who: ['seller'],
      input: deliver as unknown as is.Scalar<DeliverInput>,
      example: { accessUrl: 'https://example.org/rain.csv', deliveryData: { note: 'there for a week' } },
      summary: 'Deliver the content’s key, tokens and addresses, wrapped for the buyer’s key.',
      path: below('deliver'),
    },
    confirm: {
      moves: [{ amount: 'price', from: 'buyer, escrowed', to: 'seller, available' }],
      event: 'order.confirmed',
      who: ['buyer'],
      ...nothing,
      summary: 'Confirm the delivery, which pays the seller.',
      path: below('confirm'),
    },
    review: {
      event: 'order.reviewed',
      who: ['buyer', 'seller'],
      input: is.object({
        rating: is.described(is.integer(1, 5), '1 to 5 stars.'),
        comment: is.optional(is.leaf(is.text(2000)), 'Your comment.'),
        aspects: is.optional(
          is.leaf(is.atMostBytes(is.freeObject, 4096)),
          'Further details, in members of your choice.',
        ),
      }),
      example: { rating: 5 },
      summary: 'Review the other party; each party once.',
      path: below('review'),
    },
    dispute: { ...orderDispute, who: ['buyer', 'seller'] },
    resolve: {
      ...orderResolve,
      moves: ruledMoves('buyer', 'seller'),
      who: ['buyer', 'seller', 'arbiter', 'workflow'],
    },
    lapse: {
      moves: [{ amount: 'price', from: 'buyer, escrowed', to: 'buyer, available' }],
      event: 'order.cancelled',
      who: ['clock'],
      ...nothing,
      summary: 'The clock refunds an order that was not delivered in time.',
      internal: true,
    },
    settle: {
      moves: [{ amount: 'price', from: 'buyer, escrowed', to: 'seller, available' }],
      event: 'order.settled',
      who: ['clock'],
      ...nothing,
      summary: 'The clock confirms what no one has answered in time.',
      internal: true,
    },
  },
  guards: {
    isOverdue: { code: 'ORDER_INVALID_STATE', over: 'state', says: 'the time to deliver has not passed' },
    isForTheBuyersKey: {
      code: 'UNPROCESSABLE',
      over: 'input',
      says: 'buyerPublicKeyHex is not the key that was fixed at purchase',
    },
    bringsTheKey: { code: 'UNPROCESSABLE', over: 'input', says: 'the key of the content is missing' },
    bringsContent: { code: 'UNPROCESSABLE', over: 'input', says: saysNothingDelivered },
    envelopeHolds: { code: 'UNPROCESSABLE', over: 'input', says: 'the envelope is not the deliverer’s, or not signed' },
    ...orderGuards,
    paysSeller: { ...orderGuards.isHeard, says: 'the ruling does not pay the seller' },
    paysBuyerBack: { ...orderGuards.isHeard, says: 'the ruling does not pay the buyer back' },
    wasNotAnswered: { code: 'ORDER_INVALID_STATE', over: 'state', says: 'the time to confirm has not passed' },
    isTheBuyers: { code: 'FORBIDDEN', over: 'state', says: 'it is not the buyer’s' },
    isTheFirst: { code: 'ORDER_INVALID_STATE', over: 'state', says: 'you have reviewed this order already' },
  },
  effects: {},
  alarm: (state, { deliverBy, confirmBy }) => {
    if (state === 'paid') return { at: deliverBy, action: 'lapse' };
    return state === 'delivered' && confirmBy !== null ? { at: confirmBy, action: 'settle' } : null;
  },
  labels: ({ buyer, seller }) => [`buyer:${buyer}`, `seller:${seller}`],
  list: { name: 'orders', roles: ['buyer', 'seller'], statuses },
  payloadReaders: ({ buyer, seller, arbiter }) => [buyer, seller, ...(arbiter ? [arbiter] : [])],
  trade: {
    parties: ({ buyer, seller }) => ({ client: buyer, provider: seller }),
    isFinished: (state) => state === 'confirmed' || state === 'reviewed',
    order: (order) => {
      const { price, escrowId, listingId, deliveredAt, deliverBy } = order;
      const inTime = deliveredAt !== null && deliveredAt <= deliverBy;
      return { price, escrowId, listingId, inTime, unsold: unsold(order) };
    },
  },
  defaultId: orderOfInformation,
  view,
  viewSchema,
  extraReads: infoReads,
});
