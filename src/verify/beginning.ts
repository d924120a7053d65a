/**
 * The beginning of a journal (docs/reference/events-and-entries.md#home), which readers of a part of the journal need:
 * it determines the journal's home, and which of its events may lack a home.
 */
import { homeOf, type NumberedEntry } from '../store/entry.js';
import { HomeRule } from '../store/home-rule.js';
import type { StoreReader } from '../store/store.js';
import { type Violation, violationInText } from './entry-text.js';

export interface JournalBeginning {
  /** Home of the journal. */
  readonly home: string;
  /** Number of the first entry whose event contains the home; infinite if none does. */
  readonly namedFrom: number;
}

type Journal = Pick<StoreReader, 'entries' | 'head'>;

/** @returns undefined for an empty journal; a violation if the first entry can't begin a journal */
export async function beginningOf(journal: Journal): Promise<JournalBeginning | Violation | undefined> {
  const [first] = await journal.entries({ after: 0, limit: 1 });
  if (!first) return undefined;
  const flaw = violationOfFirst(first);
  return flaw ?? { home: homeOf(first.core), namedFrom: await firstNamed(journal) };
}

/** Checks a first entry by itself. */
export const violationOfFirst = (first: NumberedEntry): Violation | undefined =>
  violationInText(first) ?? new HomeRule().violationOf(first.core, true);

/** Why an entry's event may not be in this journal at this position. */
export function violationOfPlace(
  { seq, core }: NumberedEntry,
  { home, namedFrom }: JournalBeginning,
): Violation | undefined {
  return new HomeRule(home, seq > namedFrom).violationOf(core, seq === 1);
}

/** Bisects, because after the first event that contains the home, all events do. */
async function firstNamed(journal: Journal): Promise<number> {
  const isNamed = async (seq: number) => {
    const [entry] = await journal.entries({ after: seq - 1, limit: 1 });
    return entry?.core.event.home !== undefined;
  };
  const { seq } = await journal.head();
  if (await isNamed(1)) return 1;
  let [before, from] = [1, seq + 1];
  while (from - before > 1) {
    const middle = Math.floor((before + from) / 2);
    if (await isNamed(middle)) from = middle;
    else before = middle;
  }
  return from > seq ? Number.POSITIVE_INFINITY : from;
}
