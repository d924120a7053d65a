/**
 * An order of information as callers see it, and the schema of that. What was delivered is not in it: that is the
 * parties' (http/routes/info-content.ts).
 */
import type { Json, JsonObject } from '../kernel/canonical.js';
import type { Resource } from '../kernel/resource.js';
import * as a from '../kernel/shape.js';
import type { InfoOrder } from './machine.js';

export const statuses = ['pending', 'paid', 'delivered', 'confirmed', 'reviewed', 'cancelled', 'disputed'] as const;

export const view = ({ id, state, context, lastHash, createdAt, updatedAt }: Resource<InfoOrder>): JsonObject => ({
  orderId: id,
  id,
  marketType: 'info',
  status: state,
  listingId: context.listingId,
  buyer: context.buyer,
  seller: context.seller,
  quantity: context.quantity,
  unitPrice: context.unitPrice,
  price: context.price,
  currency: 'TOKEN',
  escrowId: context.escrowId,
  buyerPublicKeyHex: context.buyerPublicKeyHex,
  deliverBy: context.deliverBy,
  deliveredAt: context.deliveredAt,
  confirmBy: context.confirmBy,
  confirmedAt: context.confirmedAt,
  envelopeDigest: (context.delivery?.data?.envelopeDigest as string | undefined) ?? null,
  disputeId: context.disputeId,
  reviews: context.reviews as unknown as Json,
  createdAt,
  updatedAt,
  resourcePrev: lastHash,
});

export const reviewSchema = a.named(
  'OrderReview',
  a.object(
    { rating: { type: 'integer', minimum: 1, maximum: 5 }, at: a.time },
    { comment: a.text, aspects: a.freeObject },
  ),
);

export const viewSchema = a.named(
  'InfoOrder',
  a.object({
    orderId: a.text,
    id: a.described(a.text, 'The same as `orderId`.'),
    marketType: { const: 'info' },
    status: a.oneOf(...statuses),
    listingId: a.text,
    buyer: a.did,
    seller: a.did,
    quantity: a.count,
    unitPrice: a.tokens,
    price: a.described(a.tokens, 'Tokens, of all units.'),
    currency: { const: 'TOKEN' },
    escrowId: a.described(a.nullable(a.text), 'Where the price waits; null where it is 0.'),
    disputeId: a.described(a.nullable(a.text), 'Its dispute, where there is or was one.'),
    buyerPublicKeyHex: a.described(a.text, 'X25519 key that a delivery is wrapped for.'),
    deliverBy: a.described(a.time, 'When what was not delivered is cancelled and paid back.'),
    deliveredAt: a.nullable(a.time),
    confirmBy: a.described(a.nullable(a.time), 'When what was delivered counts as confirmed.'),
    confirmedAt: a.nullable(a.time),
    envelopeDigest: a.described(a.nullable(a.hash), 'Of the deliverable envelope, where one was delivered.'),
    reviews: a.object({}, { buyer: reviewSchema, seller: reviewSchema }),
    createdAt: a.time,
    updatedAt: a.time,
    resourcePrev: a.described(a.hash, 'Hash of its last event: what the next write sends as `resourcePrev`.'),
  }),
);
