/**
 * Groups the lines of a feed into batches and folds their hash chain. Entries count as followed only once their home has
 * signed a checkpoint behind them.
 */
import { feedBounds } from '../../core/bounds.js';
import { chainHashOf } from '../../store/entry.js';
import type { JournalHead } from '../../store/store.js';
import type { FeedEnd, FeedEntry } from './line.js';
import { parseFeedLine } from './line.js';

/** An entry of a feed, with the chain hash that its follower has computed. */
export type ChainLink = FeedEntry &
  JournalHead & {
    /** Of a line with a card. */
    readonly bytes?: number;
  };

/** A checkpoint, and the entries since the one before. */
export interface FeedBatch {
  readonly end: FeedEnd;
  readonly links: readonly ChainLink[];
  /** The newest entry before the checkpoint. */
  readonly last: JournalHead;
  /** The checkpoint's line as received. */
  readonly line: string;
}

/** A line that is malformed or out of place, so that an honest home would not send it. */
export interface BadLine {
  readonly flaw: string;
  /** Number of the entry, or the expected number if the line is no entry. */
  readonly seq: number;
  readonly line: string;
}

export class FeedBatches {
  #links: ChainLink[] = [];
  /** Bytes of the lines that no checkpoint covers yet. */
  #bytes = 0;
  #last: JournalHead;

  /** @param start the newest followed entry */
  constructor(start: JournalHead) {
    this.#last = start;
  }

  /** Number of the entry that comes next. */
  get expected(): number {
    return this.#last.seq + 1;
  }

  /** Takes the next line. Returns undefined for an entry, which waits for its checkpoint. */
  take(line: string): FeedBatch | BadLine | undefined {
    const last = this.#last;
    const bad = (flaw: string): BadLine => ({ flaw, seq: this.expected, line });
    const parsed = parseFeedLine(line);
    if (typeof parsed === 'string') return bad(`it ${parsed}`);
    if ('end' in parsed) {
      const links = this.#links;
      this.#links = [];
      this.#bytes = 0;
      return { end: parsed.end, links, last, line };
    }
    const { entry } = parsed;
    const { seq, entryHash } = entry;
    if (seq !== last.seq + 1) return bad(`its number is ${seq}, after ${last.seq}`);
    const bytes = Buffer.byteLength(line);
    this.#bytes += bytes;
    if (this.#links.length >= feedBounds.batchEntries || this.#bytes > feedBounds.uncoveredBytes)
      return bad('it comes after too many entries that no checkpoint covers');
    const chainHash = chainHashOf(seq, last.chainHash, entryHash);
    const link = entry.part ? { ...entry, chainHash, bytes } : { seq, entryHash, chainHash };
    this.#last = link;
    this.#links.push(link);
    return undefined;
  }
}

/**
 * Joins batches that have arrived together, up to the size of one: the last checkpoint covers the entries of all, so they
 * need one check of a signature and one write. A checkpoint that is not of the entries before it is left alone, so that it
 * is found.
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
  const links = [...one.links, ...next.links];
  return isOfItsEntries && isOfOneHome && links.length <= feedBounds.batchEntries ? { ...next, links } : undefined;
}
