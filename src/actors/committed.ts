/**
 * What readers see: committed state only, cached. A head may run ahead of the disk; nothing built on it may be told.
 */
import { LRUCache } from 'lru-cache';
import { type Account, type Snapshot, type StoreReader, unseenAccount } from '../store/store.js';
import { weightOf } from './weight.js';

export interface CommittedBounds {
  /** Resources, and accounts. */
  readonly count: number;
  /** All resources together, roughly. */
  readonly bytes: number;
}

export class Committed {
  readonly #resources: LRUCache<string, Snapshot> | undefined;
  readonly #accounts: LRUCache<string, Account> | undefined;
  /** Counts acknowledged entries: a read that one overtook is not kept. */
  #acknowledged = 0;

  constructor(
    private readonly store: StoreReader,
    /** Absent: nothing is cached, because other processes write to the store as well. */
    bounds?: CommittedBounds,
  ) {
    if (!bounds) return;
    const { count, bytes } = bounds;
    // A size is at least 1.
    const sizeCalculation = ({ context }: Snapshot) => weightOf(context) || 1;
    this.#resources = new LRUCache({ max: count, maxSize: bytes, sizeCalculation });
    this.#accounts = new LRUCache({ max: count });
  }

  /** Synchronous when cached, so that a hot read costs no promise. */
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
   * An entry is on disk: its snapshots replace older ones, its accounts are read again when asked for.
   * @param weights of the snapshots, where they are known: see weightOf
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
