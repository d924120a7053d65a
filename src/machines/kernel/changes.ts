/**
 * What a transition changes in the context, as its changes declare it (machine-functions.ts). Charts show it to auditors;
 * it is no part of a definition's version, because it consists of words.
 */
import type { AnyStateMachine } from 'xstate';
import { actionNames, transitionsIn } from './chart.js';
import type { Candidate } from './definition.js';
import { changeNamed } from './machine-functions.js';

/** A change of the context by a transition, as far as people see it. */
export interface ContextChange {
  /** The name of the action that makes it. */
  readonly action: string;
  readonly member: string;
  /** What it becomes, in words. */
  readonly to: string;
}

export const changesBy = (machine: AnyStateMachine, { actions }: Pick<Candidate, 'actions'>): ContextChange[] =>
  actionNames(actions).flatMap((action) =>
    Object.entries(changeNamed(machine, action)?.sets ?? {}).map(([member, to]) => ({ action, member, to })),
  );

/** Of each transition, in the order of the machine's chart. */
export const changesOf = (machine: AnyStateMachine): ContextChange[][] =>
  transitionsIn(machine).map(({ candidate }) => changesBy(machine, candidate));
