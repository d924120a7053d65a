/** Members that show that something belongs to another home (docs/reference/other-homes.md#views). */
import type { JsonSchema } from '../../../core/schema/scalar.js';
import * as a from '../../../core/schema/shape.js';

export const originFields = {
  home: a.described(a.did, 'The home of the resource, if it is not this node’s.'),
  asOf: a.described(
    a.time,
    'Only with `home`: time of the newest checkpoint of that home’s journal that this node has adopted.',
  ),
} as const;

/** Extends the schema of something that may belong to another home. */
export const withOrigin = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  properties: { ...(schema.properties as a.SchemaMembers), ...originFields },
});
