/**
 * The bid's state machine (docs/reference/markets.md#bids): the requester accepts or rejects it, the bidder may
 * withdraw it; all three are final. Whether a bid may be submitted is decided by its listing (listing/machine.ts).
 */
import { setup } from 'xstate';
import type { Leaf } from '../../core/leaf.js';
import { functionsFor } from '../kernel/machine-functions.js';
import type { MachineEvent } from '../kernel/resource.js';

export interface BidContext {
  /** Id of the task's listing. */
  readonly taskId: string;
  /** DID that owns the listing. */
  readonly requester: string;
  readonly bidder: string;
  /** Tokens. */
  readonly price: number;
  /** In the bidder's words: days, a date, or stages. */
  readonly timeline: Leaf | null;
  readonly approach: Leaf | null;
  /** In a form of the bidder's. */
  readonly proposal: Leaf | null;
  /** Why it was rejected or withdrawn. */
  readonly reason: Leaf | null;
  /** The order that accepting the bid created. */
  readonly orderId: string | null;
  readonly escrowId: string | null;
}

interface Accepting {
  /** Added by the workflow. */
  readonly orderId?: string | undefined;
  readonly escrowId?: string | undefined;
}
interface ReasonInput {
  readonly reason?: Leaf | undefined;
}

export type BidEvent =
  | MachineEvent<'accept', Accepting>
  | MachineEvent<'reject', ReasonInput>
  | MachineEvent<'withdraw', ReasonInput>;

const { changeOn } = functionsFor<BidContext, BidEvent>();

const definition = setup({
  types: { context: {} as BidContext, events: {} as BidEvent, input: {} as BidContext },
  actions: {
    noteOrder: changeOn(['accept'], { orderId: 'the order made', escrowId: 'its escrow' }, ({ event }) => ({
      orderId: event.input.orderId ?? null,
      escrowId: event.input.escrowId ?? null,
    })),
    noteReason: changeOn(['reject', 'withdraw'], { reason: 'the reason given' }, ({ event }) => ({
      reason: event.input.reason ?? null,
    })),
  },
});

export const bidMachine = definition.createMachine({
  id: 'bid',
  context: ({ input }) => ({ ...input }),
  initial: 'submitted',
  states: {
    submitted: {
      on: {
        accept: { target: 'accepted', actions: 'noteOrder' },
        reject: { target: 'rejected', actions: 'noteReason' },
        withdraw: { target: 'withdrawn', actions: 'noteReason' },
      },
    },
    accepted: { type: 'final' },
    rejected: { type: 'final' },
    withdrawn: { type: 'final' },
  },
});
