/**
 * Replaces `allOf` in replies by single objects that list all their members, because generators drop members (and that
 * a member may be null) from objects that are combined from several.
 */
import type { JsonSchema } from '../../core/schema/scalar.js';

interface WholeObject extends JsonSchema {
  readonly properties: { readonly [name: string]: unknown };
  readonly required?: readonly string[];
}

type Schemas = { readonly [title: string]: JsonSchema };

const prefix = '#/components/schemas/';

interface ApiDocument {
  readonly components: JsonSchema;
}

/**
 * @returns the document with one object in place of each `allOf` of objects, without the components that are no longer
 * used
 */
export function flattenedApi<T extends ApiDocument>(document: T): T {
  const whole = flattened(document, document.components.schemas as Schemas);
  const { schemas, ...components } = whole.components as { readonly schemas: Schemas };
  const used = new Set<string>();
  const use = (part: unknown) => {
    for (const title of titlesIn(part)) {
      if (used.has(title)) continue;
      used.add(title);
      use(schemas[title]);
    }
  };
  use({ ...whole, components });
  const kept = Object.entries(schemas).filter(([title]) => used.has(title));
  return { ...whole, components: { ...whole.components, schemas: Object.fromEntries(kept) } };
}

/** Titles of the components that a part refers to. */
const titlesIn = (part: unknown): string[] =>
  [...JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, title]) => title!);

function flattened<T>(part: T, schemas: Schemas): T {
  if (Array.isArray(part)) return part.map((each) => flattened(each, schemas)) as T;
  if (typeof part !== 'object' || part === null) return part;
  const whole = objectOf(part as JsonSchema, schemas) ?? part;
  return Object.fromEntries(Object.entries(whole).map(([name, value]) => [name, flattened(value, schemas)])) as T;
}

/** Merges an `allOf`, if all of its parts are objects with named members. */
function objectOf(schema: JsonSchema, schemas: Schemas): JsonSchema | undefined {
  const { allOf, ...about } = schema as { readonly allOf?: readonly JsonSchema[] };
  if (!Array.isArray(allOf)) return undefined;
  const parts = allOf.map((part) => membersOf(part, schemas));
  if (parts.some((part) => part === undefined)) return undefined;
  const objects = parts as readonly WholeObject[];
  return {
    ...about,
    type: 'object',
    properties: Object.assign({}, ...objects.map(({ properties }) => properties)),
    required: [...new Set(objects.flatMap(({ required = [] }) => required))],
  };
}

function membersOf(part: JsonSchema, schemas: Schemas): WholeObject | undefined {
  const { $ref } = part as { readonly $ref?: string };
  const named = typeof $ref === 'string' ? schemas[$ref.slice(prefix.length)] : part;
  const schema = named && (objectOf(named, schemas) ?? named);
  return schema?.type === 'object' && schema.properties ? (schema as WholeObject) : undefined;
}
