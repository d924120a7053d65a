/**
 * Scalars and combinators: each pairs a superstruct Struct with its JSON Schema, so that validation and OpenAPI cannot
 * diverge (CONTRIBUTING.md#add-a-kind). A field marked secret never enters a payload, entry, log line, metric, error or
 * recorded reply.
 */
export * from './combinators.js';
export type { Aliases, FieldScalars as Fields, JsonSchema, ObjectOf, Scalar, TypeOf } from './pair.js';
export { parse, splitSecrets, withLeaves } from './pair.js';
export * from './values.js';
