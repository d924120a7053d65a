/**
 * The listing as callers see it (docs/reference/markets.md#listings), and its schema.
 */

import { type FieldTable, type PublicForm, publicForm, resourceForm } from '../../core/schema/public-form.js';
import type * as is from '../../core/schema/scalar.js';
import * as a from '../../core/schema/shape.js';
import type { Seen } from '../kernel/definition.js';
import type { Resource } from '../kernel/resource.js';
import { substateOf, topState } from '../kernel/state-path.js';
import { versionFields } from '../kernel/version-fields.js';
import { type Bidding, bidsCloseAt, isOffered, isOver, type ListingContext } from './machine.js';
import { pricing } from './pricing.js';
import { bidCountOf, statsView } from './stats.js';

export const statuses = ['active', 'paused', 'expired', 'removed'] as const;
export const substates = ['open', 'awarded'] as const;

const stats = a.named(
  'ListingStats',
  a.object({
    orders: a.described(a.count, 'Number of orders so far.'),
    completedOrders: a.described(a.count, 'Number of completed orders.'),
    averageRating: a.described(
      { type: ['number', 'null'], minimum: 1, maximum: 5 },
      'Mean rating; null until the first review.',
    ),
    ratingCount: a.described(a.count, 'Number of ratings in the average.'),
  }),
);

interface BiddingSeen {
  readonly closesAt: number | null;
  readonly bidCount: number;
  readonly isAwarded: boolean;
  readonly time: number;
}

const bidding = publicForm<Bidding, BiddingSeen>({
  closesAt: [a.nullable(a.time, 'When bidding ends; null: never.'), (_, { closesAt }) => closesAt],
  maxBids: a.described(a.count, 'The most bids, withdrawn ones included.'),
  bidCount: [
    a.described(a.count, 'Bids that count towards `maxBids`, withdrawn ones included.'),
    (_, { bidCount }) => bidCount,
  ],
  open: [
    a.described(a.flag, 'Whether the deadline and the limit allow another bid.'),
    ({ award, maxBids }, { closesAt, bidCount, isAwarded, time }) =>
      award === null && !isAwarded && bidCount < maxBids && (closesAt === null || time < closesAt),
  ],
  orderId: [
    a.nullable(a.text, 'The order that resulted from the accepted bid.'),
    ({ award }) => award?.orderId ?? null,
  ],
});

const common: FieldTable<Resource<ListingContext>, Seen> = {
  listingId: [a.described(a.text, 'Id of the listing.'), ({ id }) => id],
  id: [a.described(a.text, 'The same as `listingId`.'), ({ id }) => id],
  marketType: a.described(a.text, 'info, task or capability.'),
  type: [a.described(a.text, 'The same as `marketType`.'), ({ context }) => context.marketType],
  seller: a.described(a.did, 'DID that published it.'),
  title: a.erasable(a.text, 'Title of the listing.'),
  description: a.erasable(a.text, 'Full description of the offer or request.'),
  category: a.described(a.text, 'Category that searches can filter by.'),
  tags: a.described(a.list(a.text), 'Words that searches can filter by.'),
  pricing: [
    a.described(pricing.schema, 'The price; `currency` is TOKEN.'),
    ({ context }) => ({ currency: 'TOKEN', ...context.pricing }),
  ],
  status: [
    a.described(a.oneOf(...statuses), 'The current status, which takes `expiresAt` into account.'),
    ({ state, context }, { time }) => (isOffered(state) && isOver(context, time) ? 'expired' : topState(state)),
  ],
  visibility: a.described(a.oneOf('public', 'private'), 'Only the owner can see a private listing.'),
  stats: [a.described(stats, 'Orders and ratings so far.'), (_, { companion }) => statsView(companion)],
  createdAt: versionFields.createdAt,
  updatedAt: versionFields.updatedAt,
  expiresAt: a.nullable(a.time, 'Null if never.'),
  resourcePrev: versionFields.resourcePrev,
};

const biddingField: FieldTable<Resource<ListingContext>, Seen> = {
  bidding: [
    a.described(bidding.schema, 'State of the bidding.'),
    ({ state, context }, { time, companion }) =>
      context.bidding
        ? bidding.view(context.bidding, {
            closesAt: bidsCloseAt(context),
            bidCount: bidCountOf(companion) ?? context.bidding.bids.length,
            // The card of another home has no award, but the state.
            isAwarded: substateOf(state) === 'awarded',
            time,
          })
        : undefined,
  ],
};

const substateField: FieldTable<Resource<ListingContext>, Seen> = {
  substate: [
    a.described(a.oneOf(...substates), 'While `active`: open for bids, or a bid was accepted.'),
    ({ state, context }, { time }) => (isOver(context, time) ? undefined : substateOf(state)),
  ],
};

/** @param own the market's own members */
export function listingForm(own: is.Fields, hasBids: boolean): PublicForm<Resource<ListingContext>, Seen> {
  const ownFields = (isOptional: boolean): FieldTable<Resource<ListingContext>, Seen> =>
    Object.fromEntries(
      Object.entries(own)
        .filter(([, { optional }]) => optional === isOptional)
        .map(([name, { schema }]) => [name, [a.outgoing(schema), ({ context }) => context.own[name]]]),
    );
  return resourceForm(
    { ...common, ...ownFields(false), ...(hasBids ? biddingField : {}) },
    {
      hidden: [
        a.described(a.text, 'Why the operator of this node hides it: only its seller and those who have dealt see it.'),
        (_, { companion }) => companion?.hidden as string | undefined,
      ],
      stock: [a.described(a.count, 'Units left; if absent, unlimited.'), ({ context }) => context.stock ?? undefined],
      ...(hasBids ? substateField : {}),
      ...ownFields(true),
    },
  );
}
