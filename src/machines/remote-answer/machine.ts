/**
 * The state machine of an answer to a remote request (docs/reference/remote-requests.md#answers). One entry creates and
 * ends it, so `received` is never stored.
 */
import { setup } from 'xstate';
import type { MachineEvent, NoInput } from '../kernel/definition.js';

export interface RemoteAnswerContext {
  /** DID that asks. */
  readonly signer: string;
  /** DID of its home, which pays. */
  readonly from: string;
  readonly subject: { readonly kind: string; readonly id: string; readonly action: string };
  /** Tokens that go with it. */
  readonly money: number;
  /** Why it was refused; null unless it was. */
  readonly code: string | null;
  readonly detail: string | null;
}

export type RemoteAnswerEvent = MachineEvent<'accept', NoInput> | MachineEvent<'refuse', NoInput>;

const definition = setup({
  types: { context: {} as RemoteAnswerContext, events: {} as RemoteAnswerEvent, input: {} as RemoteAnswerContext },
});

export const remoteAnswerMachine = definition.createMachine({
  id: 'remote-answer',
  context: ({ input }) => ({ ...input }),
  initial: 'received',
  states: {
    received: { on: { accept: { target: 'accepted' }, refuse: { target: 'refused' } } },
    accepted: { type: 'final' },
    refused: { type: 'final' },
  },
});
