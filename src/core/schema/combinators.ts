/**
 * Lists and objects of scalars, and modifiers of scalars.
 */
import * as s from 'superstruct';
import { canonical, isJsonObject, type Json, type JsonObject } from '../canonical.js';
import type { Leaf } from '../leaf.js';
import { erasable } from './erasable.js';
import { orNull } from './json-schema.js';
import {
  type Aliases,
  type AnyStruct,
  absentOr,
  type FieldScalars,
  fromText,
  type JsonSchema,
  make,
  type ObjectOf,
  type Scalar,
} from './pair.js';
import { text } from './values.js';

/** Replaces superstruct's messages, which repeat the value: it may be secret. */
const withWords = (struct: AnyStruct, test: (value: unknown) => true | string): AnyStruct =>
  new s.Struct({ ...struct, validator: test });

const isObject = (value: unknown): true | string => isJsonObject(value) || 'must be an object';

/**
 * A list. One that is too long is refused by its length alone: a body has room for half a million elements, and so for
 * as many errors.
 */
export function list<T>(element: Scalar<T>, minimum = 0, maximum = 100): Scalar<readonly T[]> {
  const array: AnyStruct = s.array(element.struct);
  const fits = (value: unknown): true | string => {
    if (!Array.isArray(value)) return 'must be a list';
    return (value.length >= minimum && value.length <= maximum) || `must have ${minimum} to ${maximum} elements`;
  };
  const isTooLong = (value: unknown): boolean => Array.isArray(value) && value.length > maximum;
  return make(
    new s.Struct({
      ...array,
      coercer: (value, context) => (isTooLong(value) ? value : array.coercer(value, context)),
      entries: (value, context) => (isTooLong(value) ? [] : array.entries(value, context)),
      validator: fits,
    }),
    { type: 'array', items: element.schema, minItems: minimum, maxItems: maximum },
    { secret: element.secret, element },
  );
}

/** An object with these members; parsing drops others, but a request that contains others is refused. */
export function object<const F extends FieldScalars>(fields: F): Scalar<ObjectOf<F>> {
  const structs: Record<string, AnyStruct> = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.struct]),
  );
  return make(looseObject(structs), objectSchema(fields, false), {
    fields,
  });
}

/** An object with these members that keeps those it does not know. */
export function openObject<const F extends FieldScalars>(fields: F): Scalar<ObjectOf<F> & JsonObject> {
  const structs: Record<string, AnyStruct> = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, field.struct]),
  );
  return make(withWords(s.type(structs), isObject), objectSchema(fields, true), { fields, unknown: 'kept' });
}

/**
 * One of two objects: if `member` is one of `values`, the object follows `known`, otherwise `other`.
 * @param named the members that a request may give for each value; by default all of `known`
 */
export function variant<K, O>(
  member: string,
  values: readonly string[],
  { known, other, named = {} }: { readonly known: Scalar<K>; readonly other: Scalar<O>; readonly named?: NamedBy },
): Scalar<K | O> {
  const valueIn = (value: unknown) => (value as Record<string, string> | null)?.[member] ?? '';
  const isKnown = (value: unknown) => values.includes(valueIn(value));
  const requested = new Map(Object.entries(named).map(([value, names]) => [value, only(known, names)]));
  return make(
    s.dynamic((value) => (isKnown(value) ? known.struct : other.struct)),
    { anyOf: [known.schema, other.schema] },
    { choose: (value) => (isKnown(value) ? (requested.get(valueIn(value)) ?? known) : other) },
  );
}

/** A value that follows the one scalar or the other; its schema is that of any JSON. */
export function either<A, B>(isFirst: (value: unknown) => boolean, first: Scalar<A>, second: Scalar<B>): Scalar<A | B> {
  return make(
    s.dynamic((value) => (isFirst(value) ? first.struct : second.struct)),
    {},
    { choose: (value) => (isFirst(value) ? first : second) },
  );
}

type NamedBy = { readonly [value: string]: readonly string[] };

const only = <T>({ fields = {}, ...scalar }: Scalar<T>, names: readonly string[]): Scalar<T> => ({
  ...scalar,
  fields: Object.fromEntries(Object.entries(fields).filter(([name]) => names.includes(name))),
});

/** An open object of which requests may name other members, but not misspell the known ones. */
export const notMisspelt = <T>(inner: Scalar<T>): Scalar<T> => ({ ...inner, unknown: 'not misspelt' });

/**
 * A free text that in requests may not be a misspelling of one of these words; or an open object that may not
 * misspell these members in requests. @param misnamed further names of members that callers mean by them
 */
export const notNearly = <T>(inner: Scalar<T>, words: readonly string[], misnamed: Aliases = {}): Scalar<T> => ({
  ...inner,
  nearby: words,
  misnamed,
});

/** Query parameters that are refused, with the reason, instead of ignored. */
export const refusing = <T>(inner: Scalar<T>, refused: { readonly [name: string]: string }): Scalar<T> => ({
  ...inner,
  refused,
});

/** Drops unknown members: superstruct's object() refuses them, and its type() keeps them. Others get the order of hashing. */
function looseObject(structs: Record<string, AnyStruct>): s.Struct<object> {
  const names = Object.keys(structs);
  const inOrder = names.toSorted();
  return new s.Struct<object, unknown>({
    type: 'object',
    schema: structs,
    entries: (value) =>
      typeof value === 'object' && value !== null
        ? names.map((name) => [name, (value as Record<string, unknown>)[name], structs[name]!])
        : [],
    validator: isObject,
    coercer(value) {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      const kept: Record<string, unknown> = {};
      for (const name of inOrder) {
        if (Object.hasOwn(value, name)) kept[name] = (value as Record<string, unknown>)[name];
      }
      return kept;
    },
  });
}

function objectSchema(fields: FieldScalars, additionalProperties: boolean): JsonSchema {
  const required = Object.keys(fields).filter((name) => !fields[name]!.optional);
  return {
    type: 'object',
    properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)])),
    ...(required.length > 0 ? { required } : {}),
    additionalProperties,
  };
}

const schemaOf = (field: Scalar<unknown>): JsonSchema =>
  field.secret ? { ...field.schema, writeOnly: true } : field.schema;

/** The member may be absent. `null` counts as absent only through `nullable`. */
export const optional = <T>(inner: Scalar<T>, description?: string): Scalar<T | undefined> => ({
  ...(description === undefined ? inner : described(inner, description)),
  struct: absentOr(inner.struct),
  optional: true,
});

export const nullable = <T>(inner: Scalar<T>): Scalar<T | null> => ({
  ...inner,
  struct: s.nullable(inner.struct),
  nullable: true,
  schema: orNull(inner.schema),
});

/** An object whose unknown members are dropped, in requests too, where they would be refused otherwise; replies list them. */
export const ignoringUnknown = <T>(inner: Scalar<T>): Scalar<T> => ({
  ...inner,
  unknown: 'ignored',
  schema: { ...inner.schema, additionalProperties: true },
});

/**
 * Alternative names that requests may use for members of an object. After the colon stands the target of the value: a
 * member (`notes`), a nested member (`terms.arbiter`), a list element (`deliverables[]`), or `*`, which spreads its
 * members into the object.
 */
export const aliased = <T>(inner: Scalar<T>, aliases: Aliases): Scalar<T> => noted({ ...inner, aliases }, { aliases });

const sayAlias = ([alias, target]: readonly [string, string]): string =>
  target === '*' ? `members of \`${alias}\`` : `\`${alias}\` for \`${target}\``;

/** An object that may also be given as a text, which becomes the value of this member. */
export const textAs = <T>(inner: Scalar<T>, member: string): Scalar<T> =>
  noted({ ...inner, textAs: member }, { textAs: member });

type OtherForms = Pick<Scalar<unknown>, 'aliases' | 'textAs'>;

/** The description, and the other forms in which the value is accepted. */
const withForms = (description: unknown, { aliases = {}, textAs }: OtherForms): string | undefined => {
  const others = Object.entries(aliases).map(sayAlias);
  const parts = [
    description,
    others.length > 0 && `Also accepted: ${others.join(', ')}.`,
    textAs && `A text in its place is its \`${textAs}\`.`,
  ];
  return parts.filter(Boolean).join(' ') || undefined;
};

/** The description without its end about aliases and texts, which replies and events do not have. */
export function withoutForms(description: string): string {
  const ends = ['Also accepted: ', 'A text in its place is its '].map((each) => description.indexOf(each));
  const found = ends.filter((end) => end >= 0);
  return found.length === 0 ? description : description.slice(0, Math.min(...found)).trimEnd();
}

function noted<T>(inner: Scalar<T>, forms: OtherForms): Scalar<T> {
  const description = withForms(inner.schema.description, forms);
  return description === undefined ? inner : { ...inner, schema: { ...inner.schema, description } };
}

/** Marks a field secret: see scalar.ts. */
export const secret = <T>(inner: Scalar<T>): Scalar<T> => ({ ...inner, secret: true });

/** A text that no rule reads, of which the journal has a reference: see core/leaf.ts. */
export const leaf = <T>(inner: Scalar<T>): Scalar<Leaf | (T & undefined)> => ({
  ...(inner as unknown as Scalar<Leaf>),
  leaf: 'value',
  schema: erasable(inner.schema),
});

/** An open object whose unknown members are texts that no rule reads. */
export const leavingOthers = <T extends JsonObject>(inner: Scalar<T>): Scalar<T> => ({
  ...refined(
    inner,
    (value) => !Object.hasOwn(value, 'erased') || 'must have no member “erased”: a view names erased ones there',
  ),
  leaf: 'others',
});

/** Marks a field that only the readers of confidential data see (`payloadReaders` of the definition). */
export const confidential = <T>(inner: Scalar<T>): Scalar<T> => ({ ...inner, confidential: true });

export const described = <T>(inner: Scalar<T>, description: string): Scalar<T> => ({
  ...inner,
  schema: { ...inner.schema, description: withForms(description, inner) },
});

export const refined = <T>(inner: Scalar<T>, test: (value: T) => true | string): Scalar<T> => ({
  ...inner,
  struct: s.refine(inner.struct, 'refined', test),
});

/** White space, format and control characters, fillers, and the empty Braille pattern. */
const unseen = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2800]*$/u;
/** Whether no character of the text leaves a mark. Only for requests: replay must not depend on a version of Unicode. */
export const isUnseen = (text: string): boolean => unseen.test(text);

/** A text with at least one visible character. */
export const visible = (inner: Scalar<string>): Scalar<string> =>
  refined(inner, (text) => !isUnseen(text) || 'must have a visible character');

/** A text that names something: in NFC, trimmed, visible. */
export function name(maximum: number): Scalar<string> {
  const inner = text(maximum, 1);
  return visible({ ...inner, struct: fromText(inner.struct, (given) => given.normalize('NFC').trim()) });
}

/** Converts a value before it is checked. */
export const converted = <T>(inner: Scalar<T>, convert: (value: Json) => Json | undefined): Scalar<T> => ({
  ...inner,
  struct: new s.Struct({
    ...inner.struct,
    coercer: (value, context) => inner.struct.coercer(convert(value as Json), context),
  }),
});

/** JSON of at most `bytes` bytes in canonical form. A released bound may not change, because replay checks it again. */
export const atMostBytes = <T>(inner: Scalar<T>, bytes: number): Scalar<T> =>
  refined(inner, (value) => Buffer.byteLength(canonical(value)) <= bytes || `must have at most ${bytes} bytes as JSON`);
