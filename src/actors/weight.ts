/**
 * Approximates the memory of a JSON value: caches of callers' data are bounded in bytes, because one resource may be a
 * thousand times as large as another.
 */
import type { Json } from '../core/canonical.js';

/** Bytes of a value, and overhead of a member or element, in V8 on a 64-bit machine. */
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
