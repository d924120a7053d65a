/**
 * Tags distinguish the resources of several homes: `esc_01H…~3kQ9xT2b` is the escrow of the home whose DID continues
 * with `3kQ9xT2b` (docs/reference/other-homes.md#spelling).
 */
import { parseDid } from '../core/codecs/did.js';

/** The common prefix of all DIDs, before the characters of the key. */
const same = 'did:svc:z6Mk';

/** The shortest tag, in characters. */
const shortest = 8;

const charactersOf = (home: string): string => home.slice(same.length);

/** The tag of a home: the shortest prefix of its key, of at least 8 characters, that no other home's key has. */
export function tagOf(home: string, others: Iterable<string>): string {
  const own = charactersOf(home);
  let length = shortest;
  for (const other of others) {
    if (other === home) continue;
    const theirs = charactersOf(other);
    while (length < own.length && theirs.startsWith(own.slice(0, length))) length++;
  }
  return own.slice(0, length);
}

/** A resource as a caller names it. */
export interface Spelling {
  /** The id at its home. */
  readonly id: string;
  /** The part after `~`: a tag or a whole DID; undefined for a bare id. */
  readonly home: string | undefined;
}

/** Separates id and home. No id and no DID contains it. */
const separator = '~';

export function spellingOf(text: string): Spelling {
  const at = text.indexOf(separator);
  return at < 0 ? { id: text, home: undefined } : { id: text.slice(0, at), home: text.slice(at + separator.length) };
}

export const spelled = (id: string, tag: string): string => `${id}${separator}${tag}`;

/** Whether a DID or a tag names this home. The tag may be longer or shorter than the home's own. */
export function isNamedBy(home: string, named: string): boolean {
  if (named.startsWith('did:')) return parseDid(named) === home;
  return named.length >= shortest && charactersOf(home).startsWith(named);
}
