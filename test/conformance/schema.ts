/** A validator for the subset of JSON Schema that the node uses. It returns a short text for each violation. */
import type { Body } from '../node/support/client.js';

type Schema = { readonly [key: string]: Body };

const types: { readonly [type: string]: (value: Body) => boolean } = {
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  array: Array.isArray,
  string: (value) => typeof value === 'string',
  integer: Number.isInteger,
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  null: (value) => value === null,
};

export function flawsOf(schema: Schema, value: Body, path = ''): string[] {
  const { type, enum: values, pattern, properties = {}, required = [], items, anyOf, oneOf } = schema;
  const variants = (anyOf ?? oneOf) as Schema[] | undefined;
  if (variants && !variants.some((each) => flawsOf(each, value, path).length === 0))
    return [`${path}: no variant fits`];
  const allowed = type === undefined ? [] : [type].flat();
  if (allowed.length > 0 && !allowed.some((each: string) => types[each]?.(value))) return [`${path}: is no ${allowed}`];
  const flaws: string[] = [];
  if (values && !values.includes(value)) flaws.push(`${path}: is none of ${values}`);
  if (pattern && typeof value === 'string' && !new RegExp(pattern).test(value)) flaws.push(`${path}: not ${pattern}`);
  if (types.object!(value)) {
    for (const name of required) if (value[name] === undefined) flaws.push(`${path}.${name}: is missing`);
    for (const [name, member] of Object.entries(properties)) {
      if (value[name] !== undefined) flaws.push(...flawsOf(member as Schema, value[name], `${path}.${name}`));
    }
  }
  if (items && Array.isArray(value)) {
    for (const [i, each] of value.entries()) flaws.push(...flawsOf(items, each, `${path}.${i}`));
  }
  return flaws;
}
