/** Checks the newest entries of the journal: each entry by itself, and its link to the one before. */

import type { NumberedEntry } from '../../store/entry.js';
import { followsFrom } from '../../store/journal-end.js';
import { violationInText } from '../../verify/entry-text.js';
import { HomeRule } from '../../verify/home-rule.js';

/**
 * The first invalid entry, in a sentence.
 * @param home of the journal, as its first entry names it
 */
export function flawOfEntries(newest: readonly NumberedEntry[], home: string | undefined): string | undefined {
  const rule = new HomeRule(home);
  for (const [index, entry] of newest.entries()) {
    if (!followsFrom(newest[index - 1], entry)) return `entry ${entry.seq} does not follow from the one before it`;
    const flaw = flawAlone(entry, rule);
    if (flaw) return `entry ${entry.seq} was changed: ${flaw}`;
  }
  return undefined;
}

function flawAlone(entry: NumberedEntry, rule: HomeRule): string | undefined {
  try {
    const flaw = violationInText(entry) ?? rule.flawOf(entry.core);
    if (flaw === undefined) rule.saw(entry.core);
    return flaw;
  } catch {
    return 'it cannot be read any more';
  }
}
