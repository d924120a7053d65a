/**
 * JSON Schemas (2020-12) of replies: the building blocks of views. Requests have their schemas in scalar.ts. A schema
 * with a `title` becomes a component of the OpenAPI document, with that name.
 */

import { isConfidential } from './confidential.js';
import { isErasable, erasable as marked } from './erasable.js';
import { isTime, orNull } from './json-schema.js';
import type { JsonSchema } from './scalar.js';
import * as is from './scalar.js';

export type SchemaMembers = { readonly [name: string]: JsonSchema };

export interface ObjectSchema extends JsonSchema {
  readonly type: 'object';
  readonly properties: SchemaMembers;
  readonly required: readonly string[];
}

/** An object whose `needed` members are always present, except confidential ones; `optional` members may be absent. */
export const object = (needed: SchemaMembers, optional: SchemaMembers = {}): ObjectSchema => ({
  type: 'object',
  properties: withErased({ ...needed, ...optional }),
  required: Object.keys(needed).filter((name) => !isConfidential(needed[name]!)),
});

/** The member of a view that names those whose text was erased. */
export const erasedNames: JsonSchema = {
  type: 'array',
  items: { type: 'string' },
  description: 'Members that are null because their text was erased, or a member and an index: `evidence/0`.',
};

/** Adds the member that names erased ones, if any of these can be erased. */
function withErased(properties: SchemaMembers): SchemaMembers {
  const may = ({ items, ...schema }: JsonSchema) =>
    isErasable(schema) || (items !== undefined && isErasable(items as JsonSchema));
  return Object.values(properties).some(may) ? { ...properties, erased: erasedNames } : properties;
}

/** A text that can be erased: it is null then. */
export const erasable = (schema: JsonSchema, description?: string): JsonSchema =>
  marked(orNull(description === undefined ? schema : described(schema, description)));

export { confidential } from './confidential.js';
export { isErasable } from './erasable.js';

/**
 * The component that a schema describes anew: the OpenAPI document refers to the component and puts the description
 * next to the reference.
 */
export const component = Symbol('component');

export function named(title: string, schema: JsonSchema): JsonSchema {
  const whole = { ...schema, title };
  return Object.assign(whole, { [component]: whole });
}

export const described = (schema: JsonSchema, description: string): JsonSchema => ({ ...schema, description });

export { allOf, constant, orNull as nullable } from './json-schema.js';

export const list = (items: JsonSchema): JsonSchema => ({ type: 'array', items });

export const oneOf = (...values: readonly string[]): JsonSchema => ({ type: 'string', enum: values });

export const text = { type: 'string' } as const;
export const flag = { type: 'boolean' } as const;
/** A whole number that is not negative. */
export const count = { type: 'integer', minimum: 0 } as const;
export const freeObject = { type: 'object', additionalProperties: true } as const;

/** Any JSON, unchanged. */
export const anything = { additionalProperties: true } as const;

/** A request's schema as it appears in replies: times are epoch milliseconds, and later versions may add members. */
export function outgoing(schema: JsonSchema): JsonSchema {
  if (isTime(schema)) {
    const { description } = schema.description === is.time.schema.description ? time : schema;
    const moment = { ...count, description };
    return (schema.type as readonly string[]).includes('null') ? orNull(moment) : moment;
  }
  const { properties, items, additionalProperties, ...rest } = schema as {
    readonly properties?: SchemaMembers;
    readonly items?: JsonSchema;
    readonly additionalProperties?: unknown;
  };
  const { description } = rest as { readonly description?: string };
  const shown = {
    ...rest,
    ...(description === undefined ? {} : { description: is.withoutForms(description) }),
    ...(items ? { items: outgoing(items) } : {}),
    ...(additionalProperties ? { additionalProperties } : {}),
    ...(properties
      ? {
          properties: withErased(
            Object.fromEntries(Object.entries(properties).map(([name, each]) => [name, outgoing(each)])),
          ),
        }
      : {}),
  };
  return isErasable(schema) ? orNull(shown) : shown;
}

export const tokens: JsonSchema = { ...count, maximum: is.maxTokens, description: 'Tokens.' };
export const time: JsonSchema = { ...count, description: 'Epoch milliseconds.' };
export const hash: JsonSchema = { ...is.hash.schema, description: 'SHA-256: 64 lower-case hexadecimal digits.' };
export const did: JsonSchema = { type: 'string', pattern: is.did.schema.pattern, description: 'A DID.' };
export const address: JsonSchema = {
  type: 'string',
  pattern: '^svc1[1-9A-HJ-NP-Za-km-z]+$',
  description: 'The account address: the other spelling of the DID.',
};
export const signature: JsonSchema = { type: 'string', pattern: '^[A-Za-z0-9_-]{86}$' };
