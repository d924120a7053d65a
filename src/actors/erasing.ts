/** Texts that can be erased (docs/reference/erasure.md): an entry has references to them, and may erase one. */
import type { Json, JsonObject } from '../core/canonical.js';
import type { Environment } from '../core/environment.js';
import { newLeaf, saltBytes } from '../core/leaf.js';
import { isRefusal } from '../core/refusal.js';
import { withLeaves } from '../core/schema/scalar.js';
import type { Catalogue } from '../machines/kernel/definition.js';
import type { Request, Resource } from '../machines/kernel/resource.js';
import { migrate } from '../machines/kernel/versioning.js';
import { inputOf } from '../machines/kernel/visibility.js';
import { leafKind } from '../machines/leaf/leaf.js';
import type { Rewording } from '../store/search.js';
import type { Content, Erasure } from '../store/store.js';
import type { Command } from './command.js';

/** The command with references in the place of the texts that no rule reads, and these texts as further contents. */
export function withReferences(command: Command, catalogue: Catalogue, world: Environment): Command {
  const { kind, action, input } = command;
  const definition = catalogue.definitions[kind];
  const scalar = definition && inputOf(definition, action);
  // An event that was signed elsewhere has its references already.
  if (!scalar || command.presented) return command;
  const drawn: Content[] = [];
  const refer = (text: Json) => {
    const { leaf, content } = newLeaf(text, world.random(saltBytes));
    drawn.push(content);
    return leaf;
  };
  const referring = withLeaves(scalar, input, refer) as JsonObject;
  if (drawn.length === 0) return command;
  return { ...command, input: referring, contents: [...(command.contents ?? []), ...drawn] };
}

/** What an entry erases from the store. @param read the resource that the text came with */
export function erasureOf(
  catalogue: Catalogue,
  { kind, id: hash, input }: Request,
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
