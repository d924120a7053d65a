/** Plants a unique text in every place of an input that its schema marks as a leaf (core/leaf.ts). */
import type { Json, JsonObject } from '../../src/core/canonical.js';
import { isRefusal } from '../../src/core/refusal.js';
import * as is from '../../src/core/schema/scalar.js';

type Any = is.Scalar<unknown>;

/** Values by which scalars with alternatives choose. */
const choices: readonly Json[] = ['text', {}];

/** The places of an input at which there are leaves: `delivery.envelope.name`; `.*` are members of any name. */
export function leafPlaces(scalar: Any, at: string): readonly string[] {
  const { choose, element, fields = {}, leaf } = scalar;
  if (choose) return choices.flatMap((value) => leafPlaces(choose(value), at));
  if (leaf === 'value') return [at];
  const inner = Object.entries(fields).flatMap(([name, field]) => leafPlaces(field, `${at}.${name}`));
  return [...(leaf ? [`${at}.*`] : []), ...inner, ...(element ? leafPlaces(element, `${at}[]`) : [])];
}

const letters = 'abcdefghij';
const canary = (index: number): string =>
  `quokka${[...String(index)].map((digit) => letters[Number(digit)]).join('')}x`;

export class LeafCanaries {
  /** Texts by their places. */
  readonly planted: { readonly place: string; readonly text: string }[] = [];
  /** Choices so far, by place. */
  readonly #turns = new Map<string, number>();

  /** @param textOf the text of a number */
  constructor(private readonly textOf = canary) {}

  /** @param given a valid input @param at the first part of the places */
  plant(scalar: Any, given: Json | undefined, at: string): Json {
    const { choose, element, fields, leaf } = scalar;
    if (choose) {
      const turn = this.#turns.get(at) ?? 0;
      this.#turns.set(at, turn + 1);
      const value = given ?? choices[turn % choices.length]!;
      return leafPlaces(scalar, at).length > 0 ? this.plant(choose(value), value, at) : value;
    }
    if (leaf === 'value') return this.#leaf(scalar, given, at);
    if (element) {
      const elements = (given ?? [undefined]) as readonly (Json | undefined)[];
      return elements.map((each) => this.plant(element, each, `${at}[]`));
    }
    const planted: { [name: string]: Json } = { ...(given as { [name: string]: Json }) };
    for (const [name, field] of Object.entries(fields ?? {})) {
      const place = `${at}.${name}`;
      if (leafPlaces(field, place).length > 0) planted[name] = this.plant(field, planted[name], place);
      else if (planted[name] === undefined && !field.optional) planted[name] = filled(field, '');
    }
    if (leaf === 'others') planted.canary = this.#text(`${at}.*`);
    return planted;
  }

  /** Whether all places of an input have had one. */
  hasAll(scalar: Any, at: string): boolean {
    return leafPlaces(scalar, at).every((each) => this.planted.some(({ place }) => place === each));
  }

  /** Those that a text has. */
  foundIn(text: string): readonly string[] {
    return [...new Set(text.match(/quokka[a-j]+x/g))];
  }

  #leaf(scalar: Any, given: Json | undefined, at: string): Json {
    const text = this.#text(at);
    const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
    const member = isObject ? { ...(given as JsonObject), canary: text } : undefined;
    return member && isValid(scalar, member) ? (member as Json) : filled(scalar, text);
  }

  #text(place: string): string {
    const text = this.textOf(this.planted.length);
    this.planted.push({ place, text });
    return text;
  }
}

const isValid = (scalar: Any, value: unknown): boolean => !isRefusal(is.parse(scalar, structuredClone(value)));

/** A valid value that has the text in all of its members that can hold it. */
function filled(scalar: Any, text: string): Json {
  const { element, fields, schema, unknown } = scalar;
  const [first] = (schema.enum ?? []) as Json[];
  if (first !== undefined) return first;
  if (element) return [filled(element, text)];
  if (fields || schema.type === 'object') {
    const members: [string, Json][] = Object.entries(fields ?? {}).flatMap(([name, field]) => {
      const value = filled(field, text);
      const hasText = JSON.stringify(value).includes(JSON.stringify(text).slice(1, -1));
      return field.optional && !hasText ? [] : [[name, value]];
    });
    const more = unknown === 'kept' || !fields ? { canary: text } : {};
    return { ...Object.fromEntries(members), ...more };
  }
  const values: Json[] = [text, `https://example.org/${text}`, 1, true];
  return values.find((each) => isValid(scalar, each)) ?? text;
}
