/**
 * The state machine of a residence (docs/reference/moving.md#states): where a DID lives, according to the journal of one
 * home. `here` is that home itself.
 */
import { and, setup } from 'xstate';
import type { MachineEvent } from '../kernel/definition.js';
import { functionsFor } from '../kernel/machine-functions.js';

export interface ResidenceContext {
  /** The DID that lives there. */
  readonly did: string;
  /** DID of the home. */
  readonly home: string;
  /** Number of the move that led there; 0 before the first. */
  readonly epoch: number;
}

export interface MoveInput {
  /** DID of the home. */
  readonly to: string;
  readonly epoch: number;
}

export type ResidenceEvent = MachineEvent<'move', MoveInput>;

const { guardOn, changeOn } = functionsFor<ResidenceContext, ResidenceEvent>();

const definition = setup({
  types: { context: {} as ResidenceContext, events: {} as ResidenceEvent, input: {} as ResidenceContext },
  guards: {
    raisesTheEpoch: guardOn(['move'], ({ context, event }) => event.input.epoch > context.epoch),
    comesHere: guardOn(['move'], ({ event }) => event.input.to === event.home),
    goesElsewhere: guardOn(['move'], ({ event }) => event.input.to !== event.home),
  },
  actions: {
    noteHome: changeOn(['move'], { home: 'the new home', epoch: 'the number of the move' }, ({ event }) => ({
      home: event.input.to,
      epoch: event.input.epoch,
    })),
  },
});

export const residenceMachine = definition.createMachine({
  id: 'residence',
  context: ({ input }) => ({ ...input }),
  initial: 'here',
  states: {
    here: {
      on: {
        move: [
          { target: 'away', guard: and(['raisesTheEpoch', 'goesElsewhere']), actions: 'noteHome' },
          { guard: 'raisesTheEpoch', actions: 'noteHome' },
        ],
      },
    },
    // Only its present home can say that the DID moves on to a third one, or the third one itself.
    away: {
      on: { move: { target: 'here', guard: and(['comesHere', 'raisesTheEpoch']), actions: 'noteHome' } },
    },
  },
});
