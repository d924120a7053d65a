/**
 * What readers see: committed state only, cached. A head may run ahead of the disk; nothing built on it may be told.
 */
import type { Account, Snapshot, StoreReader } from '../store/store.js';
import { unseenAccount } from './heads.js';

class Recent<V> {
  readonly #values = new Map<string, V>();
  constructor(private readonly bound: number) {}

  get(key: string): V | undefined {
    return this.#values.get(key);
  }

  set(key: string, value: V): void {
    this.#values.delete(key);
    this.#values.set(key, value);
    if (this.#values.size > this.bound) {
      for (const oldest of this.#values.keys()) {
        this.#values.delete(oldest);
        break;
      }
    }
  }

  delete(key: string): void {
    this.#values.delete(key);
  }
}

export class Committed {
  readonly #resources: Recent<Snapshot>;
  readonly #accounts: Recent<Account>;
  /** Counts acknowledged entries: a read that one overtook is not kept. */
  #acknowledged = 0;

  constructor(
    private readonly store: StoreReader,
    bound: number,
  ) {
    this.#resources = new Recent(bound);
    this.#accounts = new Recent(bound);
  }

  /** Synchronous when cached, so that a hot read costs no promise. */
  resource(kind: string, id: string): Snapshot | undefined | Promise<Snapshot | undefined> {
    return (
      this.#resources.get(`${kind}/${id}`) ??
      this.#read(this.#resources, `${kind}/${id}`, () => this.store.load(kind, id))
    );
  }

  account(did: string): Account | Promise<Account> {
    return (
      this.#accounts.get(did) ??
      this.#read(this.#accounts, did, async () => (await this.store.account(did)) ?? unseenAccount(did))
    );
  }

  async #read<V>(cache: Recent<NonNullable<V>>, key: string, read: () => Promise<V>): Promise<V> {
    const before = this.#acknowledged;
    const value = await read();
    if (value !== undefined && value !== null && before === this.#acknowledged) cache.set(key, value);
    return value;
  }

  /** An entry is on disk: its snapshots replace older ones, its accounts are read again when asked for. */
  acknowledge(snapshots: readonly Snapshot[], dids: Iterable<string>): void {
    this.#acknowledged++;
    for (const snapshot of snapshots) this.#resources.set(`${snapshot.kind}/${snapshot.id}`, snapshot);
    for (const did of dids) this.#accounts.delete(did);
  }
}
