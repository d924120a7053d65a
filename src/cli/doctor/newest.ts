/** Checks the newest entries of the journal: each entry by itself, and its link to the one before. */

import type { NumberedEntry } from '../../store/entry.js';
import { followsFrom } from '../../store/journal-end.js';
import { violationInText } from '../../verify/replay.js';

/** The first invalid entry, in a sentence. */
export function flawOfEntries(newest: readonly NumberedEntry[]): string | undefined {
  for (const [index, entry] of newest.entries()) {
    if (!followsFrom(newest[index - 1], entry)) return `entry ${entry.seq} does not follow from the one before it`;
    const flaw = flawAlone(entry);
    if (flaw) return `entry ${entry.seq} was changed: ${flaw}`;
  }
  return undefined;
}

function flawAlone(entry: NumberedEntry): string | undefined {
  try {
    return violationInText(entry);
  } catch {
    return 'it cannot be read any more';
  }
}
