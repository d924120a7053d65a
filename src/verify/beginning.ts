/** The beginning of a journal (docs/reference/events-and-entries.md#home), which determines its home. */
import type { NumberedEntry } from '../store/entry.js';
import { HomeRule } from '../store/home-rule.js';
import type { StoreReader } from '../store/store.js';
import { type Violation, violationInText } from './entry-text.js';

/** @returns the home; undefined for an empty journal; a violation if the first entry can't begin a journal */
export async function beginningOf(
  journal: Pick<StoreReader, 'entries'>,
): Promise<{ readonly home: string } | Violation | undefined> {
  const [first] = await journal.entries({ after: 0, limit: 1 });
  return first && (violationOfFirst(first) ?? { home: first.core.event.home });
}

/** Checks a first entry by itself. */
export const violationOfFirst = (first: NumberedEntry): Violation | undefined =>
  violationInText(first) ?? violationOfPlace(first, first.core.event.home);

/** Why an entry's event may not be in the journal of this home at this position. */
export const violationOfPlace = ({ seq, core }: NumberedEntry, home: string): Violation | undefined =>
  new HomeRule(home).violationOf(core, seq === 1);
