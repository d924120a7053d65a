/** The end of the journal, looked at without the whole: each entry by itself, and its place. */
import { flawOfText } from '../../actors/replay.js';
import type { NumberedEntry } from '../../store/entry.js';
import { followsFrom } from '../../store/journal-end.js';

/** The first of them that is not sound, in a sentence. */
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
    return flawOfText(entry);
  } catch {
    return 'it cannot be read any more';
  }
}
