/** The order for the highest offer. It is read and listed with the orders of other markets. */
import { and, setup } from 'xstate';
import * as is from '../../src/core/schema/scalar.js';
import * as a from '../../src/core/schema/shape.js';
import type { DisputeClaim } from '../../src/machines/dispute/claim.js';
import { orderDispute, orderGuards, orderResolve } from '../../src/machines/dispute/order-actions.js';
import { givesBack, pays, type Settling } from '../../src/machines/dispute/ruling.js';
import { defineResource } from '../../src/machines/kernel/definition.js';
import { functionsFor } from '../../src/machines/kernel/machine-functions.js';
import type { MachineEvent } from '../../src/machines/kernel/resource.js';

type Nothing = Record<never, never>;

export interface Sale {
  readonly listingId: string;
  readonly seller: string;
  readonly buyer: string;
  readonly price: number;
  readonly escrowId: string;
  readonly confirmBy: number;
  readonly disputeId: string | null;
}
type SaleEvent =
  | MachineEvent<'confirm', Nothing>
  | MachineEvent<'settle', Nothing>
  | MachineEvent<'review', { readonly rating: number }>
  | MachineEvent<'dispute', DisputeClaim & { readonly disputeId?: string | undefined }>
  | MachineEvent<'resolve', Settling>;

const { guardOn, change, changeOn } = functionsFor<Sale, SaleEvent>();

const definition = setup({
  types: { context: {} as Sale, events: {} as SaleEvent, input: {} as Sale },
  guards: {
    isDue: ({ context, event }) => event.time >= context.confirmBy,
    isHeard: ({ event }) => event.roles.includes('workflow'),
    paysSeller: guardOn(['resolve'], ({ event }) => pays(event.input)),
    paysBuyerBack: guardOn(['resolve'], ({ event }) => givesBack(event.input)),
  },
  actions: {
    noteDispute: changeOn(['dispute'], { disputeId: 'the dispute' }, ({ event }) => ({
      disputeId: event.input.disputeId ?? null,
    })),
    nothingYet: change({}, () => ({})),
  },
});

const saleMachine = definition.createMachine({
  id: 'sale',
  context: ({ input }) => ({ ...input }),
  initial: 'paid',
  states: {
    paid: {
      on: {
        confirm: 'confirmed',
        settle: { target: 'confirmed', guard: 'isDue' },
        dispute: { target: 'disputed', actions: 'noteDispute' },
      },
    },
    disputed: {
      on: {
        resolve: [
          { target: 'confirmed', guard: and(['isHeard', 'paysSeller']) },
          { target: 'cancelled', guard: and(['isHeard', 'paysBuyerBack']) },
          { guard: 'isHeard', actions: 'nothingYet' },
        ],
      },
    },
    confirmed: { on: { review: 'reviewed' } },
    reviewed: { type: 'final' },
    cancelled: { type: 'final' },
  },
});

const input = is.object({
  listingId: is.chosenId(),
  seller: is.did,
  buyer: is.did,
  price: is.amount,
  escrowId: is.chosenId(),
});
const statuses = ['paid', 'disputed', 'confirmed', 'reviewed', 'cancelled'] as const;
const weekMs = 7 * 86_400_000;
const nothing = { input: is.object({}), example: {} };
const path = (action: string): string => `/markets/auctions/sales/:orderId/actions/${action}`;

export const sale = defineResource({
  kind: 'auction-order',
  revision: 1,
  machine: saleMachine,
  route: {
    path: '/orders',
    param: 'orderId',
    tag: 'Market: auctions',
    idPrefix: 'sale-',
    ownReads: true,
  },
  refusals: { unknown: 'ORDER_NOT_FOUND', state: 'ORDER_INVALID_STATE', stale: 'ORDER_INVALID_STATE' },
  roles: { buyer: ({ buyer }) => [buyer], seller: ({ seller }) => [seller] },
  create: {
    event: 'sale.made',
    idField: 'orderId',
    internal: true,
    who: ['workflow'],
    summary: 'The highest offer becomes an order.',
    input,
    example: {},
    check: () => undefined,
    context: ({ input: made, time }): Sale => ({ ...made, confirmBy: time + weekMs, disputeId: null }),
  },
  actions: {
    confirm: {
      ...nothing,
      event: 'sale.confirmed',
      who: ['buyer'],
      path: path('confirm'),
      summary: 'Say that it came.',
    },
    settle: { ...nothing, event: 'sale.settled', who: ['clock'], summary: 'x', internal: true },
    review: {
      event: 'sale.reviewed',
      who: ['buyer'],
      path: path('review'),
      input: is.object({ rating: is.integer(1, 5) }),
      example: { rating: 5 },
      summary: 'Say what the seller was like.',
    },
    dispute: { ...orderDispute, event: 'sale.disputed', who: ['buyer', 'seller'] },
    resolve: { ...orderResolve, event: 'sale.resolved', who: ['buyer', 'seller', 'workflow'] },
  },
  guards: {
    ...orderGuards,
    isDue: { code: 'ORDER_INVALID_STATE', over: 'state', says: 'the time to confirm has not passed' },
    paysSeller: { ...orderGuards.isHeard, says: 'the ruling does not pay the seller' },
    paysBuyerBack: { ...orderGuards.isHeard, says: 'the ruling does not pay the buyer back' },
  },
  effects: {},
  alarm: (state, { confirmBy }) => (state === 'paid' ? { at: confirmBy, action: 'settle' } : null),
  labels: ({ buyer, seller }) => [`buyer:${buyer}`, `seller:${seller}`],
  list: { name: 'orders', roles: ['buyer', 'seller'], statuses },
  trade: {
    parties: ({ buyer, seller }) => ({ client: buyer, provider: seller }),
    isFinished: (state) => state === 'confirmed' || state === 'reviewed',
    order: ({ price, escrowId, listingId }) => ({ price, escrowId, listingId, inTime: true }),
  },
  view: ({ id, state, context, lastHash }) => ({
    orderId: id,
    id,
    marketType: 'auction',
    status: state,
    ...context,
    resourcePrev: lastHash,
  }),
  viewSchema: a.named(
    'AuctionSale',
    a.object({ orderId: a.text, marketType: { const: 'auction' }, status: a.oneOf(...statuses), price: a.tokens }),
  ),
});
