/**
 * The dispute's state machine (docs/reference/contracts-and-disputes.md#resolution): open until the arbiter decides,
 * both parties propose the same, or the fallback is requested after its waiting time. For orders the clock requests the
 * fallback. The disputed resource is changed in the same entry.
 */
import { and, setup } from 'xstate';
import type { Leaf } from '../../core/leaf.js';
import { functionsFor } from '../kernel/machine-functions.js';
import type { MachineEvent } from '../kernel/resource.js';
import {
  type Disagreement,
  decided,
  fallbackIsDue,
  fallbackOf,
  networkMayRuleAfterMs,
  partyOf,
  type Ruling,
  type RulingInput,
  rulingOf,
} from './ruling.js';

export interface DisputeContext extends Disagreement {
  /** The disputed resource: a contract, or an order of a market. */
  readonly subject: { readonly kind: string; readonly id: string };
  readonly escrowId: string | null;
  readonly openedBy: string;
  readonly reason: string;
  readonly description: Leaf | null;
  readonly evidence: readonly Leaf[];
  readonly ruling: Ruling | null;
  readonly ruledBy: string | null;
  readonly ruledAt: number | null;
  readonly note: Leaf | null;
}

export type DisputeEvent = MachineEvent<'resolve', RulingInput> | MachineEvent<'settle', Record<never, never>>;

const { guardOn, change, changeOn } = functionsFor<DisputeContext, DisputeEvent>();

const definition = setup({
  types: { context: {} as DisputeContext, events: {} as DisputeEvent, input: {} as DisputeContext },
  guards: {
    mayRuleNow: ({ context, event }) =>
      event.roles.some((role) => role === 'client' || role === 'provider' || role === 'arbiter') ||
      (event.roles.includes('networkArbiter') && event.time >= context.openedAt + networkMayRuleAfterMs),
    fallbackHasCome: guardOn(
      ['resolve'],
      ({ context, event }) => event.input.resolution !== 'fallback' || fallbackIsDue(context, event.time),
    ),
    rulingMakesUpTheRest: guardOn(['resolve'], ({ context, event }) => rulingOf(context, event.input) !== undefined),
    isDecided: guardOn(['resolve'], ({ context, event }) => decided(context, event) !== undefined),
    endsByItself: ({ context }) => !context.resumable,
    hasWaited: ({ context, event }) => fallbackIsDue(context, event.time),
  },
  actions: {
    propose: changeOn(['resolve'], { proposals: 'a party’s own proposal is noted' }, ({ context, event }) => {
      const party = partyOf(context, event.signer);
      const ruling = rulingOf(context, event.input);
      if (!party || !ruling) return {};
      return { proposals: { ...context.proposals, [party]: { ...ruling, note: event.input.note ?? null } } };
    }),
    rule: changeOn(
      ['resolve'],
      { ruling: 'what was decided', ruledBy: 'the signer', ruledAt: 'now', note: 'the note given' },
      ({ context, event }) => ({
        ruling: decided(context, event) ?? null,
        ruledBy: event.signer,
        ruledAt: event.time,
        note: event.input.note ?? null,
      }),
    ),
    /** Applies the agreed fallback, because there was no decision. */
    fallBack: change({ ruling: 'the fallback', ruledAt: 'now' }, ({ context, event }) => ({
      ruling: fallbackOf(context),
      ruledAt: event.time,
    })),
  },
});

export const disputeMachine = definition.createMachine({
  id: 'dispute',
  context: ({ input }) => ({ ...input }),
  initial: 'open',
  states: {
    open: {
      on: {
        resolve: [
          {
            target: 'resolved',
            guard: and(['mayRuleNow', 'fallbackHasCome', 'rulingMakesUpTheRest', 'isDecided']),
            actions: ['propose', 'rule'],
          },
          { guard: and(['mayRuleNow', 'fallbackHasCome', 'rulingMakesUpTheRest']), actions: 'propose' },
        ],
        settle: { target: 'resolved', guard: and(['endsByItself', 'hasWaited']), actions: 'fallBack' },
      },
    },
    resolved: { type: 'final' },
  },
});
