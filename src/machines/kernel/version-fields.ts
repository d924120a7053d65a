/** The last members of every resource's view. */
import * as a from '../../core/schema/shape.js';
import type { Resource } from './definition.js';

export const versionFields = {
  createdAt: [a.time, ({ createdAt }: Resource<unknown>) => createdAt],
  updatedAt: [a.time, ({ updatedAt }: Resource<unknown>) => updatedAt],
  resourcePrev: [
    a.described(a.hash, 'Hash of its last event: what the next write sends as `resourcePrev`.'),
    ({ lastHash }: Resource<unknown>) => lastHash,
  ],
} as const;
