/**
 * RFC 8785 canonical JSON and SHA-256. Everything hashed or signed anywhere in the node goes through here.
 */
import { hash } from 'node:crypto';
import { assert } from './refusal.js';

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined };
export type JsonObject = { readonly [key: string]: Json | undefined };

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The RFC 8785 form. `undefined` members are left out, as JSON.stringify does.
 * Numbers and strings are serialised by ECMAScript itself, which is what the RFC prescribes; keys sort by
 * UTF-16 code units, which is what Array.prototype.sort does.
 */
export function canonical(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  return isInOrder(value) ? JSON.stringify(value) : assembled(value);
}

/**
 * The same JSON with all members in canonical order. Each version is sorted once before it is hashed; members that a
 * step does not change stay sorted.
 */
export const inOrder = <T>(value: T): T => (isInOrder(value) ? value : (JSON.parse(assembled(value)) as T));

/**
 * Whether JSON.stringify gives the canonical form: members are in order and numbers finite. It is several times
 * faster.
 */
function isInOrder(value: unknown): boolean {
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (value[i] !== undefined && !isInOrder(value[i])) return false;
    return true;
  }
  if (typeof value !== 'object') return false;
  let before = '';
  for (const key in value) {
    if (key < before) return false;
    const member = (value as Record<string, unknown>)[key];
    if (member !== undefined && !isInOrder(member)) return false;
    before = key;
  }
  return true;
}

function assembled(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (typeof value === 'number') {
    assert(Number.isFinite(value), 'canonical JSON has no NaN or Infinity');
    return String(value);
  }
  if (value === null || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) {
    let text = '[';
    for (let i = 0; i < value.length; i++) text += (i === 0 ? '' : ',') + assembled(value[i] ?? null);
    return `${text}]`;
  }
  assert(typeof value === 'object', `canonical JSON has no ${typeof value}`);
  const object = value as Record<string, unknown>;
  let text = '';
  for (const key of sortedKeys(object)) {
    const member = object[key];
    if (member !== undefined) text += `${text === '' ? '' : ','}${quoted(key)}:${assembled(member)}`;
  }
  return `{${text}}`;
}

/** Printable ASCII that JSON does not escape. Most texts match, and the check costs a third of JSON.stringify. */
const plainText = /^[ !#-[\]-~]*$/;
const quoted = (text: string): string => (plainText.test(text) ? `"${text}"` : JSON.stringify(text));

/** Sorts the keys, unless they are in order already, which is cheaper to check. */
function sortedKeys(object: object): string[] {
  const keys = Object.keys(object);
  for (let i = 1; i < keys.length; i++) if (keys[i - 1]! > keys[i]!) return keys.sort();
  return keys;
}

export const sha256Hex = (data: string | Uint8Array): string => hash('sha256', data, 'hex');

export const hashOf = (value: unknown): string => sha256Hex(canonical(value));
