/** Puts references in the place of the texts that no rule reads, before a command is decided (core/leaf.ts). */
import type { Json, JsonObject } from '../core/canonical.js';
import type { Environment } from '../core/environment.js';
import { newLeaf, saltBytes } from '../core/leaf.js';
import { withLeaves } from '../core/schema/scalar.js';
import type { Catalogue } from '../machines/kernel/step.js';
import { inputOf } from '../machines/kernel/visibility.js';
import type { Content } from '../store/store.js';
import type { Command } from './command.js';

/** The command with references, and their texts as further contents. */
export function withReferences(command: Command, catalogue: Catalogue, world: Environment): Command {
  const { kind, action, input } = command;
  const definition = catalogue.definitions[kind];
  const scalar = definition && inputOf(definition, action);
  if (!scalar) return command;
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
