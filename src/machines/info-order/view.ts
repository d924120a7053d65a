/**
 * The information order as callers see it, and its schema. The delivered secrets are not in it; only the parties may
 * read them (reads.ts).
 */
import { resourceForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import type { Resource } from '../kernel/resource.js';
import { versionFields } from '../kernel/version-fields.js';
import type { PartyReview } from '../reputation/trade.js';
import type { InfoOrder } from './machine.js';

export const statuses = ['pending', 'paid', 'delivered', 'confirmed', 'reviewed', 'cancelled', 'disputed'] as const;

/** The member `reviews` of an order: those of both parties. @param roles of the parties */
export const reviewsField = <Role extends string>(...roles: readonly Role[]) => {
  const review = a.named(
    `${roles.map((role) => `${role.charAt(0).toUpperCase()}${role.slice(1)}`).join('')}Review`,
    a.object({
      role: a.described(a.oneOf(...roles), 'Who wrote it.'),
      rating: a.described({ type: 'integer', minimum: 1, maximum: 5 }, '1 to 5 stars.'),
      comment: a.erasable(a.text, 'The reviewer’s comment; null if there is none.'),
      aspects: a.erasable(a.freeObject, 'Further details from the reviewer; null if there are none.'),
      createdAt: a.described(a.time, 'When it was written; epoch milliseconds.'),
    }),
  );
  const of = (reviews: { readonly [R in Role]?: PartyReview }) =>
    roles.flatMap((role) => {
      const { rating, comment = null, aspects = null, at } = reviews[role] ?? {};
      return at === undefined ? [] : [{ role, rating, comment, aspects, createdAt: at }];
    });
  return [
    a.described(a.list(review), 'The reviews that the parties have written.'),
    ({ context }: Resource<{ readonly reviews: { readonly [R in Role]?: PartyReview } }>) => of(context.reviews),
  ] as const;
};

export const confirmByField = [
  a.nullable(a.time, 'When the clock confirms a delivery; null if none waits.'),
  ({ state, context }: Resource<{ readonly confirmBy: number | null }>) =>
    state === 'delivered' ? context.confirmBy : null,
] as const;

const form = resourceForm<Resource<InfoOrder>>({
  orderId: [a.described(a.text, 'Id of the order.'), ({ id }) => id],
  id: [a.described(a.text, 'The same as `orderId`.'), ({ id }) => id],
  marketType: [a.described(a.constant('info'), 'Market of the order.'), () => 'info'],
  status: [a.described(a.oneOf(...statuses), 'State of the order.'), ({ state }) => state],
  listingId: a.described(a.text, 'The listing that was bought.'),
  buyer: a.described(a.did, 'DID that buys.'),
  seller: a.described(a.did, 'DID that sells.'),
  quantity: a.described(a.count, 'Units.'),
  unitPrice: a.described(a.tokens, 'Tokens for one unit.'),
  price: a.described(a.tokens, 'Tokens for all units.'),
  currency: [a.described(a.constant('TOKEN'), 'Always Tokens.'), () => 'TOKEN'],
  escrowId: a.nullable(a.text, 'Escrow that holds the price; null if the price is 0.'),
  disputeId: a.nullable(a.text, 'Its dispute, if there is or was one.'),
  buyerPublicKeyHex: a.described(a.text, 'X25519 key that a delivery is encrypted for.'),
  deliverBy: a.described(a.time, 'When the clock cancels and refunds an order that is not delivered.'),
  deliveredAt: a.nullable(a.time, 'When it was delivered; epoch milliseconds, null before.'),
  confirmBy: confirmByField,
  confirmedAt: a.nullable(a.time, 'When it was confirmed; epoch milliseconds, null before.'),
  envelopeDigest: [
    a.nullable(a.hash, 'Of the deliverable envelope, where one was delivered.'),
    ({ context }) => (context.delivery?.data?.envelopeDigest as string | undefined) ?? null,
  ],
  reviews: reviewsField('buyer', 'seller'),
  ...versionFields,
});

export const { view } = form;
export const viewSchema = a.named('InfoOrder', form.schema);
