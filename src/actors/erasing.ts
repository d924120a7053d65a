/** What an entry erases from the store (docs/reference/erasure.md). */
import { isRefusal } from '../core/refusal.js';
import type { Resource } from '../machines/kernel/definition.js';
import type { Catalogue } from '../machines/kernel/step.js';
import { migrate } from '../machines/kernel/versioning.js';
import { leafKind } from '../machines/leaf/leaf.js';
import type { Payload } from '../store/entry.js';
import type { Rewording } from '../store/search/search.js';
import type { Erasure } from '../store/store.js';

/** @param read the resource that the text came with */
export function erasureOf(
  catalogue: Catalogue,
  { kind, id: hash, input }: Payload,
  read: (kind: string, id: string) => Resource | undefined,
): Erasure | undefined {
  if (kind !== leafKind) return undefined;
  const about = input.resource as { readonly kind: string; readonly id: string };
  const resource = read(about.kind, about.id);
  return { hash, reworded: resource && rewordingOf(catalogue, resource, hash) };
}

function rewordingOf({ definitions }: Catalogue, resource: Resource, hash: string): Rewording | undefined {
  const definition = definitions[resource.kind];
  if (definition?.form !== 'machine' || !definition.search) return undefined;
  const now = migrate(definition, resource);
  if (isRefusal(now)) return undefined;
  const before = definition.search.of(now.state, now.context as never);
  const texts = before.texts.filter(([text]) => typeof text === 'string' || text.leaf !== hash);
  if (texts.length === before.texts.length) return undefined;
  return { id: resource.id, version: resource.version, found: { ...before, texts }, before };
}
