/**
 * The state machine of a remote request (docs/reference/remote-requests.md#states): sent, then closed by what the home
 * of the resource has answered. It has no deadline: only an answer ends it, or the operator's act.
 */
import { setup } from 'xstate';
import type { Code } from '../../core/refusal.js';
import type { MachineEvent } from '../kernel/definition.js';
import { functionsFor } from '../kernel/machine-functions.js';

export interface RemoteRequestContext {
  readonly signer: string;
  /** DID of the home of the resource. */
  readonly home: string;
  /** The resource, and what is to be done with it there. */
  readonly subject: { readonly kind: string; readonly id: string; readonly action: string };
  /** Tokens that go with it. */
  readonly money: number;
  /** The escrow of these Tokens; null if there are none. */
  readonly escrowId: string | null;
  /** The resident of the other home whose Tokens go home; absent from requests of residents. */
  readonly owner?: string;
  /** Hash of the event that answers it in the journal of `home`; null before. */
  readonly answer: string | null;
  /** Why it was refused; null unless it was. */
  readonly code: string | null;
  readonly detail: string | null;
  /** Tokens that this home loses if the request was accepted nevertheless; absent unless it was given up. */
  readonly loss?: number;
  /** Why the operator has given it up; absent unless it was. */
  readonly reason?: string;
}

export interface Answered {
  readonly answer: string;
}
export interface AnsweredNo extends Answered {
  readonly code: Code;
  readonly detail: string;
}
export interface GivenUp {
  readonly loss: number;
  readonly reason: string;
}

export type RemoteRequestEvent =
  | MachineEvent<'complete', Answered>
  | MachineEvent<'return', AnsweredNo>
  | MachineEvent<'give-up', GivenUp>
  | MachineEvent<'note', Answered & Partial<AnsweredNo>>;

const { changeOn, guardOn } = functionsFor<RemoteRequestContext, RemoteRequestEvent>();

const definition = setup({
  types: { context: {} as RemoteRequestContext, events: {} as RemoteRequestEvent, input: {} as RemoteRequestContext },
  actions: {
    noteAnswer: changeOn(['complete', 'return'], { answer: 'the event that answers it' }, ({ event }) => ({
      answer: event.input.answer,
    })),
    noteReason: changeOn(['return'], { code: 'the code of the refusal', detail: 'its sentence' }, ({ event }) => ({
      code: event.input.code,
      detail: event.input.detail,
    })),
  },
});

/** What the other home's answer does. */
const closing = {
  complete: { target: 'accepted', actions: 'noteAnswer' },
  return: { target: 'refused', actions: ['noteAnswer', 'noteReason'] },
} as const;

/** Revision 1, without the operator's act. */
export const firstRemoteRequestMachine = definition.createMachine({
  id: 'remote-request',
  context: ({ input }) => ({ ...input }),
  initial: 'sent',
  states: {
    sent: {
      on: closing,
    },
    accepted: { type: 'final' },
    refused: { type: 'final' },
  },
});

const extended = definition.extend({
  guards: { namesTheLoss: guardOn(['give-up'], ({ context, event }) => event.input.loss === context.money) },
  actions: {
    noteLoss: changeOn(['give-up'], { loss: 'the Tokens that may be lost', reason: 'why' }, ({ event }) => ({
      loss: event.input.loss,
      reason: event.input.reason,
    })),
    noteLateAnswer: changeOn(
      ['note'],
      { answer: 'the event that answers it', code: 'the code of a refusal', detail: 'its sentence' },
      ({ event }) => ({
        answer: event.input.answer,
        code: event.input.code ?? null,
        detail: event.input.detail ?? null,
      }),
    ),
  },
});

export const remoteRequestMachine = extended.createMachine({
  id: 'remote-request',
  context: ({ input }) => ({ ...input }),
  initial: 'sent',
  states: {
    sent: {
      on: {
        ...closing,
        'give-up': { target: 'given-up', guard: 'namesTheLoss', actions: 'noteLoss' },
      },
    },
    'given-up': { on: { note: { target: 'answered-late', actions: 'noteLateAnswer' } } },
    accepted: { type: 'final' },
    refused: { type: 'final' },
    'answered-late': { type: 'final' },
  },
});
