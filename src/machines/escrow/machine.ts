/**
 * The escrow's state machine (docs/reference/escrows.md#states).
 */
import { and, setup } from 'xstate';
import type { Json } from '../../core/canonical.js';
import type { Leaf } from '../../core/leaf.js';
import { placeText } from '../kernel/attest.js';
import { functionsFor } from '../kernel/machine-functions.js';
import type { MachineEvent, NoInput } from '../kernel/resource.js';
import { lets, type Parties, type Rule, type RuleClaim, satisfied } from './rule.js';

export interface EscrowContext extends Parties {
  readonly amount: number;
  /** Tokens locked so far: 0 or `amount`. */
  readonly funded: number;
  readonly released: number;
  readonly refunded: number;
  readonly releaseRules: readonly Rule[];
  readonly refundRules: readonly Rule[];
  /** True if no refund rules were given: the depositor may take back what remains. */
  readonly revocable: boolean;
  /** The order, lease or contract whose workflow moves this escrow. */
  readonly purpose: { readonly kind: string; readonly id: string } | null;
  readonly expiresAt: number | null;
  /** When an unfunded escrow lapses and its reservation is released, epoch ms. */
  readonly lapsesAt: number;
}

interface Claiming {
  readonly amount: number;
  readonly ruleId?: string | undefined;
  readonly rule?: string | undefined;
  readonly evidence?: Json | undefined;
  readonly reason?: Leaf | undefined;
  readonly resourcePrev?: string | null | undefined;
}

export type EscrowEvent =
  | MachineEvent<'fund', { readonly amount: number }>
  | MachineEvent<'release', Claiming>
  | MachineEvent<'refund', Claiming & { readonly reason: Leaf }>
  | MachineEvent<'expire', NoInput>
  | MachineEvent<'cancel', NoInput>
  | MachineEvent<'lapse', NoInput>;

export const remaining = (context: EscrowContext): number => context.funded - context.released - context.refunded;

const claimOf = (event: MachineEvent<string, Claiming>, verb: 'release' | 'refund'): Omit<RuleClaim, 'cited'> => ({
  signer: event.signer,
  time: event.time,
  evidence: event.input.evidence,
  reason: event.input.reason,
  // A signature for another version of the escrow must not count. In replay, only the input says which version it was
  // made for.
  message:
    event.input.resourcePrev && event.input.resourcePrev === event.lastHash
      ? `svc:escrow-${verb}:${placeText(event.network, event.home)}:${event.id}:${event.input.resourcePrev}:${event.input.amount}`
      : undefined,
});

/** `ruleId` (or `rule`) selects a rule by id, or by type if no id matches; without it any satisfied rule suffices. */
function anySatisfied(
  rules: readonly Rule[],
  context: EscrowContext,
  event: MachineEvent<string, Claiming>,
  verb: 'release' | 'refund',
): boolean {
  const cited = event.input.ruleId ?? event.input.rule;
  const byId = rules.filter((rule) => rule.id === cited);
  const picked = cited === undefined ? rules : byId.length > 0 ? byId : rules.filter((rule) => rule.type === cited);
  const claim = { ...claimOf(event, verb), cited: cited !== undefined };
  return picked.some((rule) => satisfied(rule, context, claim));
}

const { guardOn, change, changeOn } = functionsFor<EscrowContext, EscrowEvent>();

const claims = ['release', 'refund'] as const;

const definition = setup({
  types: { context: {} as EscrowContext, events: {} as EscrowEvent, input: {} as EscrowContext },
  actions: {
    reserve: () => {},
    unreserve: () => {},
    lock: () => {},
    pay: () => {},
    payBack: () => {},
    payBackRest: () => {},
    noteFunded: change({ funded: 'amount' }, ({ context }) => ({ funded: context.amount })),
    noteReleased: changeOn(['release'], { released: '+ the amount asked for' }, ({ context, event }) => ({
      released: context.released + event.input.amount,
    })),
    noteRefunded: changeOn(['refund'], { refunded: '+ the amount asked for' }, ({ context, event }) => ({
      refunded: context.refunded + event.input.amount,
    })),
    noteRestRefunded: change({ refunded: '+ what remains' }, ({ context }) => ({
      refunded: context.refunded + remaining(context),
    })),
  },
  guards: {
    amountIsTheEscrows: guardOn(['fund'], ({ context, event }) => event.input.amount === context.amount),
    inTimeToFund: ({ context, event }) => event.time < context.lapsesAt,
    lapseIsDue: ({ context, event }) => event.time >= context.lapsesAt,
    withinRemaining: guardOn(claims, ({ context, event }) => event.input.amount <= remaining(context)),
    emptiesIt: guardOn(claims, ({ context, event }) => event.input.amount === remaining(context)),
    releaseRuleMet: guardOn(
      ['release'],
      ({ context, event }) =>
        event.roles.includes('workflow') || anySatisfied(context.releaseRules, context, event, 'release'),
    ),
    refundRuleMet: guardOn(
      ['refund'],
      ({ context, event }) =>
        event.roles.includes('workflow') ||
        event.signer !== context.depositor ||
        context.revocable ||
        anySatisfied(context.refundRules, context, event, 'refund'),
    ),
    expiryHasPassed: ({ context, event }) => context.expiresAt !== null && event.time >= context.expiresAt,
  },
});

export const escrowMachine = definition.createMachine({
  id: 'escrow',
  context: ({ input }) => ({ ...input }),
  initial: 'created',
  entry: 'reserve',
  states: {
    created: {
      initial: 'open',
      states: {
        open: {
          on: {
            fund: {
              target: '#escrow.funded',
              guard: and(['inTimeToFund', 'amountIsTheEscrows']),
              actions: ['lock', 'noteFunded'],
            },
            cancel: { target: 'cancelled', actions: 'unreserve' },
            lapse: { target: 'lapsed', guard: 'lapseIsDue', actions: 'unreserve' },
          },
        },
        cancelled: { type: 'final' },
        lapsed: { type: 'final' },
      },
    },
    funded: {
      on: {
        release: [
          { target: 'released', guard: and(['releaseRuleMet', 'emptiesIt']), actions: ['pay', 'noteReleased'] },
          { guard: and(['releaseRuleMet', 'withinRemaining']), actions: ['pay', 'noteReleased'] },
        ],
        refund: [
          { target: 'refunded', guard: and(['refundRuleMet', 'emptiesIt']), actions: ['payBack', 'noteRefunded'] },
          { guard: and(['refundRuleMet', 'withinRemaining']), actions: ['payBack', 'noteRefunded'] },
        ],
        expire: { target: 'expired', guard: 'expiryHasPassed', actions: ['payBackRest', 'noteRestRefunded'] },
      },
    },
    released: { type: 'final' },
    refunded: { type: 'final' },
    expired: { type: 'final' },
  },
});

/** Whether the beneficiary may claim alone: a rule can be met without another party's consent. */
export const beneficiaryMayClaim = (context: EscrowContext): boolean => context.releaseRules.some(lets);
