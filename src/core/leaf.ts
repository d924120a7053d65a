/**
 * Leaves: texts that no rule reads, so that they can be erased without breaking a hash
 * (docs/reference/journal-format.md#leaves). A payload or context has a reference in place of the text; salt and text
 * are a content, found by the hash in the reference.
 */
import { canonical, type Json, sha256Hex } from './canonical.js';

export type Leaf = {
  /** SHA-256 of salt and text, hex. */
  readonly leaf: string;
  readonly size: number;
};

export const saltBytes = 16;

/** A leaf's text is the RFC 8785 form of a value, most often of a string. */
export interface LeafText {
  readonly salt: Uint8Array;
  readonly value: Json;
}

/** The text of a leaf as one of a search: '' unless it is a string. */
export const searchableText = (text: LeafText | undefined): string =>
  typeof text?.value === 'string' ? text.value : '';

/** A new leaf, with the content that the store keeps for it. @param salt 16 random bytes */
export function newLeaf(value: Json, salt: Uint8Array): { leaf: Leaf; content: { hash: string; bytes: Uint8Array } } {
  const text = Buffer.from(canonical(value), 'utf8');
  // Its own memory: a pooled buffer would be sent to another thread with the whole pool.
  const bytes = new Uint8Array(salt.length + text.length);
  bytes.set(salt);
  bytes.set(text, salt.length);
  const hash = sha256Hex(bytes);
  return { leaf: { leaf: hash, size: text.length }, content: { hash, bytes } };
}

export const leafText = (bytes: Uint8Array): LeafText => ({
  salt: bytes.subarray(0, saltBytes),
  value: JSON.parse(Buffer.from(bytes.subarray(saltBytes)).toString('utf8')) as Json,
});

const isHash = /^[0-9a-f]{64}$/;

export function isLeaf(value: unknown): value is Leaf {
  if (typeof value !== 'object' || value === null) return false;
  const { leaf, size } = value as Partial<Leaf>;
  if (typeof leaf !== 'string' || typeof size !== 'number') return false;
  return Object.keys(value).length === 2 && Number.isSafeInteger(size) && size >= 0 && isHash.test(leaf);
}

/** The hashes of the references in a JSON value, in order, each once. */
export function leavesIn(value: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (typeof value !== 'object' || value === null) return found;
  if (isLeaf(value)) found.add(value.leaf);
  else for (const name in value) leavesIn((value as { readonly [name: string]: unknown })[name], found);
  return found;
}

export type LeafTexts = (hash: string) => LeafText | undefined;

/**
 * The value with the texts of its leaves. An object with erased ones has null in their place, and names them in
 * `erased`: members, or a member and the index in its list (`evidence/0`).
 */
export function withTexts(value: Json, texts: LeafTexts): Json {
  return isLeaf(value) ? (texts(value.leaf)?.value ?? null) : inside(value, texts, () => {});
}

function inside(value: Json, texts: LeafTexts, erased: (at: string) => void): Json {
  if (typeof value !== 'object' || value === null) return value;
  const at = (name: string | number, member: Json, under: (at: string) => void): Json => {
    if (!isLeaf(member))
      return Array.isArray(member)
        ? inside(member, texts, (index) => under(`${name}/${index}`))
        : inside(member, texts, under);
    const text = texts(member.leaf);
    if (!text) under(String(name));
    return text?.value ?? null;
  };
  if (Array.isArray(value)) return value.map((element: Json, index) => at(index, element, erased));
  const names: string[] = [];
  const shown: { [name: string]: Json } = {};
  for (const [name, member] of Object.entries(value)) {
    if (member !== undefined) shown[name] = at(name, member, (gone) => names.push(gone));
  }
  if (names.length > 0) shown.erased = names;
  return shown;
}

/** A leaf next to a value that shows its text, with the salt in hex; or that has null in the place of an erased one. */
export type RenderedLeaf = Leaf &
  ({ readonly salt: string; readonly erased?: never } | { readonly erased: true; readonly salt?: never });

/** Leaves by their place in a value, as JSON pointers (RFC 6901). */
export type RenderedLeaves = { readonly [pointer: string]: RenderedLeaf };

/** The value with the texts of its leaves, and what proves them. */
export function rendered(value: Json, texts: LeafTexts): { readonly value: Json; readonly leaves: RenderedLeaves } {
  const leaves: { [pointer: string]: RenderedLeaf } = {};
  const render = (each: Json, pointer: string): Json => {
    if (typeof each !== 'object' || each === null) return each;
    if (!isLeaf(each)) return members(each, (member, name) => render(member, `${pointer}/${escaped(name)}`));
    const text = texts(each.leaf);
    leaves[pointer] = {
      leaf: each.leaf,
      size: each.size,
      ...(text ? { salt: Buffer.from(text.salt).toString('hex') } : { erased: true }),
    };
    return text?.value ?? null;
  };
  return { value: render(value, ''), leaves };
}

/** The reverse of `rendered`. @returns a sentence if a text is not that of its leaf */
export function unrendered(value: Json, leaves: RenderedLeaves): { readonly value: Json } | string {
  let flaw: string | undefined;
  const restore = (each: Json, pointer: string): Json => {
    const leaf = Object.hasOwn(leaves, pointer) ? leaves[pointer] : undefined;
    if (!leaf)
      return typeof each === 'object' && each !== null
        ? members(each, (member, name) => restore(member, `${pointer}/${escaped(name)}`))
        : each;
    const { erased, salt = '', size } = leaf;
    const isSigned = erased ? each === null : newLeaf(each, Buffer.from(salt, 'hex')).leaf.leaf === leaf.leaf;
    if (!isSigned) flaw ??= `the text at ${pointer} is not that of its leaf`;
    return { leaf: leaf.leaf, size };
  };
  const restored = restore(value, '');
  return flaw ?? { value: restored };
}

/** A name as a part of a JSON pointer. */
export const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const members = (
  value: Exclude<Json, null | boolean | number | string>,
  change: (member: Json, name: string) => Json,
): Json =>
  Array.isArray(value)
    ? value.map((element: Json, index) => change(element, String(index)))
    : Object.fromEntries(
        (Object.entries(value) as [string, Json | undefined][])
          .filter(([, member]) => member !== undefined)
          .map(([name, member]) => [name, change(member!, name)]),
      );
