/** Suggests the name that a caller probably meant. */

/** The longest name for which a suggestion is made. */
const longest = 40;

/** Letters and digits only: `release_rules` is as good as `releaseRules`. */
const plain = (name: string): string => name.toLowerCase().replaceAll('_', '').replaceAll('-', '');

/** Undefined if none is near: at most two of five letters may differ. @param most letters that may differ */
export function nearest(name: string, candidates: readonly string[], most?: number): string | undefined {
  if (name.length > longest) return undefined;
  const given = plain(name);
  let best: string | undefined;
  let least = (most ?? Math.floor(given.length * 0.4)) + 1;
  for (const candidate of candidates) {
    const distance = editDistance(given, plain(candidate));
    if (distance < least) [best, least] = [candidate, distance];
  }
  return best;
}

/** The letters in which a misspelling of a word differs from it. */
const slips = (given: string): number => (given.length > 6 ? 2 : 1);

interface SuggestedNames {
  readonly names: readonly string[];
  readonly aliases: readonly string[];
  /** Members of the objects inside: `terms.arbiter`. */
  readonly inside: readonly string[];
}

/**
 * The member that a caller meant by an unknown name: a misspelling, a longer name (`type` is `taskType`, and not
 * `prototype`), a member of an object inside, or the nearest name.
 */
export function meantBy(name: string, { names, aliases, inside }: SuggestedNames): string | undefined {
  if (name.length > longest) return undefined;
  const given = plain(name);
  const own = [...names, ...aliases];
  const last = name.charAt(0).toUpperCase() + name.slice(1);
  return (
    // A change of a short name leaves nothing of it: `to` is not `ts`.
    nearest(name, own, given.length < 4 ? 0 : 1) ??
    names.find((each) => each.endsWith(last)) ??
    inside.find((path) => plain(path.slice(path.lastIndexOf('.') + 1)) === given) ??
    nearest(name, own)
  );
}

/**
 * The word that the text is a misspelling of. Stricter than `nearest`, because the caller may mean another word: `cash`
 * is not `hash`, and `mutual` is not `manual`.
 */
export function misspelt(text: string, words: readonly string[]): string | undefined {
  if (text.length > longest) return undefined;
  const given = plain(text.trim());
  const most = slips(given);
  return words.find((word) => {
    const meant = plain(word);
    return given[0] === meant[0] && Math.abs(given.length - meant.length) <= most && editDistance(given, meant) <= most;
  });
}

/** Letters inserted, deleted, changed, or swapped with the next one (optimal string alignment). */
function editDistance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, i) => i);
  for (let i = 1; i <= one.length; i++) {
    const next = [i];
    for (let j = 1; j <= other.length; j++) {
      const changed = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1);
      const isSwapped = one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1, isSwapped ? before[j - 2]! + 1 : changed));
    }
    [before, row] = [row, next];
  }
  return row[other.length]!;
}
