/**
 * Schemas with a `title` become components of the OpenAPI document, and references where they are used.
 */
import { assert } from '../../core/refusal.js';
import type { JsonSchema } from '../../core/schema/scalar.js';
import { component } from '../../core/schema/shape.js';

type Inside = (value: unknown) => unknown;

export class Components {
  readonly #schemas = new Map<string, JsonSchema>();

  /** The schema as the document shows it: a reference, or the schema itself with references inside. */
  use(schema: JsonSchema): JsonSchema {
    const whole = componentOf(schema);
    const inner = mapped(whole, (value, keyword) => this.#inside(keyword, value));
    const { title, description } = schema;
    if (typeof title !== 'string') return inner;
    const known = this.#schemas.get(title);
    assert(!known || JSON.stringify(known) === JSON.stringify(inner), `two schemas have the title ${title}`);
    this.#schemas.set(title, inner);
    const reference = { $ref: `#/components/schemas/${title}` };
    return description === whole.description ? reference : { ...reference, description };
  }

  get schemas(): { readonly [title: string]: JsonSchema } {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
  }

  #inside(keyword: string, value: unknown): unknown {
    // Members of any type. Generators ignore a schema without a type.
    if (keyword === 'additionalProperties' && isAnything(value)) return true;
    return this.#keywords[keyword]?.(value) ?? value;
  }

  readonly #schema: Inside = (value) => (typeof value === 'boolean' ? value : this.use(value as JsonSchema));
  readonly #each: Inside = (value) => (value as readonly unknown[]).map(this.#schema);
  /** Keywords that contain schemas. */
  readonly #keywords: { readonly [keyword: string]: Inside } = {
    properties: (value) => mapped(value as JsonSchema, this.#schema),
    additionalProperties: this.#schema,
    items: this.#schema,
    prefixItems: this.#each,
    allOf: this.#each,
    anyOf: this.#each,
    oneOf: this.#each,
  };
}

/** The component behind a schema that only differs in its description. A schema with other members is a new one. */
function componentOf(schema: JsonSchema): JsonSchema {
  const { [component]: whole } = schema as { readonly [component]?: JsonSchema };
  if (!whole) return schema;
  const names = new Set([...Object.keys(schema), ...Object.keys(whole)]);
  names.delete('description');
  return [...names].every((name) => schema[name] === whole[name]) ? whole : schema;
}

const isAnything = (schema: unknown): boolean =>
  typeof schema === 'object' &&
  schema !== null &&
  (schema as JsonSchema).additionalProperties === true &&
  !('type' in schema);

const mapped = (object: JsonSchema, change: (value: unknown, name: string) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
