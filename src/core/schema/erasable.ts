/** Marks the schemas of values that can be erased: a view shows null then, and says so (docs/reference/erasure.md). */
import type { JsonSchema } from './pair.js';

/** A symbol, so that the mark does not appear in the JSON. */
const mark = Symbol('erasable');

export const erasable = (schema: JsonSchema): JsonSchema => ({ ...schema, [mark]: true });

export const isErasable = (schema: JsonSchema): boolean => (schema as { readonly [mark]?: true })[mark] === true;
