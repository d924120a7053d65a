/** An offer on a lot: its Tokens wait in an escrow until it is outbid, or the time has come. */
import { setup } from 'xstate';
import type { Happening } from '../../src/machines/kernel/law.js';
import { refuse } from '../../src/machines/kernel/refusal.js';
import { defineReducer, defineResource } from '../../src/machines/kernel/resource.js';
import * as is from '../../src/machines/kernel/scalar.js';
import * as a from '../../src/machines/kernel/shape.js';

type Nothing = Record<never, never>;

export interface Offer {
  readonly listingId: string;
  readonly seller: string;
  readonly bidder: string;
  readonly amount: number;
  readonly closesAt: number;
  readonly escrowId: string;
}
type OfferEvent = Happening<'outbid', Nothing> | Happening<'close', { readonly sold?: boolean | undefined }>;

const law = setup({
  types: { context: {} as Offer, events: {} as OfferEvent, input: {} as Offer },
  guards: {
    isDue: ({ context, event }) => event.time >= context.closesAt,
    isSold: ({ context, event }) =>
      event.type === 'close' && event.input.sold === true && event.time >= context.closesAt,
  },
});

const offerMachine = law.createMachine({
  id: 'offer',
  context: ({ input }) => ({ ...input }),
  initial: 'leading',
  states: {
    leading: {
      on: {
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

const createInput = is.object({ listingId: is.chosenId(), amount: is.amount });
export type OfferInput = is.TypeOf<typeof createInput> & Partial<Pick<Offer, 'seller' | 'closesAt' | 'escrowId'>>;

const inner = { internal: true, summary: 'x', example: {} } as const;
const statuses = ['leading', 'outbid', 'won', 'returned'] as const;

export const offer = defineResource({
  kind: 'offer',
  revision: 1,
  machine: offerMachine,
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
    summary: 'Offer more than everybody before.',
    check: ({ input, time }) =>
      input.closesAt !== undefined && time < input.closesAt ? undefined : refuse('BID_NOT_ALLOWED', 'it is over'),
    context: ({ input, signer }): Offer => ({
      listingId: input.listingId,
      seller: input.seller!,
      bidder: signer,
      amount: input.amount,
      closesAt: input.closesAt!,
      escrowId: input.escrowId!,
    }),
  },
  actions: {
    outbid: { ...inner, who: ['workflow'], event: 'offer.outbid', input: is.object({}) },
    close: { ...inner, who: ['clock'], event: 'offer.closed', input: is.object({ sold: is.optional(is.boolean) }) },
  },
  guards: {
    isDue: { code: 'ORDER_INVALID_STATE', over: 'state', says: 'offers are taken still' },
    isSold: { code: 'ORDER_INVALID_STATE', over: 'input', says: 'it is not sold' },
  },
  effects: {},
  alarm: (state, { closesAt }) => (state === 'leading' ? { at: closesAt, action: 'close' } : null),
  labels: ({ bidder, seller }) => [`bidder:${bidder}`, `seller:${seller}`],
  list: { name: 'offers', roles: ['bidder', 'seller'], statuses },
  view: ({ id, state, context, lastHash }) => ({
    offerId: id,
    id,
    status: state,
    ...context,
    resourcePrev: lastHash,
  }),
  viewSchema: a.named('Offer', a.object({ offerId: a.text, status: a.oneOf(...statuses), amount: a.tokens })),
});

/** Who leads, under the listing's id. */
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
