/**
 * The public form of a resource: each member is stated once, with its schema and the source of its value. View, JSON
 * Schema, OpenAPI document and the types of client and console are derived from it, so they can't diverge.
 */
import type { Json, JsonObject } from '../canonical.js';
import type { JsonSchema } from './pair.js';
import { type ObjectSchema, object } from './shape.js';

type FieldSource<Subject, Options> = (subject: Subject, options: Options) => unknown;
/**
 * A schema, and how the value follows from the subject: undefined if an optional member is absent. A schema alone: the
 * value is the subject's member of that name.
 */
export type Field<Subject, Options> = JsonSchema | readonly [schema: JsonSchema, from: FieldSource<Subject, Options>];
export type FieldTable<Subject, Options> = { readonly [name: string]: Field<Subject, Options> };
/** Optional if the form's fields need no options. */
type OptionsOf<Options> = unknown extends Options ? [options?: Options] : [options: Options];

export interface PublicForm<Subject, Options> {
  readonly schema: ObjectSchema;
  /** Returns a new object for each call. */
  readonly view: (subject: Subject, ...options: OptionsOf<Options>) => JsonObject;
}

const isPair = <S, O>(field: Field<S, O>): field is readonly [JsonSchema, FieldSource<S, O>] => Array.isArray(field);

/** @param optional members that are omitted if their value is undefined */
export const publicForm = <Subject extends object, Options = unknown>(
  always: FieldTable<Subject, Options>,
  optional: FieldTable<Subject, Options> = {},
): PublicForm<Subject, Options> => formOf(always, optional, (subject) => subject);

/** The form of a resource: a schema alone stands for the member of its context. */
export const resourceForm = <Subject extends { readonly context: object }, Options = unknown>(
  always: FieldTable<Subject, Options>,
  optional: FieldTable<Subject, Options> = {},
): PublicForm<Subject, Options> => formOf(always, optional, ({ context }) => context);

function formOf<Subject, Options>(
  always: FieldTable<Subject, Options>,
  optional: FieldTable<Subject, Options>,
  membersOf: (subject: Subject) => object,
): PublicForm<Subject, Options> {
  const fields = Object.entries({ ...always, ...optional }).map(([name, field]) => {
    const own: FieldSource<Subject, Options> = (subject) => (membersOf(subject) as { [name: string]: unknown })[name];
    return { name, from: isPair(field) ? field[1] : own };
  });
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

const schemasOf = <S, O>(fields: FieldTable<S, O>): { readonly [name: string]: JsonSchema } =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, isPair(field) ? field[0] : field]));
