/**
 * A listing as callers see it (decisions.md, Markets: Listing), and the schema of that.
 */
import type { Json, JsonObject } from '../kernel/canonical.js';
import type { Resource, Seen } from '../kernel/resource.js';
import type * as is from '../kernel/scalar.js';
import * as a from '../kernel/shape.js';
import { bidsCloseAt, isOver, type ListingContext } from './machine.js';
import { pricing } from './pricing.js';
import { statsView } from './stats.js';

export const statuses = ['active', 'paused', 'expired', 'removed'] as const;

/** `status` is what holds now: a listing whose time has passed is expired before the clock comes by. */
export function view(
  { id, state, context, lastHash, createdAt, updatedAt }: Resource<ListingContext>,
  { time, beside }: Seen,
  hidden: readonly string[] = [],
): JsonObject {
  const { bidding, own } = context;
  const isOpen = state === 'active' || state === 'paused';
  const view: { [name: string]: Json } = {
    listingId: id,
    id,
    marketType: context.marketType,
    seller: context.seller,
    title: context.title,
    description: context.description,
    category: context.category,
    tags: context.tags,
    pricing: { currency: 'TOKEN', ...context.pricing } as JsonObject,
    status: isOpen && isOver(context, time) ? 'expired' : state,
    visibility: context.visibility,
    stats: statsView(beside),
    createdAt,
    updatedAt,
    expiresAt: context.expiresAt,
    resourcePrev: lastHash,
  };
  for (const name in own) if (!hidden.includes(name)) view[name] = own[name] as Json;
  if (context.stock !== null) view.stock = context.stock;
  if (bidding) view.bidding = biddingView(context, time);
  return view;
}

function biddingView(context: ListingContext, time: number): JsonObject {
  const { maxBids, bids, award } = context.bidding!;
  const closesAt = bidsCloseAt(context);
  const isOpen = award === null && bids.length < maxBids && (closesAt === null || time < closesAt);
  return { closesAt, maxBids, bidCount: bids.length, open: isOpen, orderId: award?.orderId ?? null };
}

const stats = a.named(
  'ListingStats',
  a.object({
    orders: a.count,
    completedOrders: a.count,
    averageRating: a.described({ type: ['number', 'null'], minimum: 1, maximum: 5 }, 'Null until the first review.'),
    ratingCount: a.count,
  }),
);

const bidding = a.object({
  closesAt: a.described(a.nullable(a.time), 'When bidding ends; null: never.'),
  maxBids: a.count,
  bidCount: a.described(a.count, 'Bids so far, withdrawn ones included.'),
  open: a.described(a.flag, 'Whether there is time and room for one more.'),
  orderId: a.described(a.nullable(a.text), 'The order that an accepted bid has made.'),
});

/** @param own the market's own members, as its fields say */
export function viewSchemaOf(title: string, own: is.Fields, hasBids: boolean): is.JsonSchema {
  const isAlways = ([, { optional }]: readonly [string, is.Scalar<unknown>]) => !optional;
  const schemas = (entries: readonly (readonly [string, is.Scalar<unknown>])[]) =>
    Object.fromEntries(entries.map(([name, { schema }]) => [name, a.outgoing(schema)]));
  const members = Object.entries(own);
  return a.named(
    title,
    a.object(
      {
        listingId: a.text,
        id: a.described(a.text, 'The same as `listingId`.'),
        marketType: a.described(a.text, 'info, task or capability.'),
        seller: a.described(a.did, 'DID that published it.'),
        title: a.text,
        description: a.text,
        category: a.text,
        tags: a.list(a.text),
        pricing: a.described(pricing.schema, 'What it costs; `currency` is TOKEN.'),
        status: a.described(a.oneOf(...statuses), 'As of now, `expiresAt` considered.'),
        visibility: a.described(a.oneOf('public', 'private'), 'Private ones are shown to their owner only.'),
        stats,
        createdAt: a.time,
        updatedAt: a.time,
        expiresAt: a.described(a.nullable(a.time), 'Null: never.'),
        resourcePrev: a.described(a.hash, 'Hash of its last event: what the next write sends as `resourcePrev`.'),
        ...schemas(members.filter(isAlways)),
        ...(hasBids ? { bidding } : {}),
      },
      {
        stock: a.described(a.count, 'Units left; absent: unlimited.'),
        ...schemas(members.filter((each) => !isAlways(each))),
      },
    ),
  );
}
