/**
 * Scalars: a superstruct Struct paired with its JSON Schema; and functions that validate a value, or split off its
 * secrets.
 */
import * as s from 'superstruct';
import type { Json, JsonObject } from '../canonical.js';
import { escaped, isLeaf, type Leaf } from '../leaf.js';
import { type Code, type FieldError, Refusal } from '../refusal.js';

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
  /** Null is a valid value, and differs from an absent member. */
  readonly nullable?: true;
  readonly fields?: FieldScalars;
  /**
   * What a request may do with members that the object does not name: `kept` and `ignored` let it, and the reply lists
   * the ignored ones; `not misspelt` keeps them, but refuses names that are nearly those of known members; absent: all
   * are refused.
   */
  readonly unknown?: 'kept' | 'ignored' | 'not misspelt' | undefined;
  /**
   * Words that a request may not misspell: a text that is nearly one of them is refused, and so is the name of a member
   * that an open object would keep.
   */
  readonly nearby?: readonly string[];
  /** Names that an open object refuses, each with the member that callers mean by it. */
  readonly misnamed?: Aliases;
  /** Query parameters that are refused instead of ignored, each with the reason. */
  readonly refused?: { readonly [name: string]: string };
  /** The scalar that a value is read by, if there are alternatives. */
  readonly choose?: (value: unknown) => Scalar<unknown>;
  /** Other names of its members that a request may use; see `aliased`. */
  readonly aliases?: Aliases;
  /** The member that a text stands for, if an object may be given as a text. */
  readonly textAs?: string;
  readonly element?: Scalar<unknown>;
  /**
   * The value is a text that no rule reads, so that the journal has a reference in its place (core/leaf.ts): `value` this
   * value, `others` those of the members that an open object does not name.
   */
  readonly leaf?: 'value' | 'others';
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

/** The predicate of a struct, if it has no members and refinements; undefined for any other struct. */
const testOf = (struct: AnyStruct): Test | undefined => tests.get(struct);

/**
 * Registers the predicate: superstruct creates two generators for each validation, and `accept` can call the predicate
 * directly.
 */
function tested<S extends AnyStruct>(struct: S, test: Test | undefined): S {
  if (test) tests.set(struct, test);
  return struct;
}

/**
 * Converts texts. superstruct's coerce() creates an Error with a stack for each value that is not a text; this checks
 * the type instead.
 */
export const fromText = <T>(struct: s.Struct<T, unknown>, convert: (text: string) => unknown): s.Struct<T, unknown> =>
  tested(
    new s.Struct<T, unknown>({
      ...struct,
      coercer: (value, context) => struct.coercer(typeof value === 'string' ? convert(value) : value, context),
    }),
    testOf(struct),
  );

export function absentOr<T>(struct: s.Struct<T, unknown>): s.Struct<T | undefined, unknown> {
  const test = testOf(struct);
  return tested(s.optional(struct), test && ((value) => value === undefined || test(value)));
}

/** A struct made from a predicate; callers read the message after the field's name. */
export const rule = <T>(name: string, test: Test): s.Struct<T, unknown> =>
  tested(s.define<T>(name, (value) => test(value)) as s.Struct<T, unknown>, test);

const flawed = Symbol('flawed');
const nowhere: s.Context = { branch: [], path: [] };

/**
 * Validates without tracking paths, in half the time of superstruct; the result for a valid value is the same. An
 * invalid value is validated again by superstruct, which reports what is wrong.
 */
function accept(struct: AnyStruct, given: unknown): unknown {
  const value = struct.coercer(given, nowhere);
  const test = testOf(struct);
  if (test) return test(value) === true ? value : flawed;
  if (isAny(struct.validator(value, nowhere))) return flawed;
  for (const [name, member, inner] of struct.entries(value, nowhere)) {
    const accepted = accept(inner as AnyStruct, member);
    if (accepted === flawed) return flawed;
    const members = value as Record<string, unknown>;
    if (accepted !== undefined || name in members) members[name] = accepted;
  }
  return isAny(struct.refiner(value, nowhere)) ? flawed : value;
}

function isAny(failures: Iterable<unknown>): boolean {
  for (const _ of failures) return true;
  return false;
}

/** The most fields that one refusal reports. */
const mostErrors = 20;

/** The scalar of a nested member; undefined inside alternatives. */
const memberAt = (scalar: Scalar<unknown>, path: readonly string[]): Scalar<unknown> | undefined =>
  path.reduce<Scalar<unknown> | undefined>((at, name) => at?.fields?.[name] ?? at?.element, scalar);

/** Validates, normalises and drops unknown members; a refusal names the invalid fields. */
export function parse<T>(scalar: Scalar<T>, value: unknown): T | Refusal {
  const quick = accept(scalar.struct, value);
  if (quick !== flawed) return quick as T;
  const [failure, result] = s.validate(value, scalar.struct, { coerce: true });
  if (failure === undefined) return result as T;
  const errors: FieldError[] = [];
  const seen = new Set<string>();
  let code: Code | undefined;
  for (const each of failure.failures()) {
    const field = each.path.join('.') || 'body';
    if (seen.has(field)) continue;
    if (seen.size === 0 && typeof each.value === 'string' && each.value !== '') {
      const own = memberAt(scalar, each.path)?.code;
      code = typeof own === 'function' ? own(each.value) : own;
    }
    seen.add(field);
    errors.push({ field, message: each.value === undefined ? 'is required' : each.message });
    if (errors.length === mostErrors) break;
  }
  const first = errors[0] ?? { field: 'body', message: 'is invalid' };
  return new Refusal(code ?? 'INVALID_REQUEST', `${first.field}: ${first.message}`, { errors });
}

export function splitSecrets(fields: FieldScalars, input: JsonObject): [open: JsonObject, secrets: JsonObject] {
  const open: Record<string, Json | undefined> = {};
  const secrets: Record<string, Json | undefined> = {};
  for (const [name, value] of Object.entries(input)) {
    const field = fields[name];
    if (field?.secret) secrets[name] = value;
    else if (field?.fields && value && typeof value === 'object' && !Array.isArray(value)) {
      const [inner, hidden] = splitSecrets(field.fields, value as JsonObject);
      open[name] = inner;
      if (Object.keys(hidden).length > 0) secrets[name] = hidden;
    } else if (field?.element?.fields && Array.isArray(value)) {
      const members = field.element.fields;
      const parts = (value as readonly JsonObject[]).map((each) => splitSecrets(members, each));
      open[name] = parts.map(([inner]) => inner);
      if (parts.some(([, hidden]) => Object.keys(hidden).length > 0)) secrets[name] = parts.map(([, hidden]) => hidden);
    } else open[name] = value;
  }
  return [open, secrets];
}

const erasables = new WeakMap<Scalar<unknown>, boolean>();

/** Whether a value of this scalar may have leaves. */
function mayHaveLeaves(scalar: Scalar<unknown>): boolean {
  let may = erasables.get(scalar);
  if (may === undefined) {
    const { leaf, choose, element, fields = {} } = scalar;
    const inner = [...(element ? [element] : []), ...Object.values(fields)];
    may = leaf !== undefined || choose !== undefined || inner.some(mayHaveLeaves);
    erasables.set(scalar, may);
  }
  return may;
}

/**
 * The value as the journal has it: with references in the place of leaves.
 * @param refer makes the reference of a text at a JSON pointer
 */
export function withLeaves(
  scalar: Scalar<unknown>,
  value: Json,
  refer: (text: Json, pointer: string) => Leaf,
  at = '',
): Json {
  if (value === null || value === undefined || !mayHaveLeaves(scalar) || isLeaf(value)) return value;
  const { element, fields, leaf } = scalar.choose?.(value) ?? scalar;
  if (leaf === 'value') return refer(value, at);
  if (typeof value !== 'object') return value;
  if (Array.isArray(value))
    return element ? value.map((each: Json, index) => withLeaves(element, each, refer, `${at}/${index}`)) : value;
  if (!fields) return value;
  const open = leaf === 'others';
  const kept: { [name: string]: Json } = {};
  for (const [name, member] of Object.entries(value as JsonObject) as [string, Json][]) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    const pointer = `${at}/${escaped(name)}`;
    if (field) kept[name] = withLeaves(field, member, refer, pointer);
    else kept[name] = open && member !== null ? refer(member, pointer) : member;
  }
  return kept;
}
