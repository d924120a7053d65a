/**
 * Confidential members of a view, shown only to the definition's `payloadReaders`
 * (docs/reference/contracts-and-disputes.md#confidentiality). The view's schema marks them; all other callers get the
 * view without them.
 */
import type { Json, JsonObject } from '../canonical.js';
import type { JsonSchema } from './scalar.js';

/** A symbol, so that the mark does not appear in the JSON, where the description states it. */
const mark = Symbol('confidential');

type Marked = JsonSchema & { readonly [mark]?: true };

export const isConfidential = (schema: JsonSchema): boolean => (schema as Marked)[mark] === true;

/** Marks the schema of a member, or of all members that an object does not name (`additionalProperties`). */
export const confidential = (schema: JsonSchema): JsonSchema => ({
  ...schema,
  description: `${schema.description ? `${schema.description} ` : ''}Only the parties and the arbiter can see it.`,
  [mark]: true,
});

type Withhold = (value: Json) => Json;

const withheld = new WeakMap<JsonSchema, Withhold | undefined>();

/** The view without its confidential members; the same object if its schema has none. */
export function publicPart(schema: JsonSchema, view: JsonObject): JsonObject {
  if (!withheld.has(schema)) withheld.set(schema, withholding(schema));
  const withhold = withheld.get(schema);
  return withhold ? (withhold(view) as JsonObject) : view;
}

/** Undefined if the schema has no confidential members. */
function withholding(schema: JsonSchema): Withhold | undefined {
  const { items, anyOf, properties } = schema as {
    readonly items?: JsonSchema;
    readonly anyOf?: readonly JsonSchema[];
    readonly properties?: { readonly [name: string]: JsonSchema };
  };
  if (items) return inEach(withholding(items));
  // `anyOf` is used for nullable objects only.
  if (anyOf) return anyOf.map(withholding).find((each) => each !== undefined);
  return properties && inObject(properties, isConfidential((schema.additionalProperties ?? {}) as JsonSchema));
}

const inEach = (withhold: Withhold | undefined): Withhold | undefined =>
  withhold && ((value) => (Array.isArray(value) ? value.map(withhold) : value));

function inObject(properties: { readonly [name: string]: JsonSchema }, onlyNamed: boolean): Withhold | undefined {
  const hidden = new Set(Object.keys(properties).filter((name) => isConfidential(properties[name]!)));
  const inner = new Map(Object.entries(properties).map(([name, each]) => [name, withholding(each)]));
  if (!onlyNamed && hidden.size === 0 && [...inner.values()].every((each) => each === undefined)) return undefined;
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    const kept: { [name: string]: Json } = {};
    for (const [name, member] of Object.entries(value as JsonObject)) {
      if (hidden.has(name) || (onlyNamed && !inner.has(name))) continue;
      kept[name] = inner.get(name)?.(member!) ?? member!;
    }
    return kept;
  };
}
