/**
 * What a transition of a flat machine comes to, read off its definition once: the state it leads to, and its assignments
 * and effects in their order. XState chooses the transition; to enter and leave states without entry, exit or `always`
 * would find nothing more to do, at ten times the price (docs/decisions/0023).
 */
import type { AnyStateMachine, AnyStateNode } from 'xstate';
import type { JsonObject } from './canonical.js';
import type { Happening } from './law.js';

/** As XState gives it for an event. */
export type Transition = ReturnType<AnyStateMachine['getTransitionData']>[number];

type Assigner = (args: { context: JsonObject; event: Happening }, params: undefined) => unknown;
type Assignment = Assigner | { readonly [member: string]: Assigner | unknown };

export interface Plain {
  /** Absent: it stays where it is. */
  readonly state: string | undefined;
  /** Assignments, and the names of effects. */
  readonly actions: readonly (Assignment | string)[];
}

const isBare = ({ entry, exit, always, invoke, after }: AnyStateNode): boolean =>
  entry.length + exit.length + (always?.length ?? 0) + invoke.length + after.length === 0;

/** Whether all that happens in the machine are its transitions; the root's entry is the beginning's alone. */
export function isFlat({ root }: AnyStateMachine): boolean {
  const states = Object.values(root.states);
  return (
    root.type === 'compound' &&
    root.exit.length + root.invoke.length + (root.always?.length ?? 0) === 0 &&
    root.transitions.size === 0 &&
    states.every((state) => isBare(state) && (state.type === 'atomic' || state.type === 'final'))
  );
}

/** Undefined where it is not so plain: XState carries it out then. */
export function plainOf({ implementations }: AnyStateMachine, transition: Transition): Plain | undefined {
  const { actions, target = [], reenter } = transition;
  if (target.length > 1 || reenter) return undefined;
  const read = (actions as readonly unknown[]).map((action) => {
    if (typeof action === 'function') return assignmentOf(action);
    // With parameters, or a name for one of XState's own: not so plain.
    const carriedOut = typeof action === 'string' ? implementations.actions[action] : { resolve: true };
    return carriedOut && 'resolve' in carriedOut ? undefined : action;
  });
  return read.includes(undefined) ? undefined : { state: target[0]?.key, actions: read as Plain['actions'] };
}

function assignmentOf(action: object): Assignment | undefined {
  const { type, assignment } = action as { readonly type?: string; readonly assignment?: Assignment };
  return type === 'xstate.assign' ? assignment : undefined;
}

/** The context as an assignment leaves it; the one given stays as it was. */
export function assigned(assignment: Assignment, context: JsonObject, event: Happening): JsonObject {
  const args = { context, event };
  const next: { [member: string]: unknown } = { ...context };
  if (typeof assignment === 'function') {
    // Member by member: Object.assign would copy the context by its slow way, too.
    const given = assignment(args, undefined) as { readonly [member: string]: unknown };
    for (const member in given) next[member] = given[member];
    return next as JsonObject;
  }
  for (const member in assignment) {
    const value = assignment[member];
    next[member] = typeof value === 'function' ? value(args, undefined) : value;
  }
  return next as JsonObject;
}
