/**
 * Tags tell the resources of several homes apart: `esc_01H…~3kQ9xT2b` is the escrow of the home whose DID goes on with
 * `3kQ9xT2b` (docs/reference/other-homes.md#spelling).
 */
import { parseDid } from '../core/codecs/did.js';

/** What all DIDs begin with; the key's own characters follow. */
const same = 'did:svc:z6Mk';

/** The fewest characters of a tag. */
const shortest = 8;

const charactersOf = (home: string): string => home.slice(same.length);

/** The tag of a home: as many characters of its key as tell it from the others, but at least 8. */
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

/** A resource as a caller spells it. */
export interface Spelling {
  /** As at its home. */
  readonly id: string;
  /** What follows `~`: a tag or a whole DID; undefined for a bare id. */
  readonly home: string | undefined;
}

/** Separates id and home. No id and no DID contains it. */
const separator = '~';

export function spellingOf(text: string): Spelling {
  const at = text.indexOf(separator);
  return at < 0 ? { id: text, home: undefined } : { id: text.slice(0, at), home: text.slice(at + separator.length) };
}

export const spelled = (id: string, tag: string): string => `${id}${separator}${tag}`;

/** Whether a tag, which may be longer or shorter than the home's own, or a DID names this home. */
export function isNamedBy(home: string, named: string): boolean {
  if (named.startsWith('did:')) return parseDid(named) === home;
  return named.length >= shortest && charactersOf(home).startsWith(named);
}
