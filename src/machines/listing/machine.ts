/**
 * The state machine of a listing, the same in every market (docs/reference/markets.md#listings, docs/reference/markets.md#bids).
 */
import { and, setup } from 'xstate';
import { canonical, type JsonObject } from '../../core/canonical.js';
import type { Leaf } from '../../core/leaf.js';
import { maxTokens } from '../../core/schema/scalar.js';
import { functionsFor } from '../kernel/machine-functions.js';
import type { MachineEvent, NoInput } from '../kernel/resource.js';
import { isIn } from '../kernel/state-path.js';
import type { Pricing } from './pricing.js';

export interface Bidding {
  /** As published; if null, the `bidDeadline` of the timeline, or else the end of the listing. */
  readonly closesAt: number | null;
  readonly maxBids: number;
  /**
   * Including withdrawn and rejected ones, because a DID may bid only once. After a cancelled order, only its bid and those
   * since.
   */
  readonly bids: readonly { readonly id: string; readonly bidder: string }[];
  readonly award: { readonly bidId: string; readonly orderId: string } | null;
}

export interface ListingContext {
  readonly marketType: string;
  readonly seller: string;
  readonly title: Leaf;
  readonly description: Leaf;
  readonly category: string;
  readonly tags: readonly string[];
  readonly pricing: Pricing;
  /** When the pricing was last changed, epoch ms; null: never. */
  readonly repricedAt: number | null;
  /** Units left; null: unlimited. */
  readonly stock: number | null;
  readonly visibility: 'public' | 'private';
  readonly expiresAt: number | null;
  /** Null in markets without bids. */
  readonly bidding: Bidding | null;
  /** Members that only this market has. */
  readonly own: JsonObject;
}

export interface Changes {
  readonly title?: Leaf | undefined;
  readonly description?: Leaf | undefined;
  /** Members of a private listing that becomes public, which its events have not shown: see `unchangedIn`. */
  readonly restated?: JsonObject | undefined;
  readonly category?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly pricing?: Pricing | undefined;
  readonly stock?: number | null | undefined;
  readonly visibility?: 'public' | 'private' | undefined;
  readonly expiresAt?: number | null | undefined;
}

export type ListingEvent =
  | MachineEvent<'pause', NoInput>
  | MachineEvent<'resume', NoInput>
  | MachineEvent<'update', Changes>
  | MachineEvent<'remove', NoInput>
  | MachineEvent<'expire', NoInput>
  | MachineEvent<'order', { readonly quantity: number }>
  | MachineEvent<'restore', { readonly quantity: number }>
  | MachineEvent<'bid', { readonly bidId: string }>
  | MachineEvent<'award', { readonly bidId: string; readonly orderId: string }>;

export const isOver = ({ expiresAt }: ListingContext, time: number): boolean => expiresAt !== null && time >= expiresAt;

/** Whether it may still expire, because it is neither expired nor removed. */
export const isOffered = (state: string): boolean => isIn(state, 'active') || state === 'paused';

export const isAwarded = ({ bidding }: ListingContext): boolean => bidding !== null && bidding.award !== null;

/** The end of the bidding, epoch ms; null: never. */
export function bidsCloseAt({ bidding, own, expiresAt }: ListingContext): number | null {
  const { bidDeadline } = (own.timeline ?? {}) as { bidDeadline?: number };
  return bidding?.closesAt ?? bidDeadline ?? expiresAt;
}

const given = <T>(value: T | undefined, otherwise: T): T => (value === undefined ? otherwise : value);

const isOther = (one: Pricing, other: Pricing): boolean =>
  canonical(one as JsonObject) !== canonical(other as JsonObject);

const statedIn = ({
  title,
  description,
  category,
  tags,
  pricing,
  stock,
  expiresAt,
  bidding,
  own,
}: ListingContext): JsonObject => ({
  title,
  description,
  category,
  tags,
  pricing: pricing as JsonObject,
  stock,
  expiresAt,
  ...(bidding && { bidding: { closesAt: bidding.closesAt, maxBids: bidding.maxBids } }),
  ...own,
});

export const unchangedIn = (context: ListingContext, changed: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(statedIn(context)).filter(([name]) => changed[name] === undefined));

/** Whether an update that makes a private listing public states all of its public members. */
function restatesAll(context: ListingContext, { restated, ...changed }: Changes): boolean {
  if (context.visibility === 'public' || changed.visibility !== 'public') return restated === undefined;
  return canonical(unchangedIn(context, changed as JsonObject)) === canonical(restated ?? {});
}

type Unchanged = 'marketType' | 'seller' | 'repricedAt' | 'bidding';

export function updated(context: ListingContext, changes: Changes): Omit<ListingContext, Unchanged> {
  const { title, description, category, tags, pricing, stock, visibility, expiresAt, restated: _, ...own } = changes;
  return {
    title: given(title, context.title),
    description: given(description, context.description),
    category: given(category, context.category),
    tags: given(tags, context.tags),
    pricing: given(pricing, context.pricing),
    stock: given(stock, context.stock),
    visibility: given(visibility, context.visibility),
    expiresAt: given(expiresAt, context.expiresAt),
    own: { ...context.own, ...own },
  };
}

const asStated = 'as stated';
const { guardOn, change, changeOn } = functionsFor<ListingContext, ListingEvent>();

const definition = setup({
  types: { context: {} as ListingContext, events: {} as ListingEvent, input: {} as ListingContext },
  guards: {
    hasNotExpired: ({ context, event }) => !isOver(context, event.time),
    expiryHasPassed: ({ context, event }) => isOver(context, event.time),
    hasStock: ({ context }) => context.stock !== 0,
    stockPausedIt: ({ context }) => context.stock === 0 && !isAwarded(context),
    endsLater: guardOn(['update'], ({ event }) => (event.input.expiresAt ?? event.time + 1) > event.time),
    saysWhatItShows: guardOn(['update'], ({ context, event }) => restatesAll(context, event.input)),
    isInStock: guardOn(
      ['order'],
      ({ context, event }) => context.stock === null || event.input.quantity <= context.stock,
    ),
    takesTheLast: guardOn(['order'], ({ context, event }) => event.input.quantity === context.stock),
    takesBids: ({ context }) => context.bidding !== null,
    isNotTheBiddersOwn: ({ context, event }) => event.signer !== context.seller,
    wasAwarded: ({ context }) => isAwarded(context),
    windowIsOpen: ({ context, event }) => event.time < (bidsCloseAt(context) ?? Number.POSITIVE_INFINITY),
    hasRoom: ({ context }) => (context.bidding?.bids.length ?? 0) < (context.bidding?.maxBids ?? 0),
    hasNotBid: ({ context, event }) => context.bidding?.bids.every(({ bidder }) => bidder !== event.signer) ?? false,
  },
  actions: {
    noteRepricing: changeOn(
      ['update'],
      { repricedAt: 'now, where the pricing is another' },
      ({ context, event: { input, time } }) =>
        input.pricing !== undefined && isOther(input.pricing, context.pricing) ? { repricedAt: time } : {},
    ),
    change: changeOn(
      ['update'],
      {
        title: asStated,
        description: asStated,
        category: asStated,
        tags: asStated,
        pricing: asStated,
        stock: asStated,
        visibility: asStated,
        expiresAt: asStated,
        own: 'the market’s own members, as stated',
      },
      ({ context, event }) => updated(context, event.input),
    ),
    take: changeOn(
      ['order'],
      { stock: '− the quantity ordered, where it is limited' },
      ({ context: { stock }, event }) => (stock === null ? {} : { stock: stock - event.input.quantity }),
    ),
    giveBack: changeOn(
      ['restore'],
      { stock: '+ the quantity of an order or lease that has ended, where it is limited' },
      ({ context: { stock }, event }) =>
        stock === null ? {} : { stock: Math.min(stock + event.input.quantity, maxTokens) },
    ),
    noteBid: changeOn(['bid'], { bidding: 'with the bid' }, ({ context: { bidding }, event }) =>
      bidding
        ? { bidding: { ...bidding, bids: [...bidding.bids, { id: event.input.bidId, bidder: event.signer }] } }
        : {},
    ),
    noteAward: changeOn(['award'], { bidding: 'with the award: bid and order' }, ({ context: { bidding }, event }) => {
      if (!bidding) return {};
      const { bidId, orderId } = event.input;
      return { bidding: { ...bidding, award: { bidId, orderId } } };
    }),
    voidAward: change({ bidding: 'without the award and the bids that it rejected' }, ({ context: { bidding } }) => {
      if (!bidding?.award) return {};
      const { bidId } = bidding.award;
      return { bidding: { ...bidding, bids: bidding.bids.filter(({ id }) => id === bidId), award: null } };
    }),
  },
});

/** Transitions of every state that is not final. */
const whileThere = {
  update: { guard: and(['hasNotExpired', 'endsLater', 'saysWhatItShows']), actions: ['noteRepricing', 'change'] },
  remove: { target: 'removed', guard: 'hasNotExpired' },
  expire: { target: 'expired', guard: 'expiryHasPassed' },
} as const;

export const listingMachine = definition.createMachine({
  id: 'listing',
  context: ({ input }) => ({ ...input }),
  initial: 'active',
  states: {
    active: {
      initial: 'open',
      on: {
        ...whileThere,
        pause: { target: 'paused', guard: 'hasNotExpired' },
        order: [
          { target: 'paused', guard: and(['hasNotExpired', 'takesTheLast']), actions: 'take' },
          { guard: and(['hasNotExpired', 'isInStock']), actions: 'take' },
        ],
        restore: { actions: 'giveBack' },
      },
      states: {
        open: {
          on: {
            bid: {
              guard: and(['hasNotExpired', 'takesBids', 'isNotTheBiddersOwn', 'windowIsOpen', 'hasRoom', 'hasNotBid']),
              actions: 'noteBid',
            },
            award: { target: 'awarded', guard: and(['hasNotExpired', 'takesBids']), actions: 'noteAward' },
          },
        },
        awarded: { on: { restore: { target: 'open', actions: ['giveBack', 'voidAward'] } } },
      },
    },
    paused: {
      on: {
        ...whileThere,
        resume: [
          { target: '#listing.active.awarded', guard: and(['hasNotExpired', 'hasStock', 'wasAwarded']) },
          { target: '#listing.active.open', guard: and(['hasNotExpired', 'hasStock']) },
        ],
        // A listing without stock was paused by its last order.
        restore: [
          { target: 'active', guard: 'stockPausedIt', actions: 'giveBack' },
          { actions: ['giveBack', 'voidAward'] },
        ],
      },
    },
    expired: { type: 'final' },
    removed: { type: 'final' },
  },
});
