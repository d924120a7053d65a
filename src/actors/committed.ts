/** The state that readers see: a cache of what is on disk, because readers must not see anything newer. */

import { LRUCache } from 'lru-cache';
import { type Account, type Snapshot, type StoreReader, unseenAccount } from '../store/store.js';
import { weightOf } from './actors.js';

export interface CommittedBounds {
  /** The most resources, and the most accounts. */
  readonly count: number;
  /** The most bytes of all resources together, approximately. */
  readonly bytes: number;
}

export class Committed {
  readonly #resources: LRUCache<string, Snapshot> | undefined;
  readonly #accounts: LRUCache<string, Account> | undefined;
  /** Counts committed entries: a read that began before one is not cached. */
  #acknowledged = 0;
  /**
   * How many appends under way change each resource or account. The store may show their entries already, so these are
   * not cached.
   */
  readonly #appending = new Map<string, number>();

  constructor(
    private readonly store: StoreReader,
    /** Undefined: nothing is cached, because other processes write to the store as well. */
    bounds?: CommittedBounds,
  ) {
    if (!bounds) return;
    const { count, bytes } = bounds;
    // lru-cache requires a size of at least 1.
    const sizeCalculation = ({ context }: Snapshot) => weightOf(context) || 1;
    this.#resources = new LRUCache({ max: count, maxSize: bytes, sizeCalculation });
    this.#accounts = new LRUCache({ max: count });
  }

  /** Synchronous if cached, so that a frequent read costs no promise. */
  resource(kind: string, id: string): Snapshot | undefined | Promise<Snapshot | undefined> {
    return (
      this.#resources?.get(`${kind}/${id}`) ??
      this.#read(this.#resources, `${kind}/${id}`, () => this.store.load(kind, id))
    );
  }

  account(did: string): Account | Promise<Account> {
    return (
      this.#accounts?.get(did) ??
      this.#read(this.#accounts, did, async () => (await this.store.account(did)) ?? unseenAccount(did))
    );
  }

  async #read<V>(cache: LRUCache<string, NonNullable<V>> | undefined, key: string, read: () => Promise<V>): Promise<V> {
    const before = this.#acknowledged;
    const value = await read();
    const isNewest = before === this.#acknowledged && !this.#appending.has(key);
    if (cache && value !== undefined && value !== null && isNewest) cache.set(key, value);
    return value;
  }

  /** Called before an append: what it changes is read from the store until the entry is acknowledged. */
  beginAppend(snapshots: readonly Snapshot[], dids: Iterable<string>): void {
    for (const { kind, id } of snapshots) this.#leave(this.#resources, `${kind}/${id}`);
    for (const did of dids) this.#leave(this.#accounts, did);
  }

  #leave(cache: LRUCache<string, Snapshot> | LRUCache<string, Account> | undefined, key: string): void {
    if (!cache) return;
    cache.delete(key);
    this.#appending.set(key, (this.#appending.get(key) ?? 0) + 1);
  }

  /**
   * Called when an entry is on disk: its snapshots are cached, its accounts are read again on demand.
   * @param weights of the snapshots, if known: see weightOf
   */
  acknowledge(snapshots: readonly Snapshot[], dids: Iterable<string>, weights?: readonly number[]): void {
    this.#acknowledged++;
    for (const [index, snapshot] of snapshots.entries()) {
      const weight = weights?.[index];
      const ref = `${snapshot.kind}/${snapshot.id}`;
      if (this.#isLast(ref)) this.#resources?.set(ref, snapshot, weight === undefined ? {} : { size: weight || 1 });
    }
    for (const did of dids) this.#isLast(did);
  }

  /** Ends one append of this key. @returns whether no other one is under way */
  #isLast(key: string): boolean {
    const left = (this.#appending.get(key) ?? 1) - 1;
    if (left > 0) this.#appending.set(key, left);
    else this.#appending.delete(key);
    return left === 0;
  }
}
