/**
 * The stream of operations: one for each move of the journal, numbered from 1, with a running hash (the head). A point is
 * the state of the stream after an entry. Entries are never split, so every batch ends at a point.
 */
import { LRUCache } from 'lru-cache';
import type { NumberedEntry } from '../../store/entry.js';
import type { StoreReader } from '../../store/store.js';
import { packOperation } from '../operations/operation.js';
import { genesisHead, nextHead } from '../operations/operation-batch.js';

export interface StreamPoint {
  /** Number of the last entry; 0 before the first. */
  readonly entry: number;
  /** Number of the last operation; 0 before the first. */
  readonly operation: number;
  /** The stream's time: the running maximum of the entries' times, epoch ms. */
  readonly timeMs: number;
  /** Hex. */
  readonly head: string;
}

/** An entry with its packed operations, and the points before and after it. */
export interface StreamEntry {
  readonly entry: NumberedEntry;
  readonly operations: readonly Buffer[];
  readonly before: StreamPoint;
  readonly after: StreamPoint;
}

export const streamStart = (network: string): StreamPoint => ({
  entry: 0,
  operation: 0,
  timeMs: 0,
  head: genesisHead(network).toString('hex'),
});

export function advance(before: StreamPoint, entry: NumberedEntry): StreamEntry {
  const { moves } = entry.core;
  if (moves.length === 0) return { entry, operations: [], before, after: { ...before, entry: entry.seq } };
  const timeMs = Math.max(before.timeMs, entry.core.time);
  const operations = moves.map((move) => packOperation({ move, time: timeMs, entryHash: entry.entryHash }));
  let head: Buffer = Buffer.from(before.head, 'hex');
  for (const operation of operations) head = nextHead(head, operation);
  const after = {
    entry: entry.seq,
    operation: before.operation + operations.length,
    timeMs,
    head: head.toString('hex'),
  };
  return { entry, operations, before, after };
}

const pageSize = 100;

/** Reads numbered entries in order; the newest come from memory when this process has seen them. */
export class JournalTail {
  readonly #newest: LRUCache<number, NumberedEntry>;
  /** The highest entry number that this process has seen, in any order. */
  #last = -1;

  constructor(
    private readonly store: Pick<StoreReader, 'entries'>,
    kept: number,
  ) {
    this.#newest = new LRUCache({ max: Math.max(1, kept) });
  }

  push(entry: NumberedEntry): void {
    this.#last = Math.max(this.#last, entry.seq);
    this.#newest.set(entry.seq, entry);
  }

  forget(upTo: number): void {
    for (const seq of this.#newest.rkeys()) {
      if (seq > upTo) break;
      this.#newest.delete(seq);
    }
  }

  /** The next entries without a gap; empty at the end of the journal, as far as this process knows it. */
  async after(seq: number, limit: number): Promise<readonly NumberedEntry[]> {
    // Saves a read from the store at the end of each batch.
    return seq === this.#last ? [] : this.#read(seq, limit);
  }

  /** Yields entries from a point to the end of the journal, including those of other processes. */
  async *from(point: StreamPoint): AsyncGenerator<StreamEntry> {
    let at = point;
    for (;;) {
      const page = await this.#read(at.entry, pageSize);
      if (page.length === 0) return;
      for (const entry of page) {
        const next = advance(at, entry);
        yield next;
        at = next.after;
      }
    }
  }

  async #read(seq: number, limit: number): Promise<readonly NumberedEntry[]> {
    const found: NumberedEntry[] = [];
    for (let next = seq + 1; found.length < limit; next++) {
      const entry = this.#newest.peek(next);
      if (!entry) break;
      found.push(entry);
    }
    return found.length > 0 ? found : this.store.entries({ after: seq, limit: Math.min(limit, pageSize) });
  }
}
