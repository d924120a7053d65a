import { type Refusal, refuse } from '../../machines/kernel/refusal.js';
import type { AnyDefinition } from '../../machines/kernel/resource.js';
import type { Desk } from '../desk.js';

/** The definition of a kind that a path names; NOT_FOUND where there is none. */
export function knownKind(desk: Desk, kind: string): AnyDefinition | Refusal {
  const { definitions } = desk.options.actors.options.catalogue;
  return Object.hasOwn(definitions, kind)
    ? definitions[kind]!
    : refuse('NOT_FOUND', 'no such kind of resource; /api/v1/machines lists them');
}
