/**
 * The milestone's law: one machine for all of them, their snapshots inside the contract's context (decisions.md,
 * Contracts). Who may, and when, is the contract's to say; approving one pays it, by the contract's workflow.
 */
import { setup } from 'xstate';
import type { Json } from '../kernel/canonical.js';
import { type Happening, Law } from '../kernel/law.js';
import type { MilestoneTerms } from './terms.js';

export interface Submission {
  readonly deliverables: readonly Json[];
  readonly notes: string | null;
  /** The deliverable envelope, completed and signed by the provider. */
  readonly envelope: Json;
  readonly envelopeDigest: string | null;
  /** Epoch ms. */
  readonly at: number;
}

export interface Milestone extends MilestoneTerms {
  readonly state: string;
  /** The newest. */
  readonly submission: Submission | null;
  readonly submissions: number;
  /** The client's answer to it. */
  readonly rating: number | null;
  readonly feedback: string | null;
  readonly answeredAt: number | null;
}

export interface Submitting {
  readonly deliverables?: readonly Json[] | undefined;
  readonly notes?: string | undefined;
  readonly delivery?: { readonly envelope?: Json | undefined } | undefined;
  readonly envelopeDigest?: string | undefined;
}
interface Answer {
  readonly rating?: number | undefined;
  readonly feedback?: string | undefined;
}
type Named<Input> = Input & { readonly milestoneId: string };

export type MilestoneEvent =
  | Happening<'submit', Named<Submitting>>
  | Happening<'approve', Named<Answer>>
  | Happening<'reject', Named<Answer>>;

const law = setup({ types: { context: {} as Milestone, events: {} as MilestoneEvent, input: {} as Milestone } });

const take = law.assign(({ context, event }) => {
  if (event.type !== 'submit') return {};
  const { deliverables, notes, delivery, envelopeDigest } = event.input;
  return {
    submission: {
      at: event.time,
      deliverables: deliverables ?? [],
      envelope: delivery?.envelope ?? null,
      envelopeDigest: envelopeDigest ?? null,
      notes: notes ?? null,
    },
    submissions: context.submissions + 1,
    rating: null,
    feedback: null,
    answeredAt: null,
  };
});
const answer = law.assign(({ event }) => {
  if (event.type === 'submit') return {};
  const { rating, feedback } = event.input;
  return { rating: rating ?? null, feedback: feedback ?? null, answeredAt: event.time };
});

export const milestoneMachine = law.createMachine({
  id: 'milestone',
  context: ({ input }) => ({ ...input }),
  initial: 'pending',
  states: {
    pending: { on: { submit: { target: 'submitted', actions: take } } },
    submitted: {
      on: { approve: { target: 'approved', actions: answer }, reject: { target: 'rejected', actions: answer } },
    },
    rejected: { on: { submit: { target: 'submitted', actions: take } } },
    approved: { type: 'final' },
  },
});

/** What an envelope names that is delivered for a milestone. */
export const contextIdOf = (contractId: string, milestoneId: string): string => `${contractId}/${milestoneId}`;

export const milestoneStates = ['pending', 'submitted', 'approved', 'rejected'] as const;
export const milestoneActions = ['submit', 'approve', 'reject'] as const;

const milestoneLaw = new Law(milestoneMachine);

export const begun = (terms: MilestoneTerms): Milestone => ({
  ...terms,
  state: 'pending',
  submission: null,
  submissions: 0,
  rating: null,
  feedback: null,
  answeredAt: null,
});

/** Whether its state lists the action. No guard of its own says no: the contract's come before. */
export const takes = ({ state }: Pick<Milestone, 'state'>, action: string): boolean =>
  milestoneMachine.states[state as 'pending']?.transitions.has(action as 'submit') ?? false;

export function moved(milestone: Milestone, event: MilestoneEvent): Milestone {
  const { state, context } = milestoneLaw.move(milestone.state, milestone as never, event as never);
  return Object.assign({ ...(context as unknown as Milestone) }, { state });
}
