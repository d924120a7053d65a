/**
 * `permittedActions` (decisions.md, Contracts): per role, what state and time allow now, each with the codes of the
 * guards that stay open until the input is known. Told by the machine itself: its transitions and guards.
 */
import { guardNames, type Happening } from './law.js';
import { lawOf } from './part.js';
import type { Code } from './refusal.js';
import type { AnyResource, Resource } from './resource.js';

export interface Permission {
  readonly action: string;
  /** Codes that the request may still be refused with, by guards over its input. */
  readonly open: readonly Code[];
}

interface Candidate {
  readonly stateGuards: readonly string[];
  readonly open: readonly Code[];
}

interface Possible {
  readonly action: string;
  readonly roles: readonly string[];
  readonly candidates: readonly Candidate[];
}

const nothing = { signer: '', input: {}, network: '', lastHash: null };

/** Nobody is told what these may do: they are the node's own. */
const inner = ['clock', 'operator', 'workflow'];

const plans = new WeakMap<AnyResource, Map<string, readonly Possible[]>>();

/** What a state's transitions ask for, worked out once. */
function planOf(definition: AnyResource, state: string): readonly Possible[] {
  const plan = plans.get(definition) ?? new Map<string, readonly Possible[]>();
  plans.set(definition, plan);
  const possible = plan.get(state) ?? possibleIn(definition, state);
  plan.set(state, possible);
  return possible;
}

function possibleIn({ machine, actions, guards }: AnyResource, state: string): Possible[] {
  return [...(machine.states[state]?.transitions ?? [])].flatMap(([action, transitions]) => {
    const { who, internal } = actions[action]!;
    const roles = who.filter((role) => !inner.includes(role));
    if (internal || roles.length === 0) return [];
    const candidates = (transitions as readonly { guard?: unknown }[]).map(({ guard }): Candidate => {
      const names = guardNames(guard);
      const over = (what: 'state' | 'input') => names.filter((name) => guards[name]!.over === what);
      return { stateGuards: over('state'), open: [...new Set(over('input').map((name) => guards[name]!.code))] };
    });
    return [{ action, roles, candidates }];
  });
}

/** @returns by role, for the roles that somebody holds; `{}` where only a workflow moves the resource */
export function permittedActions(
  definition: AnyResource,
  { state, context, id }: Resource,
  time: number,
): { [role: string]: Permission[] } {
  const permitted: { [role: string]: Permission[] } = {};
  if (definition.owned?.when(context)) return permitted;
  const law = lawOf(definition);
  for (const { action, roles, candidates } of planOf(definition, state)) {
    for (const role of roles) {
      if (role !== 'anyone' && definition.roles[role]!(context).length === 0) continue;
      const bare: Happening = { ...nothing, type: action, roles: [role], time, id };
      // Candidates go from the special to the general: the last that may be taken says what is open.
      const general = candidates.findLast(({ stateGuards }) =>
        stateGuards.every((name) => law.guardHolds(name, context, bare)),
      );
      if (general) permitted[role] = [...(permitted[role] ?? []), { action, open: general.open }];
    }
  }
  return permitted;
}
