/**
 * What a scalar is: a superstruct Struct paired with its JSON Schema.
 */
import * as s from 'superstruct';
import type { Code } from '../refusal.js';

export type JsonSchema = { readonly [key: string]: unknown };

// biome-ignore lint/suspicious/noExplicitAny: superstruct's Struct is invariant; Scalar carries the type covariantly
export type AnyStruct = s.Struct<any, any>;

export interface Scalar<out T> {
  readonly struct: AnyStruct;
  /** Never present at run time: a phantom member for TypeOf. */
  readonly type?: T;
  readonly schema: JsonSchema;
  readonly optional: boolean;
  readonly secret: boolean;
  /** See openPayloads of ResourceDefinition. */
  readonly confidential?: true;
  /** Code of the refusal when a non-empty text for this field is invalid; anything else is INVALID_REQUEST. */
  readonly code?: Code | ((text: string) => Code);
  /** Null is a value of its own. */
  readonly nullable?: true;
  /** Members, if this is an object. */
  readonly fields?: FieldScalars;
  /** Whether unknown members are kept or ignored; absent: a request with one is refused. */
  readonly unknown?: 'kept' | 'ignored';
  /** Other names of its members that a request may use; see `aliased`. */
  readonly aliases?: Aliases;
  /** The member that a text stands for, if an object may be given as a text. */
  readonly textAs?: string;
  /** The scalar of each element, if this is a list. */
  readonly element?: Scalar<unknown>;
}

export type Aliases = { readonly [alias: string]: string };
export type FieldScalars = { readonly [name: string]: Scalar<unknown> };
export type TypeOf<S> = S extends Scalar<infer T> ? T : never;

type OptionalNames<F extends FieldScalars> = { [K in keyof F]: undefined extends TypeOf<F[K]> ? K : never }[keyof F];
type Simplify<T> = { [K in keyof T]: T[K] };
/** The object type of a field table; optional scalars become optional members. */
export type ObjectOf<F extends FieldScalars> = Simplify<
  { readonly [K in Exclude<keyof F, OptionalNames<F>>]: TypeOf<F[K]> } & {
    readonly [K in OptionalNames<F>]?: TypeOf<F[K]>;
  }
>;

export function make<T>(struct: AnyStruct, schema: JsonSchema, more: Partial<Scalar<T>> = {}): Scalar<T> {
  return { struct, schema, optional: false, secret: false, ...more };
}

type Test = (value: unknown) => true | string;

const tests = new WeakMap<AnyStruct, Test>();

/** The predicate of a struct without members and refinements; undefined for any other struct. */
export const testOf = (struct: AnyStruct): Test | undefined => tests.get(struct);

/**
 * Registers the predicate: superstruct creates two generators for each validation, and `accept` can call the predicate
 * directly.
 */
function tested<S extends AnyStruct>(struct: S, test: Test | undefined): S {
  if (test) tests.set(struct, test);
  return struct;
}

/**
 * superstruct's coerce() creates an Error with a stack for each value that is no text; this checks the type instead.
 */
export const fromText = <T>(struct: s.Struct<T, unknown>, convert: (text: string) => unknown): s.Struct<T, unknown> =>
  tested(
    new s.Struct<T, unknown>({
      ...struct,
      coercer: (value, context) => struct.coercer(typeof value === 'string' ? convert(value) : value, context),
    }),
    testOf(struct),
  );

/** The member may be absent. */
export function absentOr<T>(struct: s.Struct<T, unknown>): s.Struct<T | undefined, unknown> {
  const test = testOf(struct);
  return tested(s.optional(struct), test && ((value) => value === undefined || test(value)));
}

/** A struct made from a predicate; callers read the message after the field's name. */
export const rule = <T>(name: string, test: Test): s.Struct<T, unknown> =>
  tested(s.define<T>(name, (value) => test(value)) as s.Struct<T, unknown>, test);
