/**
 * The state machine of a remote request (docs/reference/remote-requests.md#states): sent, then closed by what the home
 * of the resource has answered. It has no deadline: only an answer ends it.
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
  /** Hash of the event that answers it in the journal of `home`; null before. */
  readonly answer: string | null;
  /** Why it was refused; null unless it was. */
  readonly code: string | null;
  readonly detail: string | null;
}

export interface Answered {
  readonly answer: string;
}
export interface AnsweredNo extends Answered {
  readonly code: Code;
  readonly detail: string;
}

export type RemoteRequestEvent = MachineEvent<'complete', Answered> | MachineEvent<'return', AnsweredNo>;

const { changeOn } = functionsFor<RemoteRequestContext, RemoteRequestEvent>();

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

export const remoteRequestMachine = definition.createMachine({
  id: 'remote-request',
  context: ({ input }) => ({ ...input }),
  initial: 'sent',
  states: {
    sent: {
      on: {
        complete: { target: 'accepted', actions: 'noteAnswer' },
        return: { target: 'refused', actions: ['noteAnswer', 'noteReason'] },
      },
    },
    accepted: { type: 'final' },
    refused: { type: 'final' },
  },
});
