/**
 * For each action on a resource as it is now: which roles may perform it, and why the others would be refused. The
 * kernel decides what is permitted; this file asks it for the reason of each refusal.
 */

import type { Replies } from '../../../packages/client/src/wire.js';
import type { ActionDefinition, AnyResource, Seen } from '../../machines/kernel/definition.js';
import { spelled, unlistedCode, wordsOf } from '../../machines/kernel/denial.js';
import { hypotheticalEvent, isDeadline, permittedActions } from '../../machines/kernel/permitted.js';
import type { Resource } from '../../machines/kernel/resource.js';
import { candidatesFor, guardNames, stepperFor } from '../../machines/kernel/stepper.js';

type ActionVerdicts = Replies['getPermittedActions']['actions'][number];
type RoleVerdict = ActionVerdicts['roles'][number];
type Action = ActionDefinition<unknown, string>;

/** Roles of the node itself; the kernel lists no permitted actions for them. */
const inner: readonly string[] = ['clock', 'operator', 'workflow'];

export function verdictsOf(definition: AnyResource, resource: Resource, seen: PresentTime): ActionVerdicts[] {
  const permitted = permittedActions(definition, resource, seen);
  return Object.entries<Action>(definition.actions).map(([name, action]) => ({
    action: name,
    event: action.event,
    summary: action.summary,
    internal: action.internal === true,
    roles: action.who.map((role) => {
      const granted = permitted[role]?.find((each) => each.action === name);
      return granted
        ? { role, permitted: true, open: granted.open }
        : judged(definition, resource, { name, role, ...seen });
    }),
  }));
}

type PresentTime = Pick<Seen, 'time' | 'deadlinesWait'>;

interface Asked extends PresentTime {
  readonly name: string;
  readonly role: string;
}

function judged(definition: AnyResource, resource: Resource, asked: Asked): RoleVerdict {
  const { name, role } = asked;
  const { state, context } = resource;
  const isInner = inner.includes(role);
  if (definition.owned?.when(context) && !isInner) {
    return { role, permitted: false, code: definition.owned.code, reason: definition.owned.says };
  }
  if (!isInner && role !== 'anyone' && definition.roles[role]!(context).length === 0) {
    const code = definition.actions[name]!.refusals?.who ?? 'FORBIDDEN';
    return { role, permitted: false, code, reason: `this ${spelled(definition.kind)} has no ${spelled(role)}` };
  }
  const candidates = candidatesFor(definition.machine, state, name);
  if (candidates.length === 0) return { role, permitted: false, ...unlisted(definition, state, name) };
  return guarded(
    definition,
    resource,
    asked,
    candidates.map(({ guard }) => guardNames(guard)),
  );
}

const unlisted = (definition: AnyResource, state: string, action: string) => ({
  code: unlistedCode(definition, action, state),
  reason: `not while the ${spelled(definition.kind)} is ${state}`,
});

const waiting = (role: string): RoleVerdict => ({
  ...{ role, permitted: false, code: 'SERVICE_UNAVAILABLE' },
  reason: 'deadlines wait, because the clock of this node was in doubt',
});

/** The last candidate is the most general one: its first failing guard is the reason. */
function guarded(
  definition: AnyResource,
  { context, id }: Resource,
  { name, role, time, deadlinesWait = false }: Asked,
  candidates: readonly (readonly string[])[],
): RoleVerdict {
  const { guards, actions } = definition;
  const bare = hypotheticalEvent(name, role, time, id);
  const fails = (guard: string) =>
    guards[guard]!.over === 'state' && !stepperFor(definition).guardHolds(guard, context, bare);
  const last = candidates.at(-1)!;
  const able = candidates.findLast((each) => !each.some(fails));
  if (able && deadlinesWait && isDeadline(actions[name]!.who) && !inner.includes(role)) return waiting(role);
  if (able) {
    const open = able.filter((guard) => guards[guard]!.over === 'input').map((guard) => guards[guard]!.code);
    return { role, permitted: true, open: [...new Set(open)] };
  }
  const guard = last.find(fails)!;
  const refusing = guards[guard]!;
  return { role, permitted: false, code: refusing.code, guard, reason: wordsOf(refusing, context, bare) };
}
