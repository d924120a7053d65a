/** An offer on a lot. Its Tokens stay in an escrow until it is outbid or the auction closes. */
import { setup } from 'xstate';
import { sha256Hex } from '../../src/core/canonical.js';
import { refuse } from '../../src/core/refusal.js';
import * as is from '../../src/core/schema/scalar.js';
import * as a from '../../src/core/schema/shape.js';
import { defineReducer, defineResource } from '../../src/machines/kernel/definition.js';
import { functionsFor } from '../../src/machines/kernel/machine-functions.js';
import type { MachineEvent } from '../../src/machines/kernel/resource.js';
import type { RequestTransformer } from '../../src/machines/kernel/transformer.js';
import { succeeding } from '../../src/machines/kernel/versioning.js';

type Nothing = Record<never, never>;

export interface Offer {
  readonly listingId: string;
  readonly seller: string;
  readonly bidder: string;
  readonly amount: number;
  readonly closesAt: number;
  readonly escrowId: string;
  readonly noteHash: string | null;
}
type OfferEvent =
  | MachineEvent<'accept', Nothing>
  | MachineEvent<'outbid', Nothing>
  | MachineEvent<'close', { readonly sold?: boolean | undefined }>;

const { guardOn } = functionsFor<Offer, OfferEvent>();

const definition = setup({
  types: { context: {} as Offer, events: {} as OfferEvent, input: {} as Offer },
  guards: {
    takesOffers: ({ context, event }) => event.time < context.closesAt,
    isDue: ({ context, event }) => event.time >= context.closesAt,
    isSold: guardOn(['close'], ({ context, event }) => event.input.sold === true && event.time >= context.closesAt),
  },
});

const machineWith = (accept: { readonly target: 'won'; readonly guard?: 'takesOffers' }) =>
  definition.createMachine({
    id: 'offer',
    context: ({ input }) => ({ ...input }),
    initial: 'leading',
    states: {
      leading: {
        on: {
          accept,
          outbid: 'outbid',
          close: [
            { target: 'won', guard: 'isSold' },
            { target: 'returned', guard: 'isDue' },
          ],
        },
      },
      outbid: { type: 'final' },
      won: { type: 'final' },
      returned: { type: 'final' },
    },
  });

const createInput = is.object({
  listingId: is.chosenId(),
  amount: is.amount,
  note: is.optional(is.secret(is.text(100))),
});
export type OfferInput = is.TypeOf<typeof createInput> &
  Partial<Pick<Offer, 'seller' | 'closesAt' | 'escrowId' | 'noteHash'>>;

/** Hashes a note, and numbers the offer's receipt for the bidder. */
const hashNote: RequestTransformer = ({ input, secrets }, port) => ({
  input: { ...input, noteHash: typeof secrets.note === 'string' ? sha256Hex(secrets.note) : null },
  once: { receiptId: port.newId('rcp-') },
});

const inner = { internal: true, summary: 'x', example: {} } as const;
const statuses = ['leading', 'outbid', 'won', 'returned'] as const;

const current = defineResource({
  kind: 'offer',
  revision: 3,
  machine: machineWith({ target: 'won', guard: 'takesOffers' }),
  route: { path: '/markets/auctions/offers', param: 'offerId', tag: 'Market: auctions', idPrefix: 'off-' },
  refusals: { unknown: 'ORDER_NOT_FOUND', state: 'ORDER_INVALID_STATE', stale: 'CONFLICT' },
  roles: { bidder: ({ bidder }) => [bidder], seller: ({ seller }) => [seller] },
  create: {
    event: 'offer.made',
    idField: 'offerId',
    path: '/markets/auctions/:listingId/offers',
    of: ['auction-listing'],
    makes: { escrow: 'esc-' },
    input: createInput as is.Scalar<OfferInput>,
    example: { listingId: 'lst-1', amount: 6 },
    summary: 'Offer more than all earlier bids.',
    transform: hashNote,
    once: { receiptId: a.text },
    check: ({ input, time }) =>
      input.closesAt !== undefined && time < input.closesAt ? undefined : refuse('BID_NOT_ALLOWED', 'it is over'),
    context: ({ input, signer }): Offer => ({
      listingId: input.listingId,
      seller: input.seller!,
      bidder: signer,
      amount: input.amount,
      closesAt: input.closesAt!,
      escrowId: input.escrowId!,
      noteHash: input.noteHash ?? null,
    }),
  },
  actions: {
    accept: {
      event: 'offer.accepted',
      who: ['seller'],
      input: is.object({}),
      example: {},
      summary: 'Sell to the highest offer before the auction closes.',
      mayRefuse: ['LISTING_NOT_ACTIVE', 'LISTING_NOT_FOUND'],
      reply: { kind: 'auction-order' },
    },
    outbid: { ...inner, who: ['workflow'], event: 'offer.outbid', input: is.object({}) },
    close: { ...inner, who: ['clock'], event: 'offer.closed', input: is.object({ sold: is.optional(is.boolean) }) },
  },
  guards: {
    takesOffers: { code: 'ORDER_INVALID_STATE', over: 'state', says: 'the auction has closed' },
    isDue: { code: 'ORDER_INVALID_STATE', over: 'state', says: 'offers are taken still' },
    isSold: { code: 'ORDER_INVALID_STATE', over: 'input', says: 'it is not sold' },
  },
  effects: {},
  alarm: (state, { closesAt }) => (state === 'leading' ? { at: closesAt, action: 'close' } : null),
  labels: ({ bidder, seller, listingId }) => [`bidder:${bidder}`, `seller:${seller}`, `listingId:${listingId}`],
  list: {
    name: 'offers',
    roles: ['bidder', 'seller'],
    statuses,
    below: [
      {
        of: 'auction-listing',
        path: '/markets/auctions/:listingId/offers',
        name: 'listLotOffers',
        summary: 'List the offers on a lot.',
      },
    ],
  },
  view: ({ id, state, context, lastHash }) => ({
    offerId: id,
    id,
    status: state,
    ...context,
    resourcePrev: lastHash,
  }),
  viewSchema: a.named('Offer', a.object({ offerId: a.text, status: a.oneOf(...statuses), amount: a.tokens })),
});

/** Revision 2, in which the seller could accept an offer after the close. */
const second: typeof current = { ...current, revision: 2, machine: machineWith({ target: 'won' }) };

/** Revision 1, in which offers had no note. */
const first: typeof current = {
  ...second,
  revision: 1,
  create: { ...second.create, context: (event) => withoutNote(current.create.context(event) as Offer) as Offer },
};

const withoutNote = ({ noteHash: _, ...rest }: Offer) => rest;

export const offer = succeeding(
  succeeding(first, second, 'offers-have-a-note', ({ state, context }) => ({
    state,
    context: { ...context, noteHash: null },
  })),
  current,
  'offers-are-accepted-before-the-close',
);

/** The leading offer, stored under the listing's id. */
export const lead = defineReducer<{ readonly offerId: string; readonly amount: number }>({
  kind: 'auction-lead',
  revision: 1,
  roles: {},
  actions: {
    take: {
      event: 'auction.led',
      who: ['workflow'],
      input: is.object({ offerId: is.chosenId(), amount: is.amount }),
      reduce: (before, { input }) =>
        before && input.amount <= before.amount
          ? refuse('BID_NOT_ALLOWED', `${before.amount} is offered already`)
          : input,
    },
  },
});
