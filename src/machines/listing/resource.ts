/**
 * Listings of every market (docs/reference/markets.md#listings): one machine, one function that makes a definition for
 * each market; the market's own members are in the folder of its orders or leases (listing.ts). The kinds are `info-listing`,
 * `task-listing`, `capability-listing`; ids are unique across them (publish.ts). A further market is one more file with
 * `listingOf({…})`, and its name in the catalogue.
 *
 * For workflows (parts.ts, stats.ts):
 *
 *     const listing = listingFor(read, 'info-listing', listingId, request.signer);
 *     if (isRefusal(listing)) return listing;             // LISTING_NOT_FOUND, private ones of others included
 *     listing.context.pricing, .seller, .own.quota, …     // `own` holds the market's own members
 *     return [
 *       takeStock(listing, quantity),                     // LISTING_NOT_ACTIVE, CONFLICT; only checks without a stock
 *       noteBid(listing, bidId),                          // tasks: the bid rules, BID_NOT_ALLOWED
 *       noteAward(listing, bidId, orderId),               // tasks: closed for bids from then on
 *       ...restored(read, { kind, id, quantity }),        // an order or a lease has ended: its units are there again
 *       tally(listingId, { orders: 1 }),                  // stats; also { completedOrders: 1 }, { rating: 1..5 }
 *       …
 *     ];
 *
 * The workflow must check whether the listing is the signer's own (except for bids: BID_NOT_ALLOWED). In views, members
 * of `own` are next to the shared ones; only tasks have `bidding { closesAt, maxBids, bidCount, open, orderId }`.
 */

import type { JsonObject } from '../../core/canonical.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { SchemaMembers } from '../../core/schema/shape.js';
import * as a from '../../core/schema/shape.js';
import { defineResource } from '../kernel/definition.js';
import type { MachineEvent } from '../kernel/resource.js';
import type { RequestTransformer } from '../kernel/transformer.js';
import { noted, type Published, priced, publishFields, updateFields } from './fields.js';
import { type Bidding, type Changes, isOffered, type ListingContext, listingMachine } from './machine.js';
import { pricing } from './pricing.js';
import { searched } from './search.js';
import { restate } from './transformers.js';
import { listingForm, statuses } from './view.js';

export interface Market<Own extends is.Fields> {
  /** `info`: the value of `marketType`; the kind is `<type>-listing`. */
  readonly type: string;
  readonly path: string;
  readonly tag: string;
  readonly title: string;
  /** Members of publish that only this market has; stored unchanged in `own`. */
  readonly own: Own;
  /** Aliases of members of publish. */
  readonly aliases?: is.Aliases;
  /** The schema of its pricing, if it differs from that of other markets. */
  readonly pricing?: typeof pricing;
  /** The members of `own` that an update may change. */
  readonly changeable: readonly (keyof Own & string)[];
  readonly example: JsonObject;
  /** Present if it takes bids: their rules, from the publish request. */
  readonly bidding?: (input: is.ObjectOf<Own>) => Pick<Bidding, 'closesAt' | 'maxBids'>;
  /** Transforms a publish request before the machine decides. */
  readonly transform?: RequestTransformer;
  /** Members that the reply to a publish shows only once. */
  readonly once?: SchemaMembers;
  /** Members of `own` that the transformer adds and no view shows. */
  readonly inner?: readonly string[];
  /** Hashes of the contents stored with the publish. */
  readonly contents?: (own: JsonObject) => readonly string[];
}

const shared = {
  title: 'Rainfall, hourly, 1990 to 2020',
  description: 'Hourly rainfall of 40 stations.',
  category: 'weather',
  tags: ['rain', 'hourly'],
};

const nothing = { input: is.object({}), example: {} };
const ofWorkflows = { who: ['workflow'], internal: true, summary: 'A workflow asks for this.' } as const;

export function listingOf<const Own extends is.Fields>({ own, ...market }: Market<Own>) {
  type Input = Published & is.ObjectOf<Own>;
  const { pricing: asked = pricing } = market;
  const fields = { ...publishFields, pricing: is.described(asked, priced), ...own };
  // Members about bids are stored in `bidding`.
  const { bidding: _, ...kept }: is.Fields = { ...own, ...noted };
  const { inner = [] } = market;
  const form = listingForm(kept, market.bidding !== undefined);
  const ownNames = [...Object.keys(kept), ...inner];
  const changes = Object.fromEntries(
    market.changeable.map((name) => [name, is.optional(own[name] as is.Scalar<unknown>)]),
  );
  const ownOf = (input: Input): JsonObject =>
    Object.fromEntries(
      Object.entries(input).filter(([name, value]) => ownNames.includes(name) && value !== undefined),
    ) as JsonObject;

  function context({ input, signer }: MachineEvent<'create', Input>): ListingContext {
    const bidding = market.bidding?.(input);
    return {
      marketType: market.type,
      seller: signer,
      title: input.title,
      description: input.description,
      category: input.category,
      tags: input.tags ?? [],
      pricing: input.pricing,
      repricedAt: null,
      stock: input.stock ?? null,
      visibility: input.visibility ?? 'public',
      expiresAt: input.expiresAt ?? null,
      bidding: bidding ? { ...bidding, bids: [], award: null } : null,
      own: ownOf(input),
    };
  }

  return defineResource({
    kind: `${market.type}-listing`,
    revision: 3,
    machine: listingMachine,
    tones: { expired: 'neutral', removed: 'neutral' },
    route: { path: market.path, param: 'listingId', tag: market.tag, idPrefix: 'lst-' },
    refusals: { unknown: 'LISTING_NOT_FOUND', state: 'LISTING_NOT_ACTIVE', stale: 'CONFLICT' },
    roles: { seller: ({ seller }) => [seller] },
    create: {
      event: 'listing.published',
      summary: `Publish a listing in the ${market.type} market.`,
      idField: 'listingId',
      input: is.aliased(is.object(fields), market.aliases ?? {}) as unknown as is.Scalar<Input>,
      example: { ...shared, ...market.example },
      ...(market.transform && { transform: market.transform }),
      ...(market.once && { once: market.once }),
      check: endsLater,
      context,
    },
    actions: {
      pause: { event: 'listing.paused', who: ['seller'], ...nothing, summary: 'Take no orders for a while.' },
      resume: { event: 'listing.resumed', who: ['seller'], ...nothing, summary: 'Take orders again.' },
      update: {
        event: 'listing.updated',
        transform: restate,
        adds: {
          restated: is.optional(is.freeObject, 'Of a private listing that becomes public: all that it shows then.'),
        },
        who: ['seller'],
        input: is.object({
          ...updateFields,
          pricing: is.optional(fields.pricing),
          ...changes,
        }) as unknown as is.Scalar<Changes>,
        example: { title: 'Rainfall, hourly, 1990 to 2024' },
        summary: 'Change the listing. Existing orders keep the agreed terms.',
      },
      remove: { event: 'listing.removed', who: ['seller'], ...nothing, summary: 'Take it off the market for good.' },
      expire: {
        event: 'listing.expired',
        who: ['clock'],
        ...nothing,
        summary: 'The clock notes that its time has passed.',
        internal: true,
      },
      order: {
        event: 'listing.ordered',
        ...ofWorkflows,
        input: is.object({ quantity: is.integer(1) }),
        example: { quantity: 1 },
      },
      restore: {
        event: 'listing.restored',
        ...ofWorkflows,
        input: is.object({ quantity: is.integer(0) }),
        example: { quantity: 1 },
      },
      bid: {
        event: 'listing.bid-upon',
        ...ofWorkflows,
        refusals: { in: { 'active.awarded': { code: 'BID_NOT_ALLOWED', about: () => 'a bid was accepted already' } } },
        input: is.object({ bidId: is.chosenId('bid-') }),
        example: { bidId: 'bid-1' },
      },
      award: {
        event: 'listing.awarded',
        ...ofWorkflows,
        refusals: {
          in: { 'active.awarded': { code: 'ORDER_INVALID_STATE', about: () => 'a bid was accepted already' } },
        },
        input: is.object({ bidId: is.chosenId('bid-'), orderId: is.chosenId('task-ord-') }),
        example: { bidId: 'bid-1', orderId: 'task-ord-1' },
      },
    },
    guards,
    effects: {},
    alarm: (state, { expiresAt }) =>
      isOffered(state) && expiresAt !== null ? { at: expiresAt, action: 'expire' } : null,
    // Listings have no labels, because their lists are searches.
    labels: () => [],
    list: { name: 'listings', roles: ['seller'], statuses, open: 'public' },
    isVisibleTo: ({ visibility, seller }, reader) => visibility === 'public' || reader === seller,
    search: { market: market.type, of: searched },
    contents: ({ own }) => market.contents?.(own) ?? [],
    companion: 'listing-stats',
    view: form.view,
    viewSchema: a.named(market.title, form.schema),
  });
}

function endsLater({ input, time }: MachineEvent<'create', Published>): Refusal | undefined {
  return input.expiresAt !== undefined && input.expiresAt <= time
    ? refuse('UNPROCESSABLE', 'expiresAt has passed already')
    : undefined;
}

const noBid = { code: 'BID_NOT_ALLOWED', over: 'state' } as const;

const guards = {
  hasNotExpired: { code: 'LISTING_NOT_ACTIVE', over: 'state', says: 'the listing has expired' },
  expiryHasPassed: { code: 'LISTING_NOT_ACTIVE', over: 'state', says: 'its time has not passed' },
  hasStock: { code: 'LISTING_NOT_ACTIVE', over: 'state', says: 'nothing is in stock: update stock first' },
  stockPausedIt: { code: 'LISTING_NOT_ACTIVE', over: 'state', says: 'it has units in stock' },
  endsLater: { code: 'UNPROCESSABLE', over: 'input', says: 'expiresAt has passed already' },
  saysWhatItShows: {
    code: 'CONFLICT',
    over: 'input',
    says: 'the listing has changed meanwhile: read it again',
  },
  isInStock: {
    code: 'CONFLICT',
    over: 'input',
    says: ['there is less in stock', ({ stock }: ListingContext) => `only ${stock} in stock`],
  },
  takesTheLast: { code: 'CONFLICT', over: 'input', says: 'it is not the last of the stock' },
  wasAwarded: { code: 'LISTING_NOT_ACTIVE', over: 'state', says: 'no bid has been accepted' },
  takesBids: {
    ...noBid,
    says: [
      'the listing’s market takes no bids',
      ({ marketType }: ListingContext) => `a listing of the market of ${marketType} takes no bids`,
    ],
  },
  isNotTheBiddersOwn: { code: 'BID_NOT_ALLOWED', over: 'input', says: 'the listing is the bidder’s own' },
  windowIsOpen: { ...noBid, says: 'the bidding window is closed' },
  hasRoom: {
    ...noBid,
    says: [
      'the task accepts no more bids',
      ({ bidding }: ListingContext) => `it has its ${bidding?.maxBids ?? 0} bids already`,
    ],
  },
  hasNotBid: { code: 'BID_NOT_ALLOWED', over: 'input', says: 'the bidder has bid already' },
} as const;
