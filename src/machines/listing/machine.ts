/**
 * The law of a listing, the same in every market (interface, States and transitions: Listing, Task bids;
 * decisions.md, Markets).
 */
import { and, setup } from 'xstate';
import type { JsonObject } from '../kernel/canonical.js';
import type { Happening } from '../kernel/law.js';
import type { Pricing } from './pricing.js';

/** Who may bid, how often, until when; and whose bid was taken. */
export interface Bidding {
  /** As it was published; without it the timeline's `bidDeadline`, else the listing's end. */
  readonly closesAt: number | null;
  readonly maxBids: number;
  /** Of withdrawn and rejected ones, too: nobody bids twice. */
  readonly bids: readonly { readonly id: string; readonly bidder: string }[];
  readonly award: { readonly bidId: string; readonly orderId: string } | null;
}

export interface ListingContext {
  readonly marketType: string;
  readonly seller: string;
  readonly title: string;
  readonly description: string;
  readonly category: string;
  readonly tags: readonly string[];
  readonly pricing: Pricing;
  /** Units left; null: unlimited. */
  readonly stock: number | null;
  readonly visibility: 'public' | 'private';
  readonly expiresAt: number | null;
  /** Null in markets without bids. */
  readonly bidding: Bidding | null;
  /** The market's own members, as its fields say. */
  readonly own: JsonObject;
}

type Nothing = Record<never, never>;

/** Everything that may be changed; a market adds members of its own. */
export interface Changes {
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly category?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly pricing?: Pricing | undefined;
  readonly stock?: number | null | undefined;
  readonly visibility?: 'public' | 'private' | undefined;
  readonly expiresAt?: number | null | undefined;
}

export type ListingEvent =
  | Happening<'pause', Nothing>
  | Happening<'resume', Nothing>
  | Happening<'update', Changes>
  | Happening<'remove', Nothing>
  | Happening<'expire', Nothing>
  | Happening<'order', { readonly quantity: number }>
  | Happening<'bid', { readonly bidId: string }>
  | Happening<'award', { readonly bidId: string; readonly orderId: string }>;

export const isOver = ({ expiresAt }: ListingContext, time: number): boolean => expiresAt !== null && time >= expiresAt;

const isAwarded = ({ bidding }: ListingContext): boolean => bidding !== null && bidding.award !== null;

/** When bidding ends, epoch ms; null: never. */
export function bidsCloseAt({ bidding, own, expiresAt }: ListingContext): number | null {
  const { bidDeadline } = (own.timeline ?? {}) as { bidDeadline?: number };
  return bidding?.closesAt ?? bidDeadline ?? expiresAt;
}

const law = setup({
  types: { context: {} as ListingContext, events: {} as ListingEvent, input: {} as ListingContext },
  guards: {
    hasNotExpired: ({ context, event }) => !isOver(context, event.time),
    expiryHasPassed: ({ context, event }) => isOver(context, event.time),
    hasStock: ({ context }) => context.stock !== 0,
    endsLater: ({ event }) => event.type === 'update' && (event.input.expiresAt ?? event.time + 1) > event.time,
    isInStock: ({ context, event }) =>
      event.type === 'order' && (context.stock === null || event.input.quantity <= context.stock),
    takesTheLast: ({ context, event }) => event.type === 'order' && event.input.quantity === context.stock,
    takesBids: ({ context }) => context.bidding !== null,
    isNotTheBiddersOwn: ({ context, event }) => event.signer !== context.seller,
    isNotAwarded: ({ context }) => !isAwarded(context),
    awardIsOpen: ({ context }) => !isAwarded(context),
    windowIsOpen: ({ context, event }) => event.time < (bidsCloseAt(context) ?? Number.POSITIVE_INFINITY),
    hasRoom: ({ context }) => (context.bidding?.bids.length ?? 0) < (context.bidding?.maxBids ?? 0),
    hasNotBid: ({ context, event }) => context.bidding?.bids.every(({ bidder }) => bidder !== event.signer) ?? false,
  },
});

const given = <T>(value: T | undefined, otherwise: T): T => (value === undefined ? otherwise : value);

const change = law.assign(({ context, event }) => {
  if (event.type !== 'update') return {};
  const { title, description, category, tags, pricing, stock, visibility, expiresAt, ...own } = event.input;
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
});

const take = law.assign(({ context, event }) =>
  event.type === 'order' && context.stock !== null ? { stock: context.stock - event.input.quantity } : {},
);

const noteBid = law.assign(({ context: { bidding }, event }) => {
  if (event.type !== 'bid' || !bidding) return {};
  return { bidding: { ...bidding, bids: [...bidding.bids, { id: event.input.bidId, bidder: event.signer }] } };
});

const noteAward = law.assign(({ context: { bidding }, event }) => {
  if (event.type !== 'award' || !bidding) return {};
  const { bidId, orderId } = event.input;
  return { bidding: { ...bidding, award: { bidId, orderId } } };
});

/** In every state that is not the last. */
const whileThere = {
  update: { guard: and(['hasNotExpired', 'endsLater']), actions: change },
  remove: { target: 'removed', guard: 'hasNotExpired' },
  expire: { target: 'expired', guard: 'expiryHasPassed' },
} as const;

export const listingMachine = law.createMachine({
  id: 'listing',
  context: ({ input }) => ({ ...input }),
  initial: 'active',
  states: {
    active: {
      on: {
        ...whileThere,
        pause: { target: 'paused', guard: 'hasNotExpired' },
        order: [
          { target: 'paused', guard: and(['hasNotExpired', 'takesTheLast']), actions: take },
          { guard: and(['hasNotExpired', 'isInStock']), actions: take },
        ],
        bid: {
          guard: and([
            'hasNotExpired',
            'takesBids',
            'isNotTheBiddersOwn',
            'isNotAwarded',
            'windowIsOpen',
            'hasRoom',
            'hasNotBid',
          ]),
          actions: noteBid,
        },
        award: { guard: and(['hasNotExpired', 'takesBids', 'awardIsOpen']), actions: noteAward },
      },
    },
    paused: { on: { ...whileThere, resume: { target: 'active', guard: and(['hasNotExpired', 'hasStock']) } } },
    expired: { type: 'final' },
    removed: { type: 'final' },
  },
});
