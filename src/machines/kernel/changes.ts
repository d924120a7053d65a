/**
 * The members of the context that a transition changes, as declared by its changes (machine-functions.ts). Charts show
 * them to auditors. They are words, and so not part of the definition version.
 */
import type { AnyStateMachine } from 'xstate';
import { actionNames, transitionsIn } from './chart.js';
import type { Candidate } from './definition.js';
import { changeNamed } from './machine-functions.js';

/** A change of one member of the context, described for people. */
export interface ContextChange {
  /** The name of the action that makes it. */
  readonly action: string;
  readonly member: string;
  /** The new value, in words. */
  readonly to: string;
}

export const changesBy = (machine: AnyStateMachine, { actions }: Pick<Candidate, 'actions'>): ContextChange[] =>
  actionNames(actions).flatMap((action) =>
    Object.entries(changeNamed(machine, action)?.sets ?? {}).map(([member, to]) => ({ action, member, to })),
  );

/** The changes of each transition, in the order of the machine's chart. */
export const changesOf = (machine: AnyStateMachine): ContextChange[][] =>
  transitionsIn(machine).map(({ candidate }) => changesBy(machine, candidate));
