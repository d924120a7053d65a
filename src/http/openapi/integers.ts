/**
 * Adds the width of integers: generators assume 32 bits for an integer without `format`, and times and amounts need
 * more (docs/reference/requests.md).
 */

/** The largest number in 32 bits. */
const largestOf32 = 2 ** 31 - 1;
/** Keywords that contain values, not schemas. */
const values = new Set(['example', 'examples', 'enum', 'default']);

/** @returns the document, or a part of it, with `format: int64` on each integer that may exceed 32 bits */
export function withWidths<T>(part: T): T {
  if (Array.isArray(part)) return part.map(withWidths) as T;
  if (typeof part !== 'object' || part === null) return part;
  const inner = Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, values.has(name) ? value : withWidths(value)]),
  );
  return (isWide(inner) ? { ...inner, format: 'int64' } : inner) as T;
}

function isWide({ type, format, maximum, enum: choices }: { readonly [keyword: string]: unknown }): boolean {
  const isInteger = type === 'integer' || (Array.isArray(type) && type.includes('integer'));
  return isInteger && format === undefined && choices === undefined && !(Number(maximum) <= largestOf32);
}
