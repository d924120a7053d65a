/**
 * `permittedActions` (docs/reference/requests.md#permitted-actions): for each role, the actions that state and time
 * allow now, with the codes of the guards that depend on the input. Derived from the machine's transitions and guards.
 */
import type { JsonObject } from '../../core/canonical.js';
import type { Code } from '../../core/refusal.js';
import type { AnyResource, Seen } from './definition.js';
import type { MachineEvent, Resource } from './resource.js';
import { candidatesFor, eventsIn, guardNames, stepperFor } from './stepper.js';

export interface Permission {
  readonly action: string;
  /** Codes with which guards over the input may still refuse the request. */
  readonly open: readonly Code[];
}

interface CandidateGuards {
  readonly stateGuards: readonly string[];
  readonly open: (role: string) => readonly Code[];
}

/**
 * A role that may act, and the name under which it is shown: its own, or that of the party that holds it (`heldBy`).
 */
interface PermittedRole {
  readonly role: string;
  readonly as: string;
}

interface Possible {
  readonly action: string;
  readonly reported: readonly PermittedRole[];
  readonly candidates: readonly CandidateGuards[];
}

export type Permitted = { readonly [role: string]: readonly Permission[] };

interface PermissionPlan {
  readonly possible: readonly Possible[];
  /** Cached answers by the applicable candidates and roles, because there are few and every read needs one. */
  readonly answers: Map<string, Permitted>;
}

/** The node's own roles: no caller holds them, so they are not shown. */
const inner = ['clock', 'operator', 'workflow'];

/** Whether the action is what anyone may do in the clock's place. */
export const isDeadline = (who: readonly string[]): boolean => who.includes('clock') && who.includes('anyone');

const plans = new WeakMap<AnyResource, Map<string, PermissionPlan>>();

/** The requirements of a state's transitions, computed once. */
function planOf(definition: AnyResource, state: string): PermissionPlan {
  const byState = plans.get(definition) ?? new Map<string, PermissionPlan>();
  let plan = byState.get(state);
  if (!plan) {
    plan = { possible: possibleIn(definition, state), answers: new Map() };
    plans.set(definition, byState.set(state, plan));
  }
  return plan;
}

function possibleIn({ machine, actions, guards, heldBy }: AnyResource, state: string): Possible[] {
  return eventsIn(machine, state).flatMap((action) => {
    const { who, internal, decidedBy } = actions[action]!;
    const roles = who.filter((role) => !inner.includes(role));
    if (internal || roles.length === 0) return [];
    const candidates = candidatesFor(machine, state, action).map(({ guard }): CandidateGuards => {
      const names = guardNames(guard);
      const over = (what: 'state' | 'input') => names.filter((name) => guards[name]!.over === what);
      const open = [...new Set(over('input').map((name) => guards[name]!.code))];
      return { stateGuards: over('state'), open: decidedBy?.open ?? (() => open) };
    });
    const reported = roles.flatMap((role) => [...(heldBy?.[role] ?? []), role].map((as) => ({ role, as })));
    return [{ action, reported, candidates }];
  });
}

/**
 * @returns the permitted actions by role, for roles that some DID holds; `{}` if only a workflow moves the resource;
 * the object is shared
 */
export function permittedActions(definition: AnyResource, { state, context, id }: Resource, seen: Seen): Permitted {
  if (definition.owned?.when(context)) return none;
  const stepper = stepperFor(definition);
  const { possible, answers } = planOf(definition, state);
  const chosen: number[] = [];
  for (const { action, reported, candidates } of possible) {
    const waits = seen.deadlinesWait && isDeadline(definition.actions[action]!.who);
    for (const { role, as } of reported) {
      // Candidates are ordered from special to general: the last applicable one gives the open codes.
      let last = !waits && isHeld(definition, context, role, as) ? candidates.length - 1 : -1;
      if (last >= 0 && candidates.some(({ stateGuards }) => stateGuards.length > 0)) {
        const bare = hypotheticalEvent(action, role, seen.time, id);
        const holds = (name: string) => stepper.guardHolds(name, context, bare);
        last = candidates.findLastIndex(({ stateGuards }) => stateGuards.every(holds));
      }
      chosen.push(last);
    }
  }
  const key = chosen.join();
  const answer = answers.get(key) ?? answerOf(possible, chosen);
  answers.set(key, answer);
  return answer;
}

/** Whether a DID holds the role: as this party, if `as` is a party's name, otherwise a DID that is not such a party. */
function isHeld({ roles, heldBy }: AnyResource, context: JsonObject, role: string, as: string): boolean {
  if (role === 'anyone') return true;
  const holders = roles[role]!(context);
  const parties = heldBy?.[role];
  if (!parties) return holders.length > 0;
  const isOf = (party: string) => (did: string) => roles[party]!(context).includes(did);
  return as === role ? holders.some((did) => !parties.some((party) => isOf(party)(did))) : holders.some(isOf(as));
}

/** The event of a hypothetical request, without input. */
export const hypotheticalEvent = (type: string, role: string, time: number, id: string): MachineEvent => ({
  type,
  signer: '',
  roles: [role],
  time,
  input: {},
  network: '',
  home: '',
  id,
  lastHash: null,
});

function answerOf(possible: readonly Possible[], chosen: readonly number[]): Permitted {
  const permitted: { [role: string]: Permission[] } = {};
  const asked = possible.flatMap(({ action, reported, candidates }) =>
    reported.map((each) => ({ action, candidates, ...each })),
  );
  for (const [index, { action, role, as, candidates }] of asked.entries()) {
    const open = candidates[chosen[index]!]?.open(role);
    const known = permitted[as] ?? [];
    if (open && !known.some((each) => each.action === action)) permitted[as] = [...known, { action, open }];
  }
  return permitted;
}

const none: Permitted = {};
