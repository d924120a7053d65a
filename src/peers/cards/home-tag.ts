/**
 * Tags of homes: `lst-1~3kQ9xT2b` is the listing `lst-1` of the home whose DID continues with `3kQ9xT2b`
 * (docs/reference/other-homes.md#spelling).
 */

/** What all DIDs begin with, before the characters of the key. */
export const beforeTag = 'did:svc:z6Mk';

/** Characters of the shortest tag. */
const shortest = 8;

const keyOf = (home: string): string => home.slice(beforeTag.length);

/** The shortest tag of at least 8 characters that no other home has. */
export function tagOf(home: string, others: Iterable<string>): string {
  let length = shortest;
  for (const other of others) {
    if (other === home) continue;
    while (length < keyOf(home).length && keyOf(other).startsWith(keyOf(home).slice(0, length))) length++;
  }
  return keyOf(home).slice(0, length);
}

/** The beginning of the DIDs that a tag or a DID names; undefined for any other text. */
export function namedBeginning(text: string): string | undefined {
  if (text.startsWith(beforeTag)) return text;
  return text.length >= shortest && /^[1-9A-HJ-NP-Za-km-z]+$/.test(text) ? `${beforeTag}${text}` : undefined;
}
