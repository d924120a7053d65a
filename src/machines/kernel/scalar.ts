/**
 * Scalars and combinators: each pairs a superstruct Struct with its JSON Schema, so that validation and
 * OpenAPI cannot drift (design.md, One definition per kind). A field marked secret never enters a payload,
 * entry, log line, metric, error or reply record.
 */
import * as s from 'superstruct';
import { parseAccount } from '../../keys/address.js';
import { parseDid } from '../../keys/did.js';
import { canonical, type Json, type JsonObject } from './canonical.js';
import { type Code, type FieldError, Refusal } from './refusal.js';

export type JsonSchema = { readonly [key: string]: unknown };

// biome-ignore lint/suspicious/noExplicitAny: superstruct's Struct is invariant; Scalar carries the type covariantly
type AnyStruct = s.Struct<any, any>;

export interface Scalar<out T> {
  readonly struct: AnyStruct;
  /** Never present: what makes TypeOf work. */
  readonly type?: T;
  readonly schema: JsonSchema;
  readonly optional: boolean;
  readonly secret: boolean;
  /** Code of the refusal when a text given for this field fails; what is empty or no text is INVALID_REQUEST all the same. */
  readonly code?: Code;
  /** Members, where this is an object. */
  readonly fields?: Fields;
  /** What each element is, where this is a list. */
  readonly element?: Scalar<unknown>;
}

export type Fields = { readonly [name: string]: Scalar<unknown> };
export type TypeOf<S> = S extends Scalar<infer T> ? T : never;

type OptionalNames<F extends Fields> = { [K in keyof F]: undefined extends TypeOf<F[K]> ? K : never }[keyof F];
type Simplify<T> = { [K in keyof T]: T[K] };
/** The object type of a field table; optional scalars become optional members. */
export type ObjectOf<F extends Fields> = Simplify<
  { readonly [K in Exclude<keyof F, OptionalNames<F>>]: TypeOf<F[K]> } & {
    readonly [K in OptionalNames<F>]?: TypeOf<F[K]>;
  }
>;

function make<T>(struct: AnyStruct, schema: JsonSchema, more: Partial<Scalar<T>> = {}): Scalar<T> {
  return { struct, schema, optional: false, secret: false, ...more };
}

/** superstruct's coerce() builds an Error, stack and all, for each value that is no text; this asks its type. */
const fromText = <T>(struct: s.Struct<T, unknown>, convert: (text: string) => unknown): s.Struct<T, unknown> =>
  new s.Struct<T, unknown>({
    ...struct,
    coercer: (value, context) => struct.coercer(typeof value === 'string' ? convert(value) : value, context),
  });

/** A struct by predicate; the message is what the caller reads behind the field's name. */
const rule = <T>(name: string, test: (value: unknown) => true | string): s.Struct<T, unknown> =>
  s.define<T>(name, (value) => test(value)) as s.Struct<T, unknown>;

export const maxTokens = Number.MAX_SAFE_INTEGER;

/** A whole number within bounds. */
export const integer = (minimum: number, maximum: number = Number.MAX_SAFE_INTEGER): Scalar<number> =>
  make(
    rule('integer', (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= minimum && value <= maximum
        ? true
        : `must be an integer from ${minimum} to ${maximum}`,
    ),
    { type: 'integer', minimum, maximum },
  );

/** Tokens: an integer from 1 to 2^53-1. */
export const amount = integer(1);

/** Any finite number within bounds. */
export const decimal = (minimum: number, maximum: number): Scalar<number> =>
  make(
    rule('number', (value) =>
      typeof value === 'number' && value >= minimum && value <= maximum
        ? true
        : `must be a number from ${minimum} to ${maximum}`,
    ),
    { type: 'number', minimum, maximum },
  );

export const boolean: Scalar<boolean> = make(
  rule('boolean', (value) => (typeof value === 'boolean' ? true : 'must be true or false')),
  { type: 'boolean' },
);

/** Text, its length counted in Unicode code points. */
export const text = (maximum: number, minimum = 0): Scalar<string> =>
  make(
    rule('string', (value) => {
      if (typeof value !== 'string') return 'must be a string';
      if (value.length < minimum)
        return minimum === 1 ? 'must not be empty' : `must have at least ${minimum} characters`;
      if (value.length <= maximum) return true;
      return value.length > 2 * maximum || [...value].length > maximum
        ? `must have at most ${maximum} characters`
        : true;
    }),
    { type: 'string', minLength: minimum, maxLength: maximum },
  );

export const pattern = (regex: RegExp, says: string): Scalar<string> =>
  make(
    rule('string', (value) => (typeof value === 'string' && regex.test(value) ? true : `must be ${says}`)),
    { type: 'string', pattern: regex.source },
  );

/** 64 lower-case hex digits. */
export const hash = pattern(/^[0-9a-f]{64}$/, '64 lower-case hexadecimal digits');

/** An id that a caller may choose (decisions.md, ids). */
export const chosenId = (prefix = ''): Scalar<string> =>
  make(
    rule('id', (value) =>
      typeof value === 'string' && /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/.test(value) && value.startsWith(prefix)
        ? true
        : `must be 1 to 128 of A-Z a-z 0-9 . _ : - ${prefix ? `and start with ${prefix}` : 'and start with a letter or digit'}`,
    ),
    { type: 'string', pattern: `^${prefix || '[A-Za-z0-9]'}[A-Za-z0-9._:-]*$`, maxLength: 128 },
  );

export const oneOf = <const T extends readonly string[]>(...values: T): Scalar<T[number]> =>
  make(
    rule('enumeration', (value) => (values.includes(value as string) ? true : `must be one of ${values.join(', ')}`)),
    { type: 'string', enum: values },
  );

/** A DID in either spelling; normalised before anything sees it. Fails as DID_INVALID. */
export const did: Scalar<string> = make(
  fromText(
    rule('DID', (value) =>
      typeof value === 'string' && value.length < 128 && parseDid(value) === value
        ? true
        : 'must be a DID: did:svc:z + base58btc of an Ed25519 public key',
    ),
    (value) => (value.length < 128 ? (parseDid(value) ?? value) : value),
  ),
  {
    type: 'string',
    pattern: '^did:svc:z[1-9A-HJ-NP-Za-km-z]+$',
    examples: ['did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH'],
  },
  { code: 'DID_INVALID' },
);

/** A DID or an account address; becomes the DID. */
export const account: Scalar<string> = make(
  fromText(
    rule('account', (value) =>
      typeof value === 'string' && value.length < 128 && parseDid(value) === value
        ? true
        : 'must be a DID or an account address (svc1…)',
    ),
    (value) => (value.length < 128 ? (parseAccount(value) ?? value) : value),
  ),
  { type: 'string', pattern: '^(did:svc:z|svc1)[1-9A-HJ-NP-Za-km-z]+$' },
);

const earliest = Date.UTC(2000, 0, 1);
const latest = Date.UTC(10_000, 0, 1) - 1;
const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

/** Date.parse takes 30 February for 2 March. */
function isCalendarDay(value: string): boolean {
  const [year = 0, month = 0, day = 0] = value.slice(0, 10).split('-').map(Number);
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}

/** A time: ISO 8601 with an offset, or epoch milliseconds; becomes epoch milliseconds. */
export const time: Scalar<number> = make(
  fromText(
    rule('time', (value) =>
      typeof value === 'number' && Number.isSafeInteger(value) && value >= earliest && value <= latest
        ? true
        : 'must be an ISO 8601 time with offset or epoch milliseconds',
    ),
    (value) => (isoTime.test(value) && isCalendarDay(value) ? Date.parse(value) : value),
  ),
  { oneOf: [{ type: 'string', format: 'date-time' }, { type: 'integer' }] },
);

/** Any JSON object, kept as it came (`terms`, `metadata`, `credential`, …). */
export const freeObject: Scalar<JsonObject> = make(
  rule('object', (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? true : 'must be an object',
  ),
  { type: 'object', additionalProperties: true },
);

/** Any JSON value. */
export const anything: Scalar<Json> = make(
  rule('value', (value) => (value === undefined ? 'is required' : true)),
  {},
);

export const list = <T>(element: Scalar<T>, minimum = 0, maximum = 100): Scalar<readonly T[]> =>
  make(
    s.refine(s.array(element.struct), 'array', (value) =>
      value.length >= minimum && value.length <= maximum ? true : `must have ${minimum} to ${maximum} elements`,
    ),
    { type: 'array', items: element.schema, minItems: minimum, maxItems: maximum },
    { secret: element.secret, element },
  );

/** An object with these members; members it does not know are dropped. */
export function object<const F extends Fields>(fields: F): Scalar<ObjectOf<F>> {
  const structs: Record<string, AnyStruct> = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.struct]),
  );
  return make(looseObject(structs), objectSchema(fields, false), {
    fields,
  });
}

/** An object with these members that keeps those it does not know. */
export function openObject<const F extends Fields>(fields: F): Scalar<ObjectOf<F> & JsonObject> {
  const structs: Record<string, AnyStruct> = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.struct]),
  );
  return make(s.type(structs), objectSchema(fields, true), { fields });
}

/** superstruct's object() refuses unknown members and type() keeps them; the interface ignores them. */
function looseObject(structs: Record<string, AnyStruct>): s.Struct<object> {
  const names = Object.keys(structs);
  return new s.Struct<object, unknown>({
    type: 'object',
    schema: structs,
    *entries(value) {
      if (typeof value !== 'object' || value === null) return;
      for (const name of names) yield [name, (value as Record<string, unknown>)[name], structs[name]!];
    },
    validator: (value) =>
      typeof value === 'object' && value !== null && !Array.isArray(value) ? true : 'must be an object',
    coercer(value) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      const kept: Record<string, unknown> = {};
      for (const name of names) {
        if (Object.hasOwn(value, name)) kept[name] = (value as Record<string, unknown>)[name];
      }
      return kept;
    },
  });
}

function objectSchema(fields: Fields, additionalProperties: boolean): JsonSchema {
  const required = Object.keys(fields).filter((name) => !fields[name]!.optional);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)])),
    ...(required.length > 0 ? { required } : {}),
    ...(additionalProperties ? { additionalProperties: true } : {}),
  };
}

const schemaOf = (field: Scalar<unknown>): JsonSchema =>
  field.secret ? { ...field.schema, writeOnly: true } : field.schema;

/** The member may be absent. `null` counts as absent only through `nullable`. */
export const optional = <T>(inner: Scalar<T>): Scalar<T | undefined> => ({
  ...inner,
  struct: s.optional(inner.struct),
  optional: true,
});

export const nullable = <T>(inner: Scalar<T>): Scalar<T | null> => ({
  ...inner,
  struct: s.nullable(inner.struct),
  schema: { anyOf: [inner.schema, { type: 'null' }] },
});

/** Marks a field secret: see the head of this file. */
export const secret = <T>(inner: Scalar<T>): Scalar<T> => ({ ...inner, secret: true });

/** The same field with a sentence for the OpenAPI page. */
export const described = <T>(inner: Scalar<T>, description: string): Scalar<T> => ({
  ...inner,
  schema: { ...inner.schema, description },
});

/** A field whose failure has a code of its own. */
export const failing = <T>(inner: Scalar<T>, code: Code): Scalar<T> => ({ ...inner, code });

/** A further condition over a value that has its type already. */
export const refined = <T>(inner: Scalar<T>, test: (value: T) => true | string): Scalar<T> => ({
  ...inner,
  struct: s.refine(inner.struct, 'refined', test),
});

const flawed = Symbol('flawed');
const nowhere: s.Context = { branch: [], path: [] };

/**
 * What superstruct makes of a value that is right, without keeping track of where it is: half the price of a request's
 * validation. A value that is not goes the long way afterwards, which says what is wrong.
 */
function accept(struct: AnyStruct, given: unknown): unknown {
  const value = struct.coercer(given, nowhere);
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

/** Free content within a budget: the bytes of its canonical form count. A bound is part of the law once it is out. */
export const atMostBytes = <T>(inner: Scalar<T>, bytes: number): Scalar<T> =>
  refined(inner, (value) => Buffer.byteLength(canonical(value)) <= bytes || `must have at most ${bytes} bytes as JSON`);

/** Validates, normalises, drops unknown members; the refusal names every offending field (at most 20). */
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
    if (seen.size === 0 && typeof each.value === 'string' && each.value !== '') code = scalar.fields?.[field]?.code;
    seen.add(field);
    errors.push({ field, message: each.value === undefined ? 'is required' : each.message });
    if (errors.length === 20) break;
  }
  const first = errors[0] ?? { field: 'body', message: 'is invalid' };
  return new Refusal(code ?? 'INVALID_REQUEST', `${first.field}: ${first.message}`, { errors });
}

/** Takes the secret members out: `[open, secrets]`. */
export function splitSecrets(fields: Fields, input: JsonObject): [open: JsonObject, secrets: JsonObject] {
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
