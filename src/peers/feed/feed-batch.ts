/**
 * Groups the lines of a feed into batches, because entries are adopted only once their home has signed a checkpoint
 * behind them.
 */
import { feedBounds } from '../../core/bounds.js';
import type { JournalHead } from '../../store/store.js';
import type { FeedEntry } from '../replica/replica.js';
import { type FeedEnd, parseFeedLine } from './line.js';

/** A checkpoint, and the entries since the one before. */
export interface FeedBatch {
  readonly end: FeedEnd;
  readonly entries: readonly FeedEntry[];
  /** Number and chain hash of the last entry received, as its line states them. */
  readonly last: JournalHead;
  /** The checkpoint's line as received. */
  readonly line: string;
}

/**
 * Joins batches that have arrived together, up to the size of one: the last checkpoint covers the entries of all, so they
 * need one check of a signature and one transaction. A checkpoint that is not of the entries before it is left alone, so that
 * it is found.
 */
export function joined(taken: readonly (FeedBatch | BadLine)[]): readonly (FeedBatch | BadLine)[] {
  const all: (FeedBatch | BadLine)[] = [];
  for (const each of taken) {
    const one = all.at(-1) && joinedBatch(all.at(-1)!, each);
    if (one) all[all.length - 1] = one;
    else all.push(each);
  }
  return all;
}

function joinedBatch(one: FeedBatch | BadLine, next: FeedBatch | BadLine): FeedBatch | undefined {
  if ('flaw' in one || 'flaw' in next) return undefined;
  const [{ checkpoint }, after] = [one.end, next.end.checkpoint];
  const isOfItsEntries = checkpoint.seq === one.last.seq && checkpoint.chainHash === one.last.chainHash;
  const isOfOneHome = checkpoint.home === after.home && checkpoint.network === after.network;
  const entries = [...one.entries, ...next.entries];
  return isOfItsEntries && isOfOneHome && entries.length <= feedBounds.batchEntries ? { ...next, entries } : undefined;
}

/** A line that is malformed or out of place, so that an honest home would not send it. */
export interface BadLine {
  readonly flaw: string;
  /** Number of the entry, or the expected number if the line is no entry. */
  readonly seq: number;
  readonly line: string;
}

export class FeedBatches {
  #entries: FeedEntry[] = [];
  #characters = 0;
  #last: JournalHead;

  /** @param start the newest adopted entry @param onEntry called with each entry as it arrives */
  constructor(
    start: JournalHead,
    private readonly onEntry: (entry: FeedEntry) => void = () => {},
  ) {
    this.#last = start;
  }

  /** Takes the next line. Returns undefined for an entry, which waits for its checkpoint. */
  take(line: string): FeedBatch | BadLine | undefined {
    const last = this.#last;
    const bad = (flaw: string): BadLine => ({ flaw, seq: last.seq + 1, line });
    const parsed = parseFeedLine(line, last.chainHash);
    if (typeof parsed === 'string') return bad(`it ${parsed}`);
    if ('end' in parsed) {
      const entries = this.#entries;
      this.#entries = [];
      this.#characters = 0;
      return { end: parsed.end, entries, last, line };
    }
    const { seq, chainHash } = parsed.entry.entry;
    if (seq !== last.seq + 1) return bad(`its number is ${seq}, after ${last.seq}`);
    this.#characters += line.length;
    if (this.#characters > feedBounds.batchBytes)
      return bad('it comes after too many entries that no checkpoint covers');
    this.#last = { seq, chainHash };
    this.#entries.push(parsed.entry);
    this.onEntry(parsed.entry);
    return undefined;
  }
}
