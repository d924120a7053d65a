/**
 * The reference store: the expected answers of every adapter in the plainest form, where the simulation injects delays,
 * failures and lost replies (docs/ARCHITECTURE.md#the-store). It outlives only its `MemoryStore`: `survivor()` is the store
 * that the next process finds.
 */
import { type Environment, pause, realEnvironment } from '../../core/environment.js';
import { assert } from '../../core/refusal.js';
import { keysOf, type Receipt } from '../entry.js';
import type { OwnerRank, SearchEntry } from '../search.js';
import { type AppendResult, type Commit, mustContinue, type PlacedCommit, type Store, StoreFault } from '../store.js';
import { MemoryReader } from './reader.js';
import { Tables } from './tables.js';

export interface Disturbance {
  /** Milliseconds of the given environment before anything is written. */
  readonly delayMs?: number;
  /**
   * `fail`: nothing is written and the call rejects with StoreFault; the store is dead for writing from then on.
   * `lose`: everything is written, yet the call rejects the same way: the reply was lost.
   * `refuse`: nothing is written and every commit is answered as lost to another writer of its nonce.
   */
  readonly outcome?: 'fail' | 'lose' | 'refuse';
}

/** Called once for each append, in order. Undefined: no fault. */
export type Disturb = (commits: readonly Commit[]) => Disturbance | undefined;

export interface MemoryOptions {
  /** False: behaves like a store shared with other processes, so that actors wait for their commits. Default true. */
  readonly exclusive?: boolean;
  readonly disturb?: Disturb;
  /** The environment whose clock delays use. */
  readonly world?: Environment;
  /** Data of another MemoryStore, to act as several processes on one database. */
  readonly tables?: Tables;
}

export class MemoryStore extends MemoryReader implements Store {
  readonly kind = 'memory';
  readonly durability = 'none: everything ends with the process';
  readonly exclusive: boolean;
  readonly #options: MemoryOptions;
  /** Calls take effect in the order in which they were made, whatever their delays. */
  #last: Promise<unknown> = Promise.resolve();
  #dead: StoreFault | undefined;
  #sayLost!: (fault: StoreFault) => void;
  readonly lost = new Promise<StoreFault>((resolve) => {
    this.#sayLost = resolve;
  });

  constructor(options: MemoryOptions = {}) {
    super(options.tables ?? new Tables());
    this.exclusive = options.exclusive ?? true;
    this.#options = options;
  }

  /** A new store on the same data, as a restarted process finds it. */
  survivor(options: Omit<MemoryOptions, 'tables'> = this.#options): MemoryStore {
    return new MemoryStore({ ...options, tables: this.tables });
  }

  append(commits: readonly Commit[]): Promise<readonly AppendResult[]> {
    return this.#inOrder(async () => {
      const { delayMs, outcome } = this.#options.disturb?.(commits) ?? {};
      if (delayMs !== undefined) await pause(this.#options.world ?? realEnvironment, delayMs);
      if (this.#dead) throw this.#dead;
      if (outcome === 'fail') this.#die('append failed, as the simulation asked');
      if (outcome === 'refuse') return commits.map(({ entry }) => ({ ok: false, taken: keysOf(entry.core)[0]! }));
      const results = this.#orDie(() => commits.map((commit) => this.tables.append(commit)));
      if (outcome === 'lose') this.#die('the reply of an append was lost, as the simulation asked');
      return results;
    });
  }

  takeOver(commits: readonly PlacedCommit[]): Promise<void> {
    return this.#inOrder(async () => {
      mustContinue(await this.head(), commits);
      this.#orDie(() => {
        for (const commit of commits) assert(this.tables.append(commit).ok, 'what was accepted there is accepted here');
      });
    });
  }

  appendReceipts(receipts: readonly Receipt[]): Promise<void> {
    return this.#inOrder(() => {
      for (const receipt of receipts) this.tables.appendReceipt(receipt);
    });
  }

  putLocal(table: string, id: string, value: object, revision: number): Promise<boolean> {
    return this.#inOrder(() => {
      const records = this.tables.local.get(table) ?? new Map();
      if ((records.get(id)?.revision ?? 0) !== revision) return false;
      records.set(id, { revision: revision + 1, text: JSON.stringify(value) });
      this.tables.local.set(table, records);
      return true;
    });
  }

  deleteLocal(table: string, id: string): Promise<boolean> {
    return this.#inOrder(() => this.tables.local.get(table)?.delete(id) ?? false);
  }

  rebuildSearch(rules: string, pages: AsyncIterable<readonly SearchEntry[]>): Promise<void> {
    return this.#inOrder(async () => {
      const { search } = this.tables;
      search.clear();
      for await (const page of pages) for (const entry of page) search.keep(entry);
      search.rules = rules;
    });
  }

  rankOwners(ranks: readonly OwnerRank[]): Promise<void> {
    return this.#inOrder(() => this.tables.search.rank(ranks));
  }

  async freeBytes(): Promise<undefined> {
    return undefined;
  }

  async close(): Promise<void> {
    await this.#last;
    this.#dead ??= new StoreFault('the store is closed');
  }

  #inOrder<T>(call: () => T | Promise<T>): Promise<T> {
    const result = this.#last.then(() => {
      if (this.#dead) throw this.#dead;
      return call();
    });
    // The next call waits for this one. A failure is reported to this call's own caller only.
    this.#last = result.catch(() => {});
    return result;
  }

  #orDie<T>(call: () => T): T {
    try {
      return call();
    } catch (cause) {
      return this.#die(cause instanceof Error ? cause.message : String(cause), cause);
    }
  }

  #die(message: string, cause?: unknown): never {
    this.#dead = new StoreFault(message, { cause });
    this.#sayLost(this.#dead);
    throw this.#dead;
  }
}
