/**
 * Finds context members that a step changed although no change of its transition declares them. Importing this file checks
 * every step that a machine takes in this process, so that the suites with a bench or a node check it too.
 */
import { isDeepStrictEqual } from 'node:util';
import type { AnyStateMachine } from 'xstate';
import type { Json, JsonObject } from '../../src/core/canonical.js';
import { assert } from '../../src/core/refusal.js';
import { changesBy } from '../../src/machines/kernel/chart.js';
import type { MachineEvent } from '../../src/machines/kernel/resource.js';
import { type Candidate, candidatesFor, guardNames, MachineStepper } from '../../src/machines/kernel/stepper.js';

/** The members in which two contexts differ. */
export const changedMembers = (before: JsonObject, after: JsonObject): string[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (member) => !isSame(before[member], after[member]),
  );

const isSame = (one: Json | undefined, other: Json | undefined): boolean =>
  one === other || isDeepStrictEqual(one, other);

/** The transition that is taken: the first one whose guards pass. */
export const takenBy = (stepper: MachineStepper, state: string, context: JsonObject, event: MachineEvent): Candidate =>
  candidatesFor(stepper.machine, state, event.type).find(({ guard }) =>
    guardNames(guard).every((name) => stepper.guardHolds(name, context, event)),
  )!;

/**
 * Machines in tests may change their context without a declared change; those of the catalogue don't
 * (test/kernel/changes.test.ts).
 */
const isNamed = ({ actions }: Candidate): boolean =>
  actions.every((action) => (action as { readonly assignment?: unknown }).assignment === undefined);

export const declaredBy = (machine: AnyStateMachine, candidate: Candidate): string[] =>
  changesBy(machine, candidate).map(({ member }) => member);

const { take } = MachineStepper.prototype;
MachineStepper.prototype.take = function watched(state, context, event) {
  const after = take.call(this, state, context, event);
  if ('guard' in after) return after;
  const candidate = takenBy(this, state, context, event);
  const declared = declaredBy(this.machine, candidate);
  const undeclared = changedMembers(context, after.context).filter((member) => !declared.includes(member));
  assert(
    undeclared.length === 0 || !isNamed(candidate),
    `${this.machine.id} ${state} ${event.type} changes ${undeclared.join(', ')}, which it does not declare`,
  );
  return after;
};
