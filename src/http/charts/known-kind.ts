import { type Code, type Refusal, refuse } from '../../core/refusal.js';
import { machinesOf } from '../../machines/catalogue.js';
import type { AnyDefinition } from '../../machines/kernel/definition.js';
import type { ApiContext } from '../context/api-context.js';

/** The definition of the kind in a path, or NOT_FOUND. */
export function knownKind(api: ApiContext, kind: string): AnyDefinition | Refusal {
  const { definitions } = api.catalogue;
  return Object.hasOwn(definitions, kind)
    ? definitions[kind]!
    : refuse('NOT_FOUND', 'no such kind of resource; /api/v1/machines lists them');
}

/** Codes of reads whose path contains a kind and the id of a resource. */
export const refusalsOfAnyKind = ({ catalogue }: Pick<ApiContext, 'catalogue'>): readonly Code[] => [
  'NOT_FOUND',
  ...machinesOf(catalogue).map(({ refusals }) => refusals.unknown),
];
