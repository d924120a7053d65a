/** Plants unique texts in every member of an input that can hold one, found by its schema. */
import type { JsonSchema } from '../../../src/core/schema/scalar.js';
import type { Body } from './client.js';

interface Described {
  readonly type?: string | readonly string[];
  readonly properties?: { readonly [name: string]: JsonSchema };
  readonly required?: readonly string[];
  readonly items?: JsonSchema;
  readonly additionalProperties?: unknown;
  readonly anyOf?: unknown;
  readonly oneOf?: unknown;
  readonly enum?: unknown;
  readonly const?: unknown;
  readonly pattern?: string;
  readonly format?: string;
}

/** A text without a fixed format. */
export const isFreeText = (schema: JsonSchema): boolean => {
  const { type, format, enum: values, const: one, pattern } = schema as Described;
  return [type].flat().includes('string') && format !== 'date-time' && !values && !pattern && one === undefined;
};

/** Any JSON, or an object with any members. */
export const isFree = (schema: JsonSchema): boolean => {
  const { type, anyOf, oneOf, enum: values, const: one, additionalProperties } = schema as Described;
  return additionalProperties === true || (!type && !anyOf && !oneOf && !values && one === undefined);
};

export class Canaries {
  readonly planted: string[] = [];

  /** @param fixed names of members that keep their given value or stay absent, because they are not texts of the caller */
  constructor(private readonly fixed: readonly string[] = []) {}

  /** A body for the schema: the given members, and a planted text in each member that can hold one. */
  plant(schema: JsonSchema, given: Body, at: string): Body {
    const { type, properties, items, additionalProperties } = schema as Described;
    if (isFreeText(schema)) return this.#new(at);
    if (type === 'array') {
      if (given === undefined && !this.#takesAny(items!)) return undefined;
      return (given ?? [undefined]).map((each: Body, i: number) => this.plant(items!, each, `${at}.${i}`));
    }
    if (type === 'object') {
      if (given === undefined && !this.#takesAny(schema)) return undefined;
      const body: Body = { ...given };
      for (const [name, member] of Object.entries(properties ?? {})) {
        if (this.fixed.includes(name)) continue;
        const value = this.plant(member, body[name], `${at}.${name}`);
        if (value !== undefined) body[name] = value;
      }
      if (additionalProperties === true) body.words = this.#new(`${at}.words`);
      return body;
    }
    return isFree(schema) ? { words: this.#new(at), hash: undefined, ...given } : given;
  }

  /** Whether the member can be made of planted texts only. */
  #takesAny(schema: JsonSchema): boolean {
    const { required = [], properties = {} } = schema as Described;
    return required.every((name) => isFreeText(properties[name]!) || isFree(properties[name]!));
  }

  #new(at: string): string {
    const canary = `canary-${this.planted.length}-${at}-`;
    this.planted.push(canary);
    return canary;
  }
}
