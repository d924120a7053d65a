/**
 * Receipts for requests that wait for settlement, and for views. The newest are in memory. While another process settles,
 * they are polled from the store for as long as requests wait.
 */
import { LRUCache } from 'lru-cache';
import type { Environment } from '../../core/environment.js';
import type { NumberedEntry, Receipt } from '../../store/entry.js';
import type { StoreReader } from '../../store/store.js';

export interface ReceiptQueueOptions {
  readonly store: Pick<StoreReader, 'receipt' | 'entryByEvent'>;
  readonly world: Environment;
  readonly waitMs: number;
}

interface Waiters {
  /** Of the entry. */
  readonly seq: number;
  readonly wakes: ((receipt: Receipt | undefined) => void)[];
}

const kept = 20_000;
/** Marks an entry without moves, which has no receipt. */
const nothingMoved = '';

export class ReceiptQueue {
  readonly #byEntry = new LRUCache<string, Receipt>({ max: kept });
  readonly #entryOf = new LRUCache<string, string>({ max: kept });
  readonly #waiting = new Map<string, Waiters>();
  /** Number of the first entry that will get no receipt. */
  #last = Number.POSITIVE_INFINITY;

  constructor(private readonly options: ReceiptQueueOptions) {}

  settled(receipts: readonly Receipt[]): void {
    for (const receipt of receipts) {
      this.#byEntry.set(receipt.entryHash, receipt);
      this.#wake(receipt.entryHash, receipt);
    }
  }

  giveUp(seq: number): void {
    this.#last = seq;
    for (const [entryHash, waiters] of this.#waiting) if (waiters.seq >= seq) this.#wake(entryHash, undefined);
  }

  #wake(entryHash: string, receipt: Receipt | undefined): void {
    const waiters = this.#waiting.get(entryHash);
    this.#waiting.delete(entryHash);
    for (const wake of waiters?.wakes ?? []) wake(receipt);
  }

  /** Waits for the receipt of an entry. @returns undefined when none came in time, or none will come */
  async wait({ entryHash, seq }: NumberedEntry): Promise<Receipt | undefined> {
    const known = this.#byEntry.get(entryHash);
    if (known || this.options.waitMs === 0 || seq >= this.#last) return known;
    return new Promise((resolve) => {
      const timer = this.options.world.after(this.options.waitMs, () => {
        this.#waiting.delete(entryHash);
        resolve(undefined);
      });
      const wake = (receipt: Receipt | undefined) => {
        timer.cancel();
        resolve(receipt);
      };
      const others = this.#waiting.get(entryHash);
      if (others) others.wakes.push(wake);
      else this.#waiting.set(entryHash, { seq, wakes: [wake] });
    });
  }

  /** Remembers an entry, so that a view of it needs no read from the store. */
  noteEntry({ entryHash, core }: NumberedEntry): void {
    this.#entryOf.set(core.event.hash, core.moves.length > 0 ? entryHash : nothingMoved);
  }

  ofEvent(eventHash: string): Receipt | undefined | Promise<Receipt | undefined> {
    const entryHash = this.#entryOf.get(eventHash);
    if (entryHash === undefined) return this.#lookUp(eventHash);
    if (entryHash === nothingMoved) return undefined;
    return this.#byEntry.get(entryHash) ?? this.#stored(entryHash);
  }

  get hasWaiters(): boolean {
    return this.#waiting.size > 0;
  }

  async pollStore(): Promise<void> {
    for (const entryHash of [...this.#waiting.keys()]) {
      const found = await this.options.store.receipt(entryHash);
      if (found) this.settled([found]);
    }
  }

  async #lookUp(eventHash: string): Promise<Receipt | undefined> {
    const entry = await this.options.store.entryByEvent(eventHash);
    if (!entry) return undefined;
    this.noteEntry(entry);
    return this.ofEvent(eventHash);
  }

  async #stored(entryHash: string): Promise<Receipt | undefined> {
    const found = await this.options.store.receipt(entryHash);
    if (found) this.#byEntry.set(entryHash, found);
    return found;
  }
}
