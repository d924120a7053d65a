import { type Refusal, refuse } from '../../core/refusal.js';
import type { AnyDefinition } from '../../machines/kernel/resource.js';
import type { ApiContext } from '../context/api-context.js';

/** The definition of a kind that a path names; NOT_FOUND where there is none. */
export function knownKind(api: ApiContext, kind: string): AnyDefinition | Refusal {
  const { definitions } = api.catalogue;
  return Object.hasOwn(definitions, kind)
    ? definitions[kind]!
    : refuse('NOT_FOUND', 'no such kind of resource; /api/v1/machines lists them');
}
