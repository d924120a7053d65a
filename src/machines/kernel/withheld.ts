/**
 * What a home may withhold from homes that have no party to it, and what stands in its place. The home that serves and
 * the home that checks ask the same functions (docs/decisions/0031).
 */
import type { JsonObject } from '../../core/canonical.js';
import type { Resource } from './definition.js';
import type { AnyDefinition, AnyResource } from './resource.js';
import type { Catalogue, Request } from './step.js';
import { mayReadPayload, mayReadState, takesConfidential } from './visibility.js';

/** The context of a resource whose entries were withheld: nothing of it is known but its state. */
export const withheldContext: JsonObject = { withheld: true };

export const isWithheld = (context: JsonObject): boolean =>
  context.withheld === true && Object.keys(context).length === 1;

/** What is known of the resources before, or after, an entry. */
type KnownResources = (kind: string, id: string) => Pick<Resource, 'context'> | undefined;

/**
 * Whether a home gives the payload to a home where these DIDs live: everyone may read it, or one of them may. The state
 * before the entry decides, and at a creation the state after it.
 */
export function mayReceivePayload(
  definition: AnyDefinition | undefined,
  request: Pick<Request, 'action' | 'input'>,
  context: JsonObject,
  dids: Iterable<string>,
): boolean {
  if (definition?.form !== 'machine' || mayReadPayload(definition, request, context, undefined)) return true;
  for (const did of dids) if (mayReadPayload(definition, request, context, did)) return true;
  return false;
}

/** Whether everyone may see all of the resource. @param known the resources that a companion is shown with */
export function isPublic(
  catalogue: Catalogue,
  kind: string,
  id: string,
  context: JsonObject,
  known: KnownResources,
): boolean {
  const definition = catalogue.definitions[kind];
  if (definition?.form === 'machine') return !isWithheld(context) && mayReadState(definition, context, undefined);
  return ownersOf(catalogue, kind).every((owner) => {
    const found = known(owner.kind, id);
    return !found || isPublic(catalogue, owner.kind, id, found.context, known);
  });
}

/** The kinds that show a projection of this kind with themselves. */
export const ownersOf = ({ definitions }: Catalogue, companion: string): AnyResource[] =>
  Object.values(definitions).filter(
    (each): each is AnyResource => each.form === 'machine' && each.companion === companion,
  );

/** What an entry's core says of its request, without the payload. */
export interface WithheldRequest {
  readonly kind: string;
  readonly eventType: string;
  /** The resource that it is about as it was before; undefined for a creation. */
  readonly before: Pick<Resource, 'context'> | undefined;
}

/** Whether the definition allows that an entry's payload is withheld: otherwise the home hides what is public. */
export function mayBeWithheld(definition: AnyDefinition, { eventType, before }: WithheldRequest): boolean {
  if (definition.form !== 'machine') return false;
  const { payloadReaders, openPayloads, isVisibleTo } = definition;
  const actions = actionsOf(definition, eventType);
  if (actions.length === 0) return false;
  const known = before && !isWithheld(before.context) ? before.context : undefined;
  if (isVisibleTo && (!known || isVisibleTo(known as never, undefined) === false)) return true;
  if (!payloadReaders) return false;
  return !openPayloads || actions.some((action) => takesConfidential(definition, action));
}

/** The actions of a definition that give an event of this type. */
function actionsOf({ create, actions }: AnyResource, eventType: string): string[] {
  const found = Object.keys(actions).filter((name) => {
    const { event, eventInPlace } = actions[name]!;
    return event === eventType || eventInPlace === eventType;
  });
  return create.event === eventType ? ['create', ...found] : found;
}
