/**
 * What readers see: committed state only, cached. The in-memory state of an actor may be ahead of the disk; replies
 * must not depend on it.
 */
import { LRUCache } from 'lru-cache';
import { type Account, type Snapshot, type StoreReader, unseenAccount } from '../store/store.js';
import { weightOf } from './weight.js';

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
    if (cache && value !== undefined && value !== null && before === this.#acknowledged) cache.set(key, value);
    return value;
  }

  /**
   * Called when an entry is on disk: its snapshots replace older ones, its accounts are dropped and read again on
   * demand.
   * @param weights of the snapshots, if known: see weightOf
   */
  acknowledge(snapshots: readonly Snapshot[], dids: Iterable<string>, weights?: readonly number[]): void {
    this.#acknowledged++;
    for (const [index, snapshot] of snapshots.entries()) {
      const weight = weights?.[index];
      const ref = `${snapshot.kind}/${snapshot.id}`;
      this.#resources?.set(ref, snapshot, weight === undefined ? {} : { size: weight || 1 });
    }
    for (const did of dids) this.#accounts?.delete(did);
  }
}
