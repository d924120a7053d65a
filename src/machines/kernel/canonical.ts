/**
 * RFC 8785 canonical JSON and SHA-256. Everything hashed or signed anywhere in the node goes through here.
 */
import { createHash } from 'node:crypto';
import { assert } from './refusal.js';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };
export type JsonObject = { readonly [key: string]: Json | undefined };

/**
 * The RFC 8785 form. `undefined` members are left out, as JSON.stringify does.
 * Numbers and strings are serialised by ECMAScript itself, which is what the RFC prescribes; keys sort by
 * UTF-16 code units, which is what Array.prototype.sort does.
 */
export function canonical(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    assert(Number.isFinite(value), 'canonical JSON has no NaN or Infinity');
    return JSON.stringify(value);
  }
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) {
    let text = '[';
    for (let i = 0; i < value.length; i++) text += (i === 0 ? '' : ',') + canonical(value[i] ?? null);
    return `${text}]`;
  }
  assert(typeof value === 'object', `canonical JSON has no ${typeof value}`);
  const object = value as Record<string, unknown>;
  let text = '';
  for (const key of Object.keys(object).sort()) {
    const member = object[key];
    if (member !== undefined) text += `${text === '' ? '' : ','}${JSON.stringify(key)}:${canonical(member)}`;
  }
  return `{${text}}`;
}

/** SHA-256, lower-case hex. */
export const sha256Hex = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** SHA-256 of the canonical form, lower-case hex. */
export const hashOf = (value: unknown): string => sha256Hex(canonical(value));
