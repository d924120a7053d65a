/** Visibility that depends on other resources: whether a reader may know that a resource exists. */
import type { Committed } from '../../actors/committed.js';
import type { Catalogue } from '../../machines/kernel/definition.js';
import { isVisible, mayReadState } from '../../machines/kernel/visibility.js';

interface ResourceRef {
  readonly kind: string;
  readonly id: string;
}

interface ReadAccess {
  readonly catalogue: Catalogue;
  readonly committed: Pick<Committed, 'resource'>;
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
  return !found || isVisible(definition, found, reader);
}
