/** The contents that the parties of a resource may read: its own, and, for an order, those of its listing. */
import { contentsOf } from '../../actors/build-entry.js';
import type { Resource } from '../../machines/kernel/definition.js';
import type { AnyResource } from '../../machines/kernel/resource.js';
import type { Catalogue } from '../../machines/kernel/step.js';
import { isWithheld } from '../../machines/kernel/withheld.js';

export interface NamedContent {
  /** SHA-256 in hex. */
  readonly hash: string;
  /** The resource whose entries name it. */
  readonly by: Resource;
}

export type LoadResource = (kind: string, id: string) => Promise<Resource | undefined>;

/** The definition of a kind whose resources may have contents. */
export function contentKind({ definitions }: Catalogue, kind: string): AnyResource | undefined {
  const definition = Object.hasOwn(definitions, kind) ? definitions[kind] : undefined;
  if (definition?.form !== 'machine') return undefined;
  return definition.contents || definition.trade?.order ? definition : undefined;
}

/** None of a resource whose content was withheld. */
export async function namedContents(
  catalogue: Catalogue,
  resource: Resource,
  load: LoadResource,
): Promise<readonly NamedContent[]> {
  if (isWithheld(resource.context)) return [];
  const listingId = contentKind(catalogue, resource.kind)?.trade?.order?.(resource.context).listingId;
  const resources = [resource];
  for (const definition of Object.values(catalogue.definitions)) {
    if (listingId === undefined || definition.form !== 'machine' || !definition.contents) continue;
    const listing = await load(definition.kind, listingId);
    if (listing && !isWithheld(listing.context)) resources.push(listing);
  }
  return resources.flatMap((by) =>
    contentsOf(catalogue.definitions[by.kind], by.context).map((hash) => ({ hash, by })),
  );
}
