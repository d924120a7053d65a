/** The visibility of a resource, as its definition determines it. */
import type { JsonObject } from '../../core/canonical.js';
import type { Scalar } from '../../core/schema/scalar.js';
import type { ActionDefinition, AnyDefinition, AnyResource } from './definition.js';
import type { Request } from './resource.js';

/** Whether a reader may see a resource. @param reader DID of the caller's key */
export const isVisible = (
  { isVisibleTo }: AnyResource,
  { context }: { readonly context: JsonObject },
  reader: string | undefined,
): boolean => isVisibleTo === undefined || isVisibleTo(context as never, reader);

/** The DIDs of all roles, and those that may read confidential members. */
export function partiesOf({ payloadReaders, roles }: AnyResource, context: JsonObject): ReadonlySet<string> {
  const parties = new Set<string>(payloadReaders?.(context as never));
  for (const role of Object.values(roles)) for (const did of role(context)) parties.add(did);
  return parties;
}

/** Whether a reader may see a resource's confidential members. @param reader DID of the caller's key */
export const mayReadConfidential = (
  { payloadReaders }: AnyResource,
  context: JsonObject,
  reader: string | undefined,
): boolean => !payloadReaders || (reader !== undefined && payloadReaders(context as never).includes(reader));

/** Whether a reader may see the whole state of a resource. */
export const mayReadState = (definition: AnyResource, context: JsonObject, reader: string | undefined): boolean =>
  definition.isVisibleTo?.(context as never, reader) !== false &&
  (definition.openPayloads || mayReadConfidential(definition, context, reader));

/** Public members, and confidential ones; null if there are none. */
export interface Divided {
  readonly open: JsonObject;
  readonly confidential: JsonObject | null;
}

/** Whether all of its payloads are confidential. */
export const isClosed = ({ payloadReaders, openPayloads }: AnyResource): boolean =>
  payloadReaders !== undefined && openPayloads === undefined;

const isHidden = ({ isVisibleTo }: AnyResource, context: JsonObject): boolean =>
  isVisibleTo?.(context as never, undefined) === false;

/**
 * Divides an input into the public part of its payload, and the rest.
 * @param context of the resource that the request is about, after the step
 */
export function dividedInput(
  definition: AnyDefinition,
  { action, input }: Pick<Request, 'action' | 'input'>,
  context: JsonObject | undefined,
): Divided {
  if (definition.form !== 'machine') return { open: input, confidential: null };
  if (isClosed(definition) || (context && isHidden(definition, context))) return { open: {}, confidential: input };
  const fields = inputOf(definition, action)?.fields ?? {};
  return divided(input, (name) => !fields[name]?.confidential);
}

/** Divides a context: `openMembers` of a kind with readers, all members of one without, none of a hidden resource. */
export function dividedContext(definition: AnyDefinition | undefined, context: JsonObject): Divided {
  if (definition?.form !== 'machine') return { open: context, confidential: null };
  if (isHidden(definition, context)) return { open: {}, confidential: context };
  if (!isClosed(definition)) return { open: context, confidential: null };
  const { openMembers = [] } = definition;
  return divided(context, (name) => openMembers.includes(name));
}

function divided(whole: JsonObject, isOpen: (name: string) => boolean): Divided {
  const open: { [name: string]: JsonObject[string] } = {};
  const confidential: { [name: string]: JsonObject[string] } = {};
  let isDivided = false;
  for (const name in whole) {
    if (whole[name] === undefined) continue;
    if (isOpen(name)) open[name] = whole[name];
    else {
      confidential[name] = whole[name];
      isDivided = true;
    }
  }
  return isDivided ? { open, confidential } : { open: whole, confidential: null };
}

/** What every form of a definition says of an action. */
export type ActionMembers = Pick<ActionDefinition<unknown, string>, 'event' | 'input'> &
  Partial<Pick<ActionDefinition<unknown, string>, 'eventInPlace' | 'transform' | 'adds' | 'makes' | 'idFields'>>;

/** An action, or the creation; undefined if the kind has no such action. */
export function actionOf(definition: AnyDefinition, name: string): ActionMembers | undefined {
  if (definition.form === 'machine' && name === 'create') return definition.create as ActionMembers;
  return Object.hasOwn(definition.actions, name) ? (definition.actions[name] as ActionMembers) : undefined;
}

/** The input of an action; undefined if the kind has no such action. */
export const inputOf = (definition: AnyDefinition, action: string): Scalar<unknown> | undefined =>
  actionOf(definition, action)?.input;
