/** Members that show that something belongs to another home (docs/reference/other-homes.md#views). */
import type { JsonSchema } from '../../../core/schema/scalar.js';
import * as a from '../../../core/schema/shape.js';

export const originFields = {
  home: a.described(a.did, 'The home that it is of, if that is another one.'),
  asOf: a.described(a.time, 'With `home`: time of the newest checkpoint up to which its journal is known here.'),
} as const;

/** Extends the schema of something that may belong to another home. */
export const withOrigin = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  properties: { ...(schema.properties as a.SchemaMembers), ...originFields },
});
