/**
 * Receipts for those who ask: requests that wait for one, and views. The newest are in memory, by the entry's number;
 * where another process settles they are read from the store while somebody waits.
 */
import { BoundedCache } from '../../keys/bounded-cache.js';
import type { NumberedEntry, Receipt } from '../../store/entry.js';
import type { StoreReader } from '../../store/store.js';
import type { World } from '../../world.js';

export interface ReceiptDeskOptions {
  readonly store: Pick<StoreReader, 'receipt' | 'entryByEvent'>;
  readonly world: World;
  readonly waitMs: number;
}

type Waiter = (receipt: Receipt) => void;

const kept = 20_000;
/** Stands for an entry without moves. */
const nothingMoved = '';

export class ReceiptDesk {
  readonly #byEntry = new BoundedCache<string, Receipt>(kept);
  readonly #entryOf = new BoundedCache<string, string>(kept);
  readonly #waiting = new Map<string, Waiter[]>();

  constructor(private readonly options: ReceiptDeskOptions) {}

  /** They are durable. */
  settled(receipts: readonly Receipt[]): void {
    for (const receipt of receipts) {
      this.#byEntry.set(receipt.entryHash, receipt);
      for (const wake of this.#waiting.get(receipt.entryHash) ?? []) wake(receipt);
      this.#waiting.delete(receipt.entryHash);
    }
  }

  /** @returns undefined where none came in time */
  async wait({ entryHash }: NumberedEntry): Promise<Receipt | undefined> {
    const known = this.#byEntry.get(entryHash);
    if (known || this.options.waitMs === 0) return known;
    return new Promise((resolve) => {
      const timer = this.options.world.after(this.options.waitMs, () => {
        this.#waiting.delete(entryHash);
        resolve(undefined);
      });
      const wake: Waiter = (receipt) => {
        timer.cancel();
        resolve(receipt);
      };
      const others = this.#waiting.get(entryHash);
      if (others) others.push(wake);
      else this.#waiting.set(entryHash, [wake]);
    });
  }

  /** A view of an entry that was just written asks for nothing on disk. */
  noteEntry({ entryHash, core }: NumberedEntry): void {
    this.#entryOf.set(core.event.hash, core.moves.length > 0 ? entryHash : nothingMoved);
  }

  ofEvent(eventHash: string): Receipt | undefined | Promise<Receipt | undefined> {
    const entryHash = this.#entryOf.get(eventHash);
    if (entryHash === undefined) return this.#lookUp(eventHash);
    if (entryHash === nothingMoved) return undefined;
    return this.#byEntry.get(entryHash) ?? this.#stored(entryHash);
  }

  get isWaitedAt(): boolean {
    return this.#waiting.size > 0;
  }

  /** Looks in the store for what somebody waits for: another process settles. */
  async look(): Promise<void> {
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
