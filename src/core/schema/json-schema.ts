/** JSON Schema in the forms that client generators support (docs/reference/requests.md#the-description-of-the-api). */
import type { JsonSchema } from './pair.js';

/** Allows null, as one more type instead of `anyOf` if the schema has types and no list of values. */
export function orNull(schema: JsonSchema): JsonSchema {
  const {
    type,
    enum: values,
    title,
    properties,
  } = schema as { readonly type?: string | readonly string[] } & JsonSchema;
  const isPlain = type !== undefined && values === undefined && title === undefined && properties === undefined;
  return isPlain ? { ...schema, type: [type, 'null'].flat() } : { anyOf: [schema, { type: 'null' }] };
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
