/** Checks the newest entries of the journal: each entry by itself, and its link to the one before. */

import type { NumberedEntry } from '../../store/entry.js';
import { followsFrom } from '../../store/journal-end.js';
import { violationOfPlace } from '../../verify/beginning.js';
import { violationInText } from '../../verify/entry-text.js';

/**
 * The first invalid entry, in a sentence.
 * @param home home of the journal; undefined if it is empty
 */
export function violationOfEntries(newest: readonly NumberedEntry[], home: string | undefined): string | undefined {
  for (const [index, entry] of newest.entries()) {
    if (!followsFrom(newest[index - 1], entry)) return `entry ${entry.seq} does not follow from the one before it`;
    const flaw = home !== undefined && violationAlone(entry, home);
    if (flaw) return `entry ${entry.seq} was changed: ${flaw}`;
  }
  return undefined;
}

function violationAlone(entry: NumberedEntry, home: string): string | undefined {
  try {
    return violationInText(entry) ?? violationOfPlace(entry, home);
  } catch {
    return 'it can no longer be read';
  }
}
