/**
 * The information order as callers see it, and its schema. The delivered secrets are not in it; only the parties may
 * read them (reads.ts).
 */
import { publicForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import type { Resource } from '../kernel/definition.js';
import { versionFields } from '../kernel/version-fields.js';
import type { InfoOrder } from './machine.js';

export const statuses = ['pending', 'paid', 'delivered', 'confirmed', 'reviewed', 'cancelled', 'disputed'] as const;

export const reviewSchema = a.named(
  'OrderReview',
  a.object(
    { rating: { type: 'integer', minimum: 1, maximum: 5 }, at: a.time },
    { comment: a.text, aspects: a.freeObject },
  ),
);

const form = publicForm<Resource<InfoOrder>>({
  orderId: [a.text, ({ id }) => id],
  id: [a.described(a.text, 'The same as `orderId`.'), ({ id }) => id],
  marketType: [a.described(a.constant('info'), 'Market of the order.'), () => 'info'],
  status: [a.oneOf(...statuses), ({ state }) => state],
  listingId: [a.text, ({ context }) => context.listingId],
  buyer: [a.did, ({ context }) => context.buyer],
  seller: [a.did, ({ context }) => context.seller],
  quantity: [a.count, ({ context }) => context.quantity],
  unitPrice: [a.tokens, ({ context }) => context.unitPrice],
  price: [a.described(a.tokens, 'Tokens, of all units.'), ({ context }) => context.price],
  currency: [a.described(a.constant('TOKEN'), 'Always Tokens.'), () => 'TOKEN'],
  escrowId: [
    a.described(a.nullable(a.text), 'Where the price waits; null where it is 0.'),
    ({ context }) => context.escrowId,
  ],
  disputeId: [
    a.described(a.nullable(a.text), 'Its dispute, where there is or was one.'),
    ({ context }) => context.disputeId,
  ],
  buyerPublicKeyHex: [
    a.described(a.text, 'X25519 key that a delivery is wrapped for.'),
    ({ context }) => context.buyerPublicKeyHex,
  ],
  deliverBy: [
    a.described(a.time, 'When what was not delivered is cancelled and paid back.'),
    ({ context }) => context.deliverBy,
  ],
  deliveredAt: [a.nullable(a.time), ({ context }) => context.deliveredAt],
  confirmBy: [
    a.described(a.nullable(a.time), 'When what was delivered counts as confirmed.'),
    ({ context }) => context.confirmBy,
  ],
  confirmedAt: [a.nullable(a.time), ({ context }) => context.confirmedAt],
  envelopeDigest: [
    a.described(a.nullable(a.hash), 'Of the deliverable envelope, where one was delivered.'),
    ({ context }) => (context.delivery?.data?.envelopeDigest as string | undefined) ?? null,
  ],
  reviews: [a.object({}, { buyer: reviewSchema, seller: reviewSchema }), ({ context }) => context.reviews],
  ...versionFields,
});

export const { view } = form;
export const viewSchema = a.named('InfoOrder', form.schema);
