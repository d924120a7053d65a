/**
 * The visibility of a resource, as its definition determines it. A node answers its callers by these rules, and a home
 * withholds payloads from other homes by the same rules.
 */
import type { JsonObject } from '../../core/canonical.js';
import type { AnyResource } from './resource.js';
import type { Request } from './step.js';

const withheldMark = 'svc:withheld';

/** The context of a resource whose home has withheld everything but the state. No kind has a member of this name. */
export const withheldContext: JsonObject = Object.freeze({ [withheldMark]: true });

export const isWithheld = (context: JsonObject): boolean => context[withheldMark] === true;

/**
 * Whether a reader may see a resource. Where only some may know of it, a withheld one is hidden from everyone, as its home
 * hides it: it may be private, and its owner is unknown here.
 * @param reader DID of the caller's key
 */
export const isVisible = (
  { isVisibleTo }: AnyResource,
  { context }: { readonly context: JsonObject },
  reader: string | undefined,
): boolean => isVisibleTo === undefined || (!isWithheld(context) && isVisibleTo(context as never, reader));

/** The DIDs of all roles, and those that may read confidential payloads. */
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
  !isWithheld(context) &&
  definition.isVisibleTo?.(context as never, reader) !== false &&
  (definition.openPayloads || mayReadConfidential(definition, context, reader));

/** Whether a reader may see the payload of one of a resource's entries. */
export const mayReadPayload = (
  definition: AnyResource,
  { action, input }: Pick<Request, 'action' | 'input'>,
  context: JsonObject,
  reader: string | undefined,
): boolean =>
  mayReadState(definition, context, reader) &&
  (mayReadConfidential(definition, context, reader) || !hasConfidential(definition, action, input));

function hasConfidential(definition: AnyResource, action: string, input: JsonObject): boolean {
  const fields = inputOf(definition, action)?.fields;
  return !fields || Object.keys(input).some((name) => fields[name]?.confidential);
}

/** Whether the action's input has members that only the definition's readers may see. */
export const takesConfidential = (definition: AnyResource, action: string): boolean => {
  const fields = inputOf(definition, action)?.fields;
  return !fields || Object.values(fields).some(({ confidential }) => confidential);
};

/** Whether the input of an action is for its resource's parties only, or may be. */
export const hidesInput = (definition: AnyResource, action: string): boolean =>
  definition.isVisibleTo !== undefined ||
  (definition.payloadReaders !== undefined && (!definition.openPayloads || takesConfidential(definition, action)));

const inputOf = ({ create, actions }: AnyResource, action: string) =>
  (action === 'create' ? create : actions[action])?.input;
