import { type Code, type Refusal, refuse } from '../../core/refusal.js';
import { machinesOf } from '../../machines/catalogue.js';
import type { AnyDefinition } from '../../machines/kernel/resource.js';
import type { ApiContext } from '../context/api-context.js';

/** The definition of a kind that a path names; NOT_FOUND where there is none. */
export function knownKind(api: ApiContext, kind: string): AnyDefinition | Refusal {
  const { definitions } = api.catalogue;
  return Object.hasOwn(definitions, kind)
    ? definitions[kind]!
    : refuse('NOT_FOUND', 'no such kind of resource; /api/v1/machines lists them');
}

/** Codes of reads whose path names a kind and a resource of it. */
export const refusalsOfAnyKind = ({ catalogue }: Pick<ApiContext, 'catalogue'>): readonly Code[] => [
  'NOT_FOUND',
  'CONFLICT',
  ...machinesOf(catalogue).map(({ refusals }) => refusals.unknown),
];
