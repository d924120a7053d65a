import type { Committed } from '../../actors/in-memory-state.js';
import type { JsonObject } from '../../core/canonical.js';
import type { AnyResource } from '../../machines/kernel/resource.js';
import type { Catalogue } from '../../machines/kernel/step.js';
import type { Payload } from '../../store/entry.js';

/** Whether a reader may see a resource's confidential members. @param reader DID of the caller's key */
export const mayReadConfidential = (
  { payloadReaders }: AnyResource,
  context: JsonObject,
  reader: string | undefined,
): boolean => !payloadReaders || (reader !== undefined && payloadReaders(context as never).includes(reader));

/** Whether a reader may see all of a resource's state. */
export const mayReadState = (definition: AnyResource, context: JsonObject, reader: string | undefined): boolean =>
  definition.isVisibleTo?.(context as never, reader) !== false &&
  (definition.openPayloads || mayReadConfidential(definition, context, reader));

/** Whether a reader may see the payload of one of a resource's entries. */
export const mayReadPayload = (
  definition: AnyResource,
  { action, input }: Pick<Payload, 'action' | 'input'>,
  context: JsonObject,
  reader: string | undefined,
): boolean =>
  mayReadState(definition, context, reader) &&
  (mayReadConfidential(definition, context, reader) || !saysConfidential(definition, action, input));

function saysConfidential({ create, actions }: AnyResource, action: string, input: JsonObject): boolean {
  const fields = (action === 'create' ? create : actions[action])?.input.fields;
  return !fields || Object.keys(input).some((name) => fields[name]?.confidential);
}

interface ResourceRef {
  readonly kind: string;
  readonly id: string;
}

/** What is read to decide on visibility. */
interface ReadAccess {
  readonly catalogue: Catalogue;
  readonly committed: Committed;
}

/**
 * Whether a projection shown next to a resource (the figures of a listing) is hidden: it has the resource's readers.
 */
export async function isCompanionHidden(
  { catalogue, committed }: ReadAccess,
  { kind, id }: ResourceRef,
  reader: string | undefined,
): Promise<boolean> {
  for (const each of Object.values(catalogue.definitions)) {
    if (each.form !== 'machine' || each.companion !== kind) continue;
    const owner = await committed.resource(each.kind, id);
    if (owner && !mayReadState(each, owner.context, reader)) return true;
  }
  return false;
}

/** Whether a reader may know that a resource exists. */
export async function mayKnowOf(access: ReadAccess, named: ResourceRef, reader: string | undefined): Promise<boolean> {
  const definition = access.catalogue.definitions[named.kind];
  if (definition?.form !== 'machine') return !(await isCompanionHidden(access, named, reader));
  const found = definition.isVisibleTo && (await access.committed.resource(named.kind, named.id));
  return !found || definition.isVisibleTo?.(found.context as never, reader) !== false;
}
