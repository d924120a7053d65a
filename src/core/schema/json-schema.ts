/** JSON Schema in the forms that client generators support (docs/reference/requests.md#the-description-of-the-api). */
import type { JsonSchema } from './pair.js';

/**
 * Allows null, as one more type instead of `anyOf` if the schema has types and no list of values. A schema without types
 * allows it already.
 */
export function orNull(schema: JsonSchema, description?: string): JsonSchema {
  const widened = withNull(schema);
  return description === undefined ? widened : { ...widened, description };
}

function withNull(schema: JsonSchema): JsonSchema {
  const {
    type,
    enum: values,
    title,
    properties,
  } = schema as { readonly type?: string | readonly string[] } & JsonSchema;
  const isOne = values === undefined && title === undefined && properties === undefined;
  if (isOne && type !== undefined) return { ...schema, type: [type, 'null'].flat() };
  if (isOne && schema.anyOf === undefined) return schema;
  const { description, ...described } = schema;
  if (title !== undefined || description === undefined) return { anyOf: [schema, { type: 'null' }] };
  return { anyOf: [described, { type: 'null' }], description };
}

/** A constant. Generators ignore a `const` without type, and some cannot compare booleans. */
export const constant = (value: string | number | true): JsonSchema => {
  if (value === true) return { type: 'boolean' };
  return { type: typeof value === 'string' ? 'string' : 'integer', enum: [value] };
};

/** All of these schemas in one flat list, because generators drop members of a nested one. */
export const allOf = (...parts: readonly JsonSchema[]): JsonSchema => ({
  allOf: parts.flatMap((part) =>
    part.title === undefined && Array.isArray(part.allOf) ? (part.allOf as JsonSchema[]) : [part],
  ),
});

/** Whether this is the schema of a time in a request: see `time` of the scalars. */
export const isTime = ({ type, format }: JsonSchema): boolean => Array.isArray(type) && format === 'date-time';
