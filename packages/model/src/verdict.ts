/**
 * What the definition decides about a request, read from its chart and guards by code that the node does not use: who
 * may send it, in which state, under which guards. The node must decide the same over HTTP.
 */
import { type AnyMachineSnapshot, transition } from 'xstate';
import type { JsonObject } from '../../../src/core/canonical.js';
import type { Code } from '../../../src/core/refusal.js';
import type { AnyResource } from '../../../src/machines/kernel/definition.js';
import type { Permitted } from '../../../src/machines/kernel/permitted.js';
import type { MachineEvent } from '../../../src/machines/kernel/resource.js';
import { statePath, stateValue } from '../../../src/machines/kernel/state-path.js';
import { candidatesFor, guardNames } from '../../../src/machines/kernel/stepper.js';

export interface Situation {
  readonly state: string;
  readonly context: JsonObject;
}

export type Verdict =
  | { readonly allowed: true; readonly next: Situation }
  /** `closed`: state and time alone refuse it, whatever the input. */
  | { readonly allowed: false; readonly code: Code; readonly guard?: string; readonly closed?: boolean };

/** The roles of a definition that a DID has; every DID is `anyone`. */
export const rolesHeld = (definition: AnyResource, context: JsonObject, did: string): string[] => [
  'anyone',
  ...Object.entries(definition.roles).flatMap(([role, holders]) => (holders(context).includes(did) ? [role] : [])),
];

export function verdictOn(definition: AnyResource, { state, context }: Situation, asked: MachineEvent): Verdict {
  const { machine, actions, refusals, guards } = definition;
  if (!actions[asked.type]!.who.some((role: string) => asked.roles.includes(role))) {
    return { allowed: false, code: actions[asked.type]!.refusals?.who ?? 'FORBIDDEN' };
  }
  const snapshot = machine.resolveState({ value: stateValue(state), context }) as AnyMachineSnapshot;
  const candidates = candidatesFor(machine, state, asked.type);
  if (candidates.length === 0) {
    const own = actions[asked.type]!.refusals;
    return { allowed: false, code: own?.in?.[state]?.code ?? own?.state ?? refusals.state };
  }
  if (snapshot.can(asked)) {
    const [next] = transition(machine, snapshot, asked) as [AnyMachineSnapshot, unknown];
    return { allowed: true, next: { state: statePath(next.value), context: next.context as JsonObject } };
  }
  const fails = (name: string): boolean => {
    const holds = machine.implementations.guards[name] as (args: object, params: undefined) => boolean;
    return !holds({ context, event: asked }, undefined);
  };
  const guard = guardNames(candidates.at(-1)!.guard).find(fails)!;
  const closed = candidates.every((each) =>
    guardNames(each.guard).some((name) => guards[name]!.over === 'state' && fails(name)),
  );
  return { allowed: false, code: guards[guard]!.code, guard, closed };
}

/** The part of a view's `permittedActions` that concerns this action and the signer's roles. */
export const permissionsOf = (permitted: Permitted, { type, roles }: MachineEvent) =>
  roles.flatMap((role) => permitted[role] ?? []).filter(({ action }) => action === type);

/**
 * The contradiction between a view's `permittedActions` and the verdict on a request, in a sentence; undefined if
 * there is none.
 */
export function violationOfPermitted(
  definition: AnyResource,
  permitted: Permitted,
  event: MachineEvent,
  verdict: Verdict,
): string | undefined {
  const { type } = event;
  const permissions = permissionsOf(permitted, event);
  if (verdict.allowed) return permissions.length > 0 ? undefined : `${type} is accepted and was not shown as permitted`;
  if (permissions.length === 0) {
    const overInput =
      verdict.guard !== undefined && definition.guards[verdict.guard]!.over === 'input' && !verdict.closed;
    return overInput ? `${type} is refused for its input only, and was not shown as permitted` : undefined;
  }
  return permissions.some(({ open }) => open.includes(verdict.code))
    ? undefined
    : `${type} was shown as permitted, and ${verdict.code} not as open`;
}
