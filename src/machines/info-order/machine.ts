/**
 * The state machine of an information order (docs/reference/markets.md#information-orders).
 */

import { and, setup } from 'xstate';
import { dayMs } from '../../core/bounds.js';
import type { Json, JsonObject } from '../../core/canonical.js';
import { isBlank } from '../deliverable/blank.js';
import { envelopeFor, isSoundFor } from '../deliverable/envelope.js';
import { type DisputeClaim, type OfDispute, ofDispute } from '../dispute/claim.js';
import { givesBack, pays, type Settling } from '../dispute/ruling.js';
import { functionsFor } from '../kernel/machine-functions.js';
import type { MachineEvent, NoInput } from '../kernel/resource.js';
import type { PartyReview, RatingInput } from '../reputation/trade.js';
import type { Sealed } from './sealed.js';

/** The seller's delivery: keys and tokens are wrapped for the buyer's key. */
export interface Delivery extends Sealed {
  /** How long the delivered access works, epoch ms; null: without limit. */
  readonly expiresAt: number | null;
  readonly data: JsonObject | null;
}

export interface InfoOrder extends OfDispute {
  readonly listingId: string;
  readonly buyer: string;
  readonly seller: string;
  readonly quantity: number;
  readonly unitPrice: number;
  /** The total price, of all units. */
  readonly price: number;
  /** Whether its units were taken from the listing's stock. */
  readonly isFromStock: boolean;
  /** Null if the price is 0. */
  readonly escrowId: string | null;
  /** X25519 key of the buyer, for which the seller wraps the secrets. */
  readonly buyerPublicKeyHex: string;
  /** Whether the listing has encrypted content, whose key is sold. */
  readonly hasPackage: boolean;
  /** When the clock cancels an undelivered order, epoch ms. */
  readonly deliverBy: number;
  readonly deliveredAt: number | null;
  /** When the clock confirms a delivered order, epoch ms. */
  readonly confirmBy: number | null;
  readonly confirmedAt: number | null;
  readonly delivery: Delivery | null;
  readonly reviews: { readonly buyer?: PartyReview; readonly seller?: PartyReview };
}

export interface DeliverInput {
  readonly buyerPublicKeyHex?: string | undefined;
  readonly expiresAt?: number | undefined;
  readonly deliveryData?: JsonObject | undefined;
  /** The wrapped secrets, created by the request transformer. */
  readonly sealed?: Sealed | undefined;
}

export type InfoOrderEvent =
  | MachineEvent<'pay', NoInput>
  | MachineEvent<'deliver', DeliverInput>
  | MachineEvent<'confirm', NoInput>
  | MachineEvent<'review', RatingInput>
  | MachineEvent<'lapse', NoInput>
  | MachineEvent<'settle', NoInput>
  /** The workflow adds the members that describe the dispute. */
  | MachineEvent<'dispute', DisputeClaim & Partial<OfDispute>>
  | MachineEvent<'resolve', Settling>;

/** What a cancellation gives back to the listing's stock: nothing once the order is delivered. */
export const unsold = ({ quantity, isFromStock, deliveredAt }: InfoOrder) => ({
  kind: 'info-listing',
  quantity: isFromStock && deliveredAt === null ? quantity : 0,
});

/** The seller's time to deliver, unless the buyer states another, and the buyer's time to confirm. */
export const deliverWithinMs = 7 * dayMs;
export const confirmWithinMs = 7 * dayMs;

/** The role of the signer; permittedActions asks without a signer. */
const partOf = ({ roles }: InfoOrderEvent): 'buyer' | 'seller' => (roles.includes('buyer') ? 'buyer' : 'seller');

const hasMembers = (given: object | undefined): boolean => Object.keys(given ?? {}).length > 0;

const { guardOn, change, changeOn } = functionsFor<InfoOrder, InfoOrderEvent>();

const definition = setup({
  types: { context: {} as InfoOrder, events: {} as InfoOrderEvent, input: {} as InfoOrder },
  guards: {
    isOverdue: ({ context, event }) => event.time >= context.deliverBy,
    isForTheBuyersKey: guardOn(
      ['deliver'],
      ({ context, event }) =>
        (event.input.buyerPublicKeyHex ?? context.buyerPublicKeyHex) === context.buyerPublicKeyHex,
    ),
    bringsTheKey: guardOn(
      ['deliver'],
      ({ context, event }) => !context.hasPackage || event.input.sealed?.keyEnvelope !== undefined,
    ),
    bringsContent: guardOn(
      ['deliver'],
      ({ event }) => hasMembers(event.input.sealed) || !isBlank(event.input.deliveryData as Json | undefined),
    ),
    envelopeHolds: guardOn(['deliver'], ({ event }) =>
      isSoundFor(envelopeFor(event, event.id), event.input.deliveryData),
    ),
    wasNotAnswered: ({ context, event }) => event.time >= (context.confirmBy ?? Number.POSITIVE_INFINITY),
    isTheBuyers: ({ event }) => partOf(event) === 'buyer',
    isHeard: ({ event }) => event.roles.includes('workflow'),
    paysSeller: guardOn(['resolve'], ({ event }) => pays(event.input)),
    paysBuyerBack: guardOn(['resolve'], ({ event }) => givesBack(event.input)),
    isTheFirst: ({ context, event }) => context.reviews[partOf(event)] === undefined,
  },
  actions: {
    noteDelivery: changeOn(
      ['deliver'],
      { delivery: 'what was handed over', deliveredAt: 'now', confirmBy: 'in 7 days' },
      ({ event }) => {
        const { sealed = {}, expiresAt = null, deliveryData = null } = event.input;
        const delivery = { ...sealed, expiresAt, data: deliveryData };
        return { delivery, deliveredAt: event.time, confirmBy: event.time + confirmWithinMs };
      },
    ),
    noteConfirmation: change({ confirmedAt: 'now' }, ({ event }) => ({ confirmedAt: event.time })),
    noteDispute: changeOn(['dispute'], { disputeId: 'the dispute', arbiter: 'its arbiter' }, ({ event }) =>
      ofDispute(event.input),
    ),
    /** A party's proposal changes nothing yet. */
    nothingYet: change({}, () => ({})),
    noteReview: changeOn(['review'], { reviews: 'with the party’s review' }, ({ context, event }) => {
      const { rating, comment, aspects } = event.input;
      const review: PartyReview = {
        rating,
        ...(comment === undefined ? {} : { comment }),
        ...(aspects === undefined ? {} : { aspects }),
        at: event.time,
      };
      return { reviews: { ...context.reviews, [partOf(event)]: review } };
    }),
  },
});

const disputing = { target: 'disputed', actions: 'noteDispute' } as const;

export const infoOrderMachine = definition.createMachine({
  id: 'infoOrder',
  context: ({ input }) => ({ ...input }),
  initial: 'pending',
  states: {
    pending: { on: { pay: 'paid' } },
    paid: {
      on: {
        deliver: {
          target: 'delivered',
          guard: and(['isForTheBuyersKey', 'bringsTheKey', 'envelopeHolds', 'bringsContent']),
          actions: 'noteDelivery',
        },
        lapse: { target: 'cancelled', guard: 'isOverdue' },
        dispute: disputing,
      },
    },
    delivered: {
      on: {
        confirm: { target: 'confirmed', actions: 'noteConfirmation' },
        settle: { target: 'confirmed', guard: 'wasNotAnswered', actions: 'noteConfirmation' },
        dispute: disputing,
      },
    },
    disputed: {
      on: {
        resolve: [
          { target: 'confirmed', guard: and(['isHeard', 'paysSeller']), actions: 'noteConfirmation' },
          { target: 'cancelled', guard: and(['isHeard', 'paysBuyerBack']) },
          { guard: 'isHeard', actions: 'nothingYet' },
        ],
      },
    },
    confirmed: {
      on: {
        review: [
          { target: 'reviewed', guard: and(['isTheFirst', 'isTheBuyers']), actions: 'noteReview' },
          { guard: 'isTheFirst', actions: 'noteReview' },
        ],
      },
    },
    reviewed: { on: { review: { guard: 'isTheFirst', actions: 'noteReview' } } },
    cancelled: { type: 'final' },
  },
});
