/**
 * How much memory a value of JSON takes, roughly: caches that hold what callers wrote are bounded in bytes, because a
 * count says nothing where one resource may be a thousand times another.
 */
import type { Json } from '../core/canonical.js';

/** Of a value, and of a member or element beside its content, as V8 keeps them on a 64-bit machine. */
const valueBytes = 16;
const memberBytes = 16;

export function weightOf(value: Json | undefined): number {
  if (typeof value === 'string') return valueBytes + value.length;
  if (typeof value !== 'object' || value === null) return valueBytes;
  let bytes = 2 * valueBytes;
  if (Array.isArray(value)) for (const each of value) bytes += memberBytes + weightOf(each);
  else for (const name in value) bytes += memberBytes + weightOf((value as { readonly [name: string]: Json })[name]);
  return bytes;
}
