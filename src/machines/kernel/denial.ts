/** Refusals of a sub-command: a code, and a message that tells the caller what to do. */
import type { JsonObject } from '../../core/canonical.js';
import { assert, type Code, type Refusal, refuse } from '../../core/refusal.js';
import type { AnyDefinition, AnyResource } from './definition.js';
import type { MachineEvent } from './resource.js';

/** Converts a name into words: `networkArbiter`, `info-order`. */
export const spelled = (name: string): string => name.replace(/[A-Z]|-./g, (part) => ` ${part.at(-1)!.toLowerCase()}`);

const anyOf = new Intl.ListFormat('en', { type: 'disjunction' });

export function notAParty({ kind }: AnyDefinition, who: readonly string[], code: Code = 'FORBIDDEN'): Refusal {
  const callers = who.filter((role) => role !== 'workflow').map((role) => `the ${spelled(role)}`);
  if (callers.length === 0) return refuse(code, `this happens to the ${spelled(kind)} with another request only`);
  return refuse(code, `only ${anyOf.format(callers)} of the ${spelled(kind)} may do this`);
}

/** The code of the refusal if a state has no transition for the action. */
export function unlistedCode({ actions, refusals }: AnyResource, action: string, state: string): Code {
  const own = actions[action]?.refusals;
  return own?.in?.[state]?.code ?? own?.state ?? refusals.state;
}

/** The message of a guard's refusal. */
export function wordsOf({ says, about }: Guard, context: JsonObject, event: MachineEvent): string {
  const words = typeof says === 'string' ? says : says[1](context, event);
  return about ? `${words}: ${about(context, event)}` : words;
}
type Guard = AnyResource['guards'][string];

export function denied(
  definition: AnyResource,
  guard: string | null,
  event: MachineEvent,
  state: string,
  context: JsonObject,
): Refusal {
  const { kind, actions, guards } = definition;
  const { type, id } = event;
  if (guard === null) {
    const about = actions[type]?.refusals?.in?.[state]?.about?.(context as never);
    const words = `${kind} ${id} is ${state}: ${type} is not possible`;
    return refuse(unlistedCode(definition, type, state), about === undefined ? words : `${words}; ${about}`);
  }
  const named = guards[guard];
  assert(named, `guard ${guard} of ${kind} has no code`);
  return refuse(named.code as Code, wordsOf(named, context, event));
}

/** What callers call it: they know orders and listings, and not the kinds of these. */
const wordFor = ({ kind, trade, search }: AnyResource): string => (trade?.order ? 'order' : search ? 'listing' : kind);

/** The refusal of a resource that does not exist, or that its caller may not know of. */
export const unknownResource = (definition: AnyResource, id: string): Refusal =>
  refuse(definition.refusals.unknown, `no ${wordFor(definition)} ${id} on this network`);
