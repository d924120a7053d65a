/**
 * Scalars and combinators: each pairs a superstruct Struct with its JSON Schema, so that validation and
 * OpenAPI cannot drift (design.md, One definition per kind). A field marked secret never enters a payload,
 * entry, log line, metric, error or reply record.
 */
export * from './scalar/combinators.js';
export type { Fields, JsonSchema, ObjectOf, Scalar, TypeOf } from './scalar/pair.js';
export * from './scalar/parse.js';
export * from './scalar/values.js';
