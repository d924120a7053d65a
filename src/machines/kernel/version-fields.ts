/** The last members of every resource's view. */
import * as a from '../../core/schema/shape.js';
import type { Resource } from './resource.js';

export const versionFields = {
  createdAt: [
    a.described(a.time, 'When it was created; epoch milliseconds.'),
    ({ createdAt }: Resource<unknown>) => createdAt,
  ],
  updatedAt: [
    a.described(a.time, 'When it last changed; epoch milliseconds.'),
    ({ updatedAt }: Resource<unknown>) => updatedAt,
  ],
  resourcePrev: [
    a.described(a.hash, 'Hash of its last event: send it as `resourcePrev` with your next write.'),
    ({ lastHash }: Resource<unknown>) => lastHash,
  ],
} as const;
