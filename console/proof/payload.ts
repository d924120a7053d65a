/** What was signed of a payload or a context that the API shows (docs/reference/journal-format.md#as-the-api-shows-it). */
import type { Leaf } from '../api/types.ts';
import { canonical } from './canonical.ts';
import { bytesOf, sha256Hex, sha256OfBytes } from './hash.ts';

const utf8 = new TextEncoder();

export type Leaves = { readonly [pointer: string]: Leaf };

/** An object that the API shows in the place of one that was hashed. */
export interface ShownObject {
  readonly value: object;
  /** Its erasable texts, by JSON pointer. */
  readonly leaves?: Leaves | undefined;
  /** Names of members that are in the hash by a salted hash, and the salt. */
  readonly confidential?: readonly string[] | undefined;
  readonly salt?: string | undefined;
  /** The salted hash itself, for readers who do not see the members. */
  readonly sealed?: string | undefined;
}

/** Public members with references to their texts, and the salted hash of the others. */
export interface Hashed {
  readonly open: object;
  readonly sealed: string | null;
  /** Texts that were erased, and cannot be compared. */
  readonly erased: number;
}

/** @returns undefined if a text is not that of its reference */
export function hashedOf({ value, leaves = {}, confidential, salt = '', sealed }: ShownObject): Hashed | undefined {
  const places = Object.entries(leaves);
  if (!places.every(([pointer, leaf]) => isTextOf(leaf, at(value, pointer)))) return undefined;
  const members = Object.entries(referring(value, leaves, '') as object);
  const hidden = Object.fromEntries(members.filter(([name]) => confidential?.includes(name)));
  return {
    open: Object.fromEntries(members.filter(([name]) => !confidential?.includes(name))),
    sealed: confidential ? sha256Hex(`svc:sealed:v1:${salt}:${canonical(hidden)}`) : (sealed ?? null),
    erased: places.filter(([, leaf]) => leaf.erased).length,
  };
}

/** In the place of an erased text there is none: it could be any. */
const isTextOf = ({ leaf, salt = '', erased }: Leaf, text: unknown): boolean =>
  erased ? text === null : sha256OfBytes(Uint8Array.from([...bytesOf(salt), ...utf8.encode(canonical(text))])) === leaf;

/** The names in a JSON pointer (RFC 6901). */
export const namesIn = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));

const at = (value: unknown, pointer: string): unknown =>
  namesIn(pointer).reduce(
    (within, name) => (within as { readonly [name: string]: unknown } | undefined)?.[name],
    value,
  );

function referring(value: unknown, leaves: Leaves, pointer: string): unknown {
  const found = Object.hasOwn(leaves, pointer) ? leaves[pointer] : undefined;
  if (found) return { leaf: found.leaf, size: found.size };
  if (typeof value !== 'object' || value === null) return value;
  const below = (member: unknown, name: string) =>
    referring(member, leaves, `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`);
  return Array.isArray(value)
    ? value.map((element, index) => below(element, String(index)))
    : Object.fromEntries(Object.entries(value).map(([name, member]) => [name, below(member, name)]));
}
