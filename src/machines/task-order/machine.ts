/**
 * The task order's state machine (docs/reference/markets.md#task-orders). Accepting a bid opens it and, once its price is in
 * escrow, brings it to `accepted`; from there on provider, requester and the clock move it, or the dispute about it.
 */

import { and, setup } from 'xstate';
import { dayMs } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import type { Leaf } from '../../core/leaf.js';
import { isBlank } from '../deliverable/blank.js';
import { envelopeFor, isSoundFor } from '../deliverable/envelope.js';
import { type DisputeClaim, type OfDispute, ofDispute } from '../dispute/claim.js';
import { givesBack, pays, type Settling } from '../dispute/ruling.js';
import { functionsFor } from '../kernel/machine-functions.js';
import type { MachineEvent, NoInput } from '../kernel/resource.js';
import type { PartyReview, RatingInput } from '../reputation/trade.js';
import { decided, mostSubmissions, type Submission } from './submission.js';

/** The time to confirm a delivery, after which the clock confirms it. */
export const confirmWithinMs = 7 * dayMs;
/** The number of rejected deliveries after which the order may be disputed. */
const rejectionsBeforeDispute = 3;
/** The minimum time for another delivery after a rejection. */
export const redeliverWithinMs = 7 * dayMs;

type TaskOrderParty = 'requester' | 'provider';

export interface TaskOrderContext extends OfDispute {
  readonly taskId: string;
  readonly bidId: string;
  readonly requester: string;
  readonly provider: string;
  /** Tokens in escrow. */
  readonly price: number;
  readonly escrowId: string;
  /** The agreed deadline; a later delivery counts as late. */
  readonly dueAt: number;
  /** When the clock cancels an undelivered order. A rejection may postpone it. */
  readonly deliverBy: number;
  /** When the clock confirms a delivery that was neither accepted nor rejected. */
  readonly confirmBy: number | null;
  readonly submissions: readonly Submission[];
  readonly rejections: number;
  readonly confirmedAt: number | null;
  readonly cancelledAt: number | null;
  /** By reviewing party. */
  readonly reviews: { readonly [P in TaskOrderParty]?: PartyReview };
}

interface Delivering {
  readonly deliverables: readonly Leaf[];
  readonly submissionId?: string | undefined;
  readonly notes?: Leaf | undefined;
  /** `envelope`, completed and signed, and its `envelopeDigest`, added by the request transformer. */
  readonly delivery?: JsonObject | undefined;
}
interface Judging {
  /** The submission that is approved or rejected; absent: the newest. */
  readonly submissionId?: string | undefined;
  readonly approved?: boolean | undefined;
  readonly feedback?: Leaf | undefined;
}

export type TaskOrderEvent =
  | MachineEvent<'begin', NoInput>
  | MachineEvent<'deliver', Delivering>
  | MachineEvent<'confirm', Judging>
  | MachineEvent<'reject', Judging>
  | MachineEvent<'settle', NoInput>
  | MachineEvent<'cancel', NoInput>
  | MachineEvent<'review', RatingInput>
  /** The workflow adds the members that describe the dispute. */
  | MachineEvent<'dispute', DisputeClaim & Partial<OfDispute>>
  | MachineEvent<'resolve', Settling>;

const newest = ({ submissions }: TaskOrderContext): Submission | undefined => submissions.at(-1);
const envelopeOf = ({ delivery }: Delivering): JsonObject | null =>
  (delivery?.envelope as JsonObject | undefined) ?? null;

/** The role of the signer; permittedActions asks without a signer. */
const partyOf = ({ roles }: TaskOrderEvent): TaskOrderParty => (roles.includes('requester') ? 'requester' : 'provider');

const isDecidedNow = 'the newest is decided, with the feedback';

const { guardOn, change, changeOn } = functionsFor<TaskOrderContext, TaskOrderEvent>();

const definition = setup({
  types: { context: {} as TaskOrderContext, events: {} as TaskOrderEvent, input: {} as TaskOrderContext },
  guards: {
    bringsContent: guardOn(
      ['deliver'],
      ({ event }) => !isBlank(event.input.deliverables) || envelopeOf(event.input) !== null,
    ),
    envelopeHolds: guardOn(['deliver'], ({ event }) => isSoundFor(envelopeFor(event, event.id), event.input.delivery)),
    submissionIsNew: guardOn(['deliver'], ({ context, event }) =>
      context.submissions.every(({ submissionId }) => submissionId !== event.input.submissionId),
    ),
    hasTriesLeft: ({ context }) => context.submissions.length < mostSubmissions,
    meansTheNewest: guardOn(
      ['confirm', 'reject'],
      ({ context, event }) =>
        event.input.submissionId === undefined || event.input.submissionId === newest(context)?.submissionId,
    ),
    confirmByHasPassed: ({ context, event }) => context.confirmBy !== null && event.time >= context.confirmBy,
    deliverByHasPassed: ({ context, event }) => event.time >= context.deliverBy,
    hasNotReviewed: ({ context, event }) => context.reviews[partyOf(event)] === undefined,
    wasRejectedThrice: ({ context }) => context.rejections >= rejectionsBeforeDispute,
    isHeard: ({ event }) => event.roles.includes('workflow'),
    paysProvider: guardOn(['resolve'], ({ event }) => pays(event.input)),
    paysRequesterBack: guardOn(['resolve'], ({ event }) => givesBack(event.input)),
    isTheRequester: ({ event }) => partyOf(event) === 'requester',
  },
  actions: {
    noteSubmission: changeOn(
      ['deliver'],
      { submissions: 'with what was delivered', confirmBy: 'in 7 days' },
      ({ context, event }) => {
        const { deliverables, notes, submissionId = '', delivery } = event.input;
        const submission: Submission = {
          submissionId,
          status: 'submitted',
          deliverables,
          notes: notes ?? null,
          envelope: envelopeOf(event.input),
          envelopeDigest: (delivery?.envelopeDigest as string | undefined) ?? null,
          deliveredAt: event.time,
          decidedAt: null,
          feedback: null,
        };
        return { submissions: [...context.submissions, submission], confirmBy: event.time + confirmWithinMs };
      },
    ),
    approve: changeOn(['confirm'], { submissions: isDecidedNow }, ({ context, event }) => ({
      submissions: decided(context.submissions, 'approved', event.time, event.input.feedback ?? null),
    })),
    approveUnanswered: changeOn(['settle'], { submissions: 'the newest is approved' }, ({ context, event }) => ({
      submissions: decided(context.submissions, 'approved', event.time, null),
    })),
    reject: changeOn(
      ['reject'],
      {
        submissions: isDecidedNow,
        rejections: '+ 1',
        confirmBy: 'none',
        deliverBy: 'in 7 days, unless it is later already',
      },
      ({ context, event }) => ({
        submissions: decided(context.submissions, 'rejected', event.time, event.input.feedback ?? null),
        rejections: context.rejections + 1,
        confirmBy: null,
        deliverBy: Math.max(context.deliverBy, event.time + redeliverWithinMs),
      }),
    ),
    noteConfirmation: change({ confirmBy: 'none', confirmedAt: 'now' }, ({ event }) => ({
      confirmBy: null,
      confirmedAt: event.time,
    })),
    noteCancellation: change({ cancelledAt: 'now' }, ({ event }) => ({ cancelledAt: event.time })),
    noteReview: changeOn(['review'], { reviews: 'with the party’s review' }, ({ context, event }) => {
      const { rating, comment, aspects } = event.input;
      const review: PartyReview = {
        rating,
        ...(comment === undefined ? {} : { comment }),
        ...(aspects === undefined ? {} : { aspects }),
        at: event.time,
      };
      return { reviews: { ...context.reviews, [partyOf(event)]: review } };
    }),
    noteDispute: changeOn(['dispute'], { disputeId: 'the dispute', arbiter: 'its arbiter' }, ({ event }) =>
      ofDispute(event.input),
    ),
    /** A party's proposal changes nothing yet. */
    nothingYet: change({}, () => ({})),
  },
});

const disputing = { target: 'disputed', guard: 'wasRejectedThrice', actions: 'noteDispute' } as const;

export const taskOrderMachine = definition.createMachine({
  id: 'task-order',
  context: ({ input }) => ({ ...input }),
  initial: 'open',
  states: {
    open: { on: { begin: 'accepted' } },
    accepted: {
      on: {
        deliver: {
          target: 'delivered',
          guard: and(['bringsContent', 'envelopeHolds', 'submissionIsNew', 'hasTriesLeft']),
          actions: 'noteSubmission',
        },
        cancel: { target: 'cancelled', guard: 'deliverByHasPassed', actions: 'noteCancellation' },
        dispute: disputing,
      },
    },
    delivered: {
      on: {
        confirm: { target: 'confirmed', guard: 'meansTheNewest', actions: ['approve', 'noteConfirmation'] },
        reject: { target: 'accepted', guard: 'meansTheNewest', actions: 'reject' },
        settle: {
          target: 'confirmed',
          guard: 'confirmByHasPassed',
          actions: ['approveUnanswered', 'noteConfirmation'],
        },
        dispute: disputing,
      },
    },
    disputed: {
      on: {
        resolve: [
          { target: 'confirmed', guard: and(['isHeard', 'paysProvider']), actions: 'noteConfirmation' },
          { target: 'cancelled', guard: and(['isHeard', 'paysRequesterBack']), actions: 'noteCancellation' },
          { guard: 'isHeard', actions: 'nothingYet' },
        ],
      },
    },
    confirmed: {
      on: {
        review: [
          { target: 'reviewed', guard: and(['hasNotReviewed', 'isTheRequester']), actions: 'noteReview' },
          { guard: 'hasNotReviewed', actions: 'noteReview' },
        ],
      },
    },
    reviewed: { on: { review: { guard: 'hasNotReviewed', actions: 'noteReview' } } },
    cancelled: { type: 'final' },
  },
});
