/**
 * The journal as the chain knows it: one operation a move, numbered from 1, and a running head over all of them. A
 * point is the stream up to an entry; entries are never parted, so every batch ends at one.
 */
import type { NumberedEntry } from '../../store/entry.js';
import type { StoreReader } from '../../store/store.js';
import { packOperation } from '../operation.js';
import { genesisHead, nextHead } from '../operation-batch.js';

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

/** An entry with the operations that it adds. */
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

/** Numbered entries in order; the newest come from memory, where this process has seen them. */
export class JournalTail {
  readonly #newest = new Map<number, NumberedEntry>();
  /** The highest that this process was told of, in whichever order: nothing is behind it yet. */
  #last = -1;

  constructor(
    private readonly store: Pick<StoreReader, 'entries'>,
    private readonly kept: number,
  ) {}

  push(entry: NumberedEntry): void {
    this.#last = Math.max(this.#last, entry.seq);
    this.#newest.set(entry.seq, entry);
    if (this.#newest.size > this.kept) this.#newest.delete(this.#newest.keys().next().value!);
  }

  /** What is settled is not asked for again. */
  forget(upTo: number): void {
    for (const seq of this.#newest.keys()) {
      if (seq > upTo) break;
      this.#newest.delete(seq);
    }
  }

  /** The next ones, without a gap; none: the journal ends there, as far as this process was told. */
  async after(seq: number, limit: number): Promise<readonly NumberedEntry[]> {
    // Asking the store at the end of each batch would wake its reader for nothing.
    return seq === this.#last ? [] : this.#read(seq, limit);
  }

  /** From a point to the end of the journal, or to where the reader stops; what another process has just written too. */
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
      const entry = this.#newest.get(next);
      if (!entry) break;
      found.push(entry);
    }
    return found.length > 0 ? found : this.store.entries({ after: seq, limit: Math.min(limit, pageSize) });
  }
}
