/**
 * The milestone's state machine: one machine for all milestones, whose snapshots are in the contract's context
 * (docs/reference/contracts-and-disputes.md#milestones). The contract decides who may act and when; when a milestone is
 * approved, the contract's workflow pays it.
 */

import { setup } from 'xstate';
import { dayMs } from '../../core/bounds.js';
import type { Json } from '../../core/canonical.js';
import type { Leaf } from '../../core/leaf.js';
import { functionsFor } from '../kernel/machine-functions.js';
import type { MachineEvent } from '../kernel/resource.js';
import { MachineStepper } from '../kernel/stepper.js';
import type { MilestoneTerms } from './terms.js';

/** Members that the provider left out are absent. */
export interface MilestoneSubmission {
  /** Epoch ms. */
  readonly at: number;
  /** By the deadlines, or by `resubmitBy` of the rejection before. */
  readonly inTime: boolean;
  readonly deliverables?: readonly Leaf[] | undefined;
  /** The deliverable envelope, completed and signed by the provider. */
  readonly envelope?: Json | undefined;
  readonly envelopeDigest?: string | undefined;
  readonly notes?: Leaf | undefined;
}

/** Members without a value are absent, because every step of the contract writes and hashes all milestones. */
export interface Milestone extends MilestoneTerms {
  readonly state: string;
  readonly submission?: MilestoneSubmission | undefined;
  readonly submissions?: number | undefined;
  readonly rating?: number | undefined;
  readonly feedback?: Leaf | undefined;
  readonly answeredAt?: number | undefined;
  /**
   * Epoch ms. Of a submission in time: when the clock approves it. Of a rejected one that was made by the deadline: until
   * when the client can't terminate, because the provider may submit again.
   */
  readonly waitsUntil?: number | undefined;
}

export interface Submitting {
  readonly deliverables?: readonly Leaf[] | undefined;
  readonly notes?: Leaf | undefined;
  readonly delivery?: { readonly envelope?: Json | undefined } | undefined;
  readonly envelopeDigest?: string | undefined;
}
interface Answer {
  readonly rating?: number | undefined;
  readonly feedback?: Leaf | undefined;
}
type WithMilestone<Input> = Input & {
  readonly milestoneId: string;
  /** Added by the contract; see `Milestone`. */
  readonly waitsUntil?: number | undefined;
};

export type MilestoneEvent =
  | MachineEvent<'submit', WithMilestone<Submitting>>
  | MachineEvent<'approve', WithMilestone<Answer>>
  | MachineEvent<'reject', WithMilestone<Answer>>;

/** The provider's time to submit a rejected milestone again, in which the client can't terminate. */
export const resubmitWithinMs = 7 * dayMs;

const { changeOn } = functionsFor<Milestone, MilestoneEvent>();

const definition = setup({
  types: { context: {} as Milestone, events: {} as MilestoneEvent, input: {} as Milestone },
  actions: {
    take: changeOn(
      ['submit'],
      {
        submission: 'what was handed in',
        submissions: '+ 1',
        rating: 'none',
        feedback: 'none',
        answeredAt: 'none',
        waitsUntil: 'until when the client may review a submission in time; none of a late one',
      },
      ({ context, event }) => {
        const { deliverables, notes, delivery, envelopeDigest, waitsUntil } = event.input;
        return {
          submission: {
            at: event.time,
            inTime: waitsUntil !== undefined,
            deliverables,
            envelope: delivery?.envelope,
            envelopeDigest,
            notes,
          },
          submissions: (context.submissions ?? 0) + 1,
          rating: undefined,
          feedback: undefined,
          answeredAt: undefined,
          waitsUntil,
        };
      },
    ),
    answer: changeOn(
      ['approve', 'reject'],
      {
        rating: 'the rating given',
        feedback: 'the feedback given',
        answeredAt: 'now',
        waitsUntil: 'in 7 days where what was submitted by the deadline is rejected, else none',
      },
      ({ event }) => {
        const { rating, feedback, waitsUntil } = event.input;
        return { rating, feedback, answeredAt: event.time, waitsUntil };
      },
    ),
  },
});

export const milestoneMachine = definition.createMachine({
  id: 'milestone',
  context: ({ input }) => ({ ...input }),
  initial: 'pending',
  states: {
    pending: { on: { submit: { target: 'submitted', actions: 'take' } } },
    submitted: {
      on: { approve: { target: 'approved', actions: 'answer' }, reject: { target: 'rejected', actions: 'answer' } },
    },
    rejected: { on: { submit: { target: 'submitted', actions: 'take' } } },
    approved: { type: 'final' },
  },
});

/** The `contextId` of an envelope that is delivered for a milestone. */
export const contextIdOf = (contractId: string, milestoneId: string): string => `${contractId}/${milestoneId}`;

export const milestoneStates = ['pending', 'submitted', 'approved', 'rejected'] as const;
export const milestoneActions = ['submit', 'approve', 'reject'] as const;

const milestoneLaw = new MachineStepper(milestoneMachine);

/** All members in the order in which they are hashed, absent ones as undefined. */
const shaped = (milestone: Milestone, state: string): Milestone => ({
  amount: milestone.amount,
  answeredAt: milestone.answeredAt,
  criteria: milestone.criteria,
  deadline: milestone.deadline,
  description: milestone.description,
  feedback: milestone.feedback,
  id: milestone.id,
  rating: milestone.rating,
  state,
  submission: milestone.submission,
  submissions: milestone.submissions,
  title: milestone.title,
  waitsUntil: milestone.waitsUntil,
});

export const begun = (terms: MilestoneTerms): Milestone => shaped(terms as Milestone, 'pending');

/**
 * Whether the action is possible in the milestone's state. Milestones have no guards: the contract's
 * guards run before.
 */
export const takes = ({ state }: Pick<Milestone, 'state'>, action: string): boolean =>
  milestoneMachine.states[state as 'pending']?.transitions.has(action as 'submit') ?? false;

export function moved(milestone: Milestone, event: MilestoneEvent): Milestone {
  const { state, context } = milestoneLaw.move(milestone.state, milestone as never, event as never);
  return shaped(context as unknown as Milestone, state);
}
