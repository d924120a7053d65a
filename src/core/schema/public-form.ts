/**
 * The public form of a resource: each member is stated once, with its schema and the source of its value. View, JSON
 * Schema, OpenAPI document and the types of client and console are derived from it, so they can't diverge.
 */
import type { Json, JsonObject } from '../canonical.js';
import type { JsonSchema } from './pair.js';
import { type ObjectSchema, object } from './shape.js';

/** @param from computes the value from the resource; undefined if an optional member is absent */
export type Field<Subject, Options> = readonly [
  schema: JsonSchema,
  from: (subject: Subject, options: Options) => unknown,
];
export type FieldTable<Subject, Options> = { readonly [name: string]: Field<Subject, Options> };

/** Optional if the form's fields need no options. */
type OptionsOf<Options> = unknown extends Options ? [options?: Options] : [options: Options];

export interface PublicForm<Subject, Options> {
  readonly schema: ObjectSchema;
  /** Returns a new object for each call. */
  readonly view: (subject: Subject, ...options: OptionsOf<Options>) => JsonObject;
}

/** @param optional members that are omitted if their value is undefined */
export function publicForm<Subject, Options = unknown>(
  always: FieldTable<Subject, Options>,
  optional: FieldTable<Subject, Options> = {},
): PublicForm<Subject, Options> {
  const fields = Object.entries({ ...always, ...optional }).map(([name, [, from]]) => ({ name, from }));
  return {
    schema: object(schemasOf(always), schemasOf(optional)),
    view: (subject, ...[options]) => {
      const view: { [name: string]: Json } = {};
      for (const { name, from } of fields) {
        const value = from(subject, options as Options);
        if (value !== undefined) view[name] = value as Json;
      }
      return view;
    },
  };
}

const schemasOf = (fields: FieldTable<never, never>): { readonly [name: string]: JsonSchema } =>
  Object.fromEntries(Object.entries(fields).map(([name, [schema]]) => [name, schema]));
