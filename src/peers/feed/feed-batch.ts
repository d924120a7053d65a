/** Lines of a feed as batches: entries are adopted once their home has signed for them. */
import { feedBounds } from '../../core/bounds.js';
import type { JournalHead } from '../../store/store.js';
import type { FeedEntry } from '../replica/replica.js';
import { type FeedEnd, parseFeedLine } from './line.js';

/** A checkpoint, with the entries since the one before. */
export interface FeedBatch {
  readonly end: FeedEnd;
  readonly entries: readonly FeedEntry[];
  /** Number and chain hash of the last entry that has come, as its line says. */
  readonly last: JournalHead;
  /** As it came. */
  readonly line: string;
}

/** What a home does not send. */
export interface BadLine {
  readonly flaw: string;
  /** Number of the entry, or that which was expected. */
  readonly seq: number;
  readonly line: string;
}

export class FeedBatches {
  #entries: FeedEntry[] = [];
  #characters = 0;
  #last: JournalHead;

  /** @param start the newest entry that was adopted @param onEntry called with each entry as it comes */
  constructor(
    start: JournalHead,
    private readonly onEntry: (entry: FeedEntry) => void = () => {},
  ) {
    this.#last = start;
  }

  /** Takes the next line. Undefined: an entry that waits for its checkpoint. */
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
    if (this.#characters > feedBounds.batchBytes) return bad('it comes after too much that no checkpoint covers');
    this.#last = { seq, chainHash };
    this.#entries.push(parsed.entry);
    this.onEntry(parsed.entry);
    return undefined;
  }
}
