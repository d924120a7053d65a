/**
 * Schemas with a `title` become components of the OpenAPI document, and references where they are used.
 */
import { assert } from '../../core/refusal.js';
import type { JsonSchema } from '../../core/schema/scalar.js';

type Inside = (value: unknown) => unknown;

export class Components {
  readonly #schemas = new Map<string, JsonSchema>();

  /** The schema as the document shows it: a reference, or the schema itself with references inside. */
  use(schema: JsonSchema): JsonSchema {
    const inner = mapped(schema, (value, keyword) => this.#keywords[keyword]?.(value) ?? value);
    const { title } = schema;
    if (typeof title !== 'string') return inner;
    const known = this.#schemas.get(title);
    assert(!known || JSON.stringify(known) === JSON.stringify(inner), `two schemas have the title ${title}`);
    this.#schemas.set(title, inner);
    return { $ref: `#/components/schemas/${title}` };
  }

  /** Schemas by title, sorted. */
  get schemas(): { readonly [title: string]: JsonSchema } {
    return Object.fromEntries([...this.#schemas].sort(([one], [other]) => (one < other ? -1 : 1)));
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

const mapped = (object: JsonSchema, change: (value: unknown, name: string) => unknown): JsonSchema =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
