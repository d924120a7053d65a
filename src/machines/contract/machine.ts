/**
 * The contract's state machine (docs/reference/contracts-and-disputes.md). Time alone never changes its state: after a
 * deadline the client may terminate, and the clock's entry only records that the deadline has passed. The clock approves
 * and pays a milestone that was submitted in time and not answered.
 */

import { and, setup } from 'xstate';
import { dayMs } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import type { Leaf } from '../../core/leaf.js';
import { envelopeFor, isSoundFor } from '../deliverable/envelope.js';
import { givesBack, pays, type Settling } from '../dispute/ruling.js';
import { functionsFor } from '../kernel/machine-functions.js';
import type { MachineEvent, NoInput } from '../kernel/resource.js';
import {
  begun,
  contextIdOf,
  type Milestone,
  type MilestoneEvent,
  milestoneActions,
  moved,
  resubmitWithinMs,
  takes,
} from './milestone.js';
import {
  type Agreement,
  milestonesFit,
  milestonesOf,
  type Party,
  type StatedMilestone,
  sumOf,
  termsHashOf,
  totalOf,
} from './terms.js';

/**
 * The signature of one party, whose role it states, over the hash of the terms. The first signature freezes the terms.
 */
export interface Signature extends Pick<Party, 'role'> {
  /** Ed25519, base64url, over `svc:contract:v2:<network>:<home>:<contractId>:<termsHash>`. */
  readonly signature: string;
  /** Epoch ms. */
  readonly signedAt: number;
}

export interface ContractContext extends Agreement {
  readonly client: string;
  readonly provider: string;
  /** Decides disputes: `terms.arbiter`, else the network's arbiter when the contract was created; never a party. */
  readonly arbiter: string | null;
  readonly networkArbiter: string | null;
  readonly milestones: readonly Milestone[];
  readonly termsHash: string;
  readonly signatures: readonly Signature[];
  /** Tokens locked at activation. */
  readonly amount: number;
  readonly paid: number;
  readonly refunded: number;
  readonly escrowId: string | null;
  readonly disputeId: string | null;
  /**
   * Whether the provider agrees that the client may terminate. Kept as a flag because a dispute leaves the state
   * `active.consented`.
   */
  readonly consented: boolean;
  /** The clock has recorded deadlines up to this time, epoch ms. */
  readonly notedUntil: number;
}

export type ContractEvent =
  | MachineEvent<
      'update',
      {
        readonly terms?: JsonObject | undefined;
        readonly payment?: JsonObject | undefined;
        readonly milestones?: readonly StatedMilestone[] | undefined;
        /** Drawn by the node. */
        readonly salt?: string | undefined;
      }
    >
  /** `signature` is made with the signer's key during the request; callers do not send it. */
  | MachineEvent<'sign', { readonly termsHash?: string | undefined; readonly signature?: string | undefined }>
  /** The workflow adds `escrowId` and `disputeId`. */
  | MachineEvent<'activate', { readonly amount: number; readonly escrowId?: string | undefined }>
  | MilestoneEvent
  | MachineEvent<'complete', NoInput>
  | MachineEvent<'consent', NoInput>
  | MachineEvent<'terminate', { readonly reason?: Leaf | undefined }>
  | MachineEvent<
      'dispute',
      {
        readonly reason: string;
        readonly description?: Leaf | undefined;
        readonly evidence?: readonly Leaf[] | undefined;
        readonly disputeId?: string | undefined;
      }
    >
  | MachineEvent<'resolve', Settling>
  | MachineEvent<'overdue', NoInput>
  | MachineEvent<'settle', NoInput>;

export const partiesOf = ({ client, provider }: Pick<ContractContext, 'client' | 'provider'>): readonly Party[] => [
  { did: client, role: 'client' },
  { did: provider, role: 'provider' },
];

/** Tokens still locked. */
export const rest = ({ amount, paid, refunded }: Pick<ContractContext, 'amount' | 'paid' | 'refunded'>): number =>
  amount - paid - refunded;

export const deadlineOf = ({ terms }: Pick<ContractContext, 'terms'>): number | null =>
  (terms.deadline as number | undefined) ?? null;

/** Whether the milestone's work is not submitted yet, or was rejected. */
const isOpen = ({ state }: Milestone): boolean => state === 'pending' || state === 'rejected';
/** Whether the milestone's work was submitted and is not paid yet. */
const isHandedIn = ({ state }: Milestone): boolean => state === 'submitted' || state === 'rejected';

/** The next deadline that the clock has not recorded; null if there is none. */
export function nextDeadline(context: ContractContext): number | null {
  const own = context.milestones.filter(isOpen).map(({ deadline }) => deadline ?? null);
  const ahead = [deadlineOf(context), ...own].filter((at) => at !== null && at > context.notedUntil) as number[];
  return ahead.length > 0 ? Math.min(...ahead) : null;
}

const hasPassed = (at: number | null, time: number): boolean => at !== null && time >= at;

const reviewWithinMs = ({ terms }: ContractContext): number => ((terms.reviewDays as number | undefined) ?? 7) * dayMs;

/**
 * Until when the client may review a milestone submitted now, undefined if it is late; or until when the provider may
 * submit again what is rejected now, undefined if that was submitted after the deadline.
 */
function waitsAfter(context: ContractContext, milestone: Milestone, { type, time }: MilestoneEvent) {
  const { deadline = null, submission, waitsUntil = 0 } = milestone;
  const due = Math.min(deadlineOf(context) ?? Number.POSITIVE_INFINITY, deadline ?? Number.POSITIVE_INFINITY);
  if (type === 'submit') return time <= due || time < waitsUntil ? time + reviewWithinMs(context) : undefined;
  return type === 'reject' && submission!.at <= due ? time + resubmitWithinMs : undefined;
}

/** When the clock approves the next milestone; null if none waits for review. */
export function nextReview({ milestones }: ContractContext): number | null {
  const ahead = milestones.flatMap(({ state, waitsUntil }) => (state === 'submitted' ? (waitsUntil ?? []) : []));
  return ahead.length > 0 ? Math.min(...ahead) : null;
}

export const unanswered = ({ milestones }: ContractContext, time: number): readonly Milestone[] =>
  milestones.filter(({ state, waitsUntil = null }) => state === 'submitted' && hasPassed(waitsUntil, time));

/** The milestones that keep the client from terminating: submitted in time, or rejected a short time ago. */
export const waiting = ({ milestones }: ContractContext, time: number): readonly Milestone[] =>
  milestones.filter(
    ({ state, waitsUntil }) => waitsUntil !== undefined && (state === 'submitted' || time < waitsUntil),
  );

function clientMayTerminate(context: ContractContext, time: number): boolean {
  const deadline = deadlineOf(context);
  if (context.consented || hasPassed(deadline, time)) return true;
  if (context.milestones.some(({ state, deadline = null }) => state !== 'approved' && hasPassed(deadline, time)))
    return true;
  return deadline === null && !context.milestones.some(isHandedIn);
}

export const updated = (
  { salt, terms, payment, milestones }: Agreement,
  stated: Extract<ContractEvent, { type: 'update' }>['input'],
): Agreement => ({
  salt: stated.salt ?? salt,
  terms: stated.terms ?? terms,
  payment: stated.payment ?? payment,
  milestones: stated.milestones ? milestonesOf(stated.milestones) : milestones,
});

/** The members of the context that are derived from an agreement, for its two parties and the network's arbiter. */
export function agreed(
  agreement: Agreement,
  parties: readonly Party[],
  networkArbiter: string | null,
): Pick<ContractContext, 'salt' | 'terms' | 'payment' | 'milestones' | 'termsHash' | 'arbiter'> {
  const { salt, terms, payment, milestones } = agreement;
  return {
    salt,
    terms,
    payment,
    milestones: milestones.map((each) => ('state' in each ? (each as Milestone) : begun(each))),
    termsHash: termsHashOf(agreement, parties),
    arbiter: (terms.arbiter as string | undefined) ?? networkArbiter,
  };
}

export const namedIn = ({ milestones }: ContractContext, { input }: MilestoneEvent): Milestone | undefined =>
  milestones.find(({ id }) => id === input.milestoneId);

const signingRole = (context: ContractContext, signer: string): Party['role'] =>
  signer === context.client ? 'client' : 'provider';

const { guardOn, change, changeOn } = functionsFor<ContractContext, ContractEvent>();

const definition = setup({
  types: { context: {} as ContractContext, events: {} as ContractEvent, input: {} as ContractContext },
  guards: {
    isUnsigned: ({ context }) => context.signatures.length === 0,
    milestonesFitBudget: guardOn(['update'], ({ context, event }) => milestonesFit(updated(context, event.input))),
    arbiterIsNoParty: guardOn(['update'], ({ context, event }) =>
      partiesOf(context).every(({ did }) => did !== updated(context, event.input).terms.arbiter),
    ),
    hasNotSigned: ({ context, event }) => !context.signatures.some(({ role }) => event.roles.includes(role)),
    termsAreCurrent: guardOn(
      ['sign'],
      ({ context, event }) => (event.input.termsHash ?? context.termsHash) === context.termsHash,
    ),
    signsLast: ({ context }) => context.signatures.length === 1,
    amountIsAgreed: guardOn(['activate'], ({ context, event }) => {
      const total = totalOf(context);
      return total === undefined ? event.input.amount >= sumOf(context.milestones) : event.input.amount === total;
    }),
    milestoneIsKnown: guardOn(milestoneActions, ({ context, event }) => namedIn(context, event) !== undefined),
    someMilestoneTakesIt: guardOn(milestoneActions, ({ context, event }) =>
      context.milestones.some((each) => takes(each, event.type)),
    ),
    milestoneTakesIt: guardOn(milestoneActions, ({ context, event }) => {
      const milestone = namedIn(context, event);
      return milestone !== undefined && takes(milestone, event.type);
    }),
    envelopeHolds: guardOn(['submit'], ({ event }) =>
      isSoundFor(envelopeFor(event, contextIdOf(event.id, event.input.milestoneId)), {
        envelope: event.input.delivery?.envelope,
        envelopeDigest: event.input.envelopeDigest,
      }),
    ),
    allApproved: ({ context }) => context.milestones.every(({ state }) => state === 'approved'),
    mayTerminate: ({ context, event }) =>
      event.roles.includes('provider') || (event.roles.includes('client') && clientMayTerminate(context, event.time)),
    nothingWaits: ({ context, event }) =>
      context.consented || !event.roles.includes('client') || waiting(context, event.time).length === 0,
    reviewIsOver: ({ context, event }) => unanswered(context, event.time).length > 0,
    hadConsented: ({ context }) => context.consented,
    deadlineHasPassed: ({ context, event }) => hasPassed(nextDeadline(context), event.time),
    paysProvider: guardOn(['resolve'], ({ event }) => pays(event.input)),
    paysClientBack: guardOn(['resolve'], ({ event }) => givesBack(event.input)),
    letsGoOn: guardOn(['resolve'], ({ event }) => event.input.outcome === 'resume'),
    isHeard: ({ event }) => event.roles.includes('workflow'),
  },
  actions: {
    changeTerms: changeOn(
      ['update'],
      {
        salt: 'a new one',
        terms: 'as stated',
        payment: 'as stated',
        milestones: 'as stated',
        termsHash: 'of the new terms',
        arbiter: 'as the terms name it, else the network’s',
      },
      ({ context, event }) => agreed(updated(context, event.input), partiesOf(context), context.networkArbiter),
    ),
    noteSignature: changeOn(['sign'], { signatures: 'with the party’s signature' }, ({ context, event }) => {
      const role = signingRole(context, event.signer);
      const signature = event.input.signature ?? '';
      return { signatures: [...context.signatures, { role, signature, signedAt: event.time }] };
    }),
    noteLocked: changeOn(['activate'], { amount: 'the amount', escrowId: 'the escrow made' }, ({ event }) => ({
      amount: event.input.amount,
      escrowId: event.input.escrowId ?? null,
    })),
    payMilestone: changeOn(['approve'], { paid: '+ the milestone’s amount' }, ({ context, event }) => ({
      paid: context.paid + (namedIn(context, event)?.amount ?? 0),
    })),
    stepMilestone: changeOn(milestoneActions, { milestones: 'the milestone takes its step' }, ({ context, event }) => {
      const one = namedIn(context, event);
      if (!one) return {};
      const waitsUntil = waitsAfter(context, one, event);
      const next = moved(one, { ...event, input: { ...event.input, waitsUntil } });
      return { milestones: context.milestones.map((each) => (each === one ? next : each)) };
    }),
    payUnanswered: changeOn(['settle'], { paid: '+ the amounts of what is approved' }, ({ context, event }) => ({
      paid: context.paid + sumOf(unanswered(context, event.time)),
    })),
    approveUnanswered: changeOn(
      ['settle'],
      { milestones: 'those whose time for review is over are approved' },
      ({ context, event }) => {
        const over = unanswered(context, event.time);
        const approved = (each: Milestone) =>
          moved(each, { ...event, type: 'approve', input: { milestoneId: each.id } });
        return { milestones: context.milestones.map((each) => (over.includes(each) ? approved(each) : each)) };
      },
    ),
    noteConsent: change({ consented: 'true' }, () => ({ consented: true })),
    /** Submitting work withdraws the consent to terminate. */
    forgetConsent: change({ consented: 'false' }, () => ({ consented: false })),
    payRest: change({ paid: '+ what is locked' }, ({ context }) => ({ paid: context.paid + rest(context) })),
    refundRest: change({ refunded: '+ what is locked' }, ({ context }) => ({
      refunded: context.refunded + rest(context),
    })),
    noteDispute: changeOn(['dispute'], { disputeId: 'the dispute' }, ({ event }) => ({
      disputeId: event.input.disputeId ?? null,
    })),
    noteOverdue: change({ notedUntil: 'now' }, ({ event }) => ({ notedUntil: event.time })),
    settle: changeOn(
      ['resolve'],
      {
        paid: '+ what the ruling gives the provider',
        refunded: '+ what the ruling gives the client',
        disputeId: 'none',
      },
      ({ context, event: { input } }) => ({
        paid: context.paid + (input.providerPayment ?? 0),
        refunded: context.refunded + (input.clientRefund ?? 0),
        disputeId: null,
      }),
    ),
    settleForClient: changeOn(
      ['resolve'],
      { refunded: '+ what the ruling gives the client', disputeId: 'none' },
      ({ context, event: { input } }) => ({ refunded: context.refunded + (input.clientRefund ?? 0), disputeId: null }),
    ),
    endDispute: change(
      { disputeId: 'none', milestones: 'what waits has its whole time again' },
      ({ context, event: { time } }) => ({
        disputeId: null,
        milestones: context.milestones.map((each) => {
          if (each.waitsUntil === undefined) return each;
          const withinMs = each.state === 'submitted' ? reviewWithinMs(context) : resubmitWithinMs;
          return { ...each, waitsUntil: time + withinMs };
        }),
      }),
    ),
    /** A party's proposal changes nothing yet. */
    nothingYet: change({}, () => ({})),
  },
});

const itsTurn = ['milestoneIsKnown', 'someMilestoneTakesIt', 'milestoneTakesIt'] as const;

const submit = { guard: and([...itsTurn, 'envelopeHolds']), actions: ['stepMilestone'] } as const;
const submitAfterConsent = { ...submit, actions: ['stepMilestone', 'forgetConsent'] } as const;

export const contractMachine = definition.createMachine({
  id: 'contract',
  context: ({ input }) => ({ ...input }),
  initial: 'draft',
  states: {
    draft: {
      on: {
        update: { guard: and(['isUnsigned', 'milestonesFitBudget', 'arbiterIsNoParty']), actions: 'changeTerms' },
        sign: [
          { target: 'signed', guard: and(['hasNotSigned', 'termsAreCurrent', 'signsLast']), actions: 'noteSignature' },
          { guard: and(['hasNotSigned', 'termsAreCurrent']), actions: 'noteSignature' },
        ],
        terminate: 'terminated',
      },
    },
    signed: {
      on: {
        terminate: 'terminated',
        activate: { target: 'active', guard: 'amountIsAgreed', actions: 'noteLocked' },
      },
    },
    active: {
      initial: 'ongoing',
      on: {
        approve: { guard: and([...itsTurn]), actions: ['payMilestone', 'stepMilestone'] },
        reject: { guard: and([...itsTurn]), actions: 'stepMilestone' },
        complete: { target: 'completed', guard: 'allApproved', actions: 'payRest' },
        terminate: { target: 'terminated', guard: and(['nothingWaits', 'mayTerminate']), actions: 'refundRest' },
        dispute: { target: 'disputed', actions: 'noteDispute' },
        overdue: { guard: 'deadlineHasPassed', actions: 'noteOverdue' },
        settle: { guard: 'reviewIsOver', actions: ['payUnanswered', 'approveUnanswered'] },
      },
      states: {
        ongoing: { on: { submit, consent: { target: 'consented', actions: 'noteConsent' } } },
        // The provider has consented to termination; submitting work withdraws the consent.
        consented: { on: { submit: { ...submitAfterConsent, target: 'ongoing' } } },
      },
    },
    disputed: {
      on: {
        resolve: [
          { target: 'completed', guard: and(['isHeard', 'paysProvider']), actions: 'settle' },
          { target: 'terminated', guard: and(['isHeard', 'paysClientBack']), actions: 'settleForClient' },
          {
            target: '#contract.active.consented',
            guard: and(['isHeard', 'letsGoOn', 'hadConsented']),
            actions: 'endDispute',
          },
          { target: '#contract.active.ongoing', guard: and(['isHeard', 'letsGoOn']), actions: 'endDispute' },
          { guard: 'isHeard', actions: 'nothingYet' },
        ],
      },
    },
    completed: { type: 'final' },
    terminated: { type: 'final' },
  },
});
