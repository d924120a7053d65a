/**
 * What readers see: committed state only, cached. A head may run ahead of the disk; nothing built on it may be told.
 */
import { type Account, type Snapshot, type StoreReader, unseenAccount } from '../store/store.js';
import { weightOf } from './weight.js';

export interface CommittedBounds {
  /** Resources, and accounts. */
  readonly count: number;
  /** All resources together, roughly. */
  readonly bytes: number;
}

class Recent<V> {
  readonly #kept = new Map<string, { readonly value: V; readonly bytes: number }>();
  #bytes = 0;

  constructor(
    private readonly bounds: CommittedBounds,
    private readonly weigh: (value: V) => number,
  ) {}

  get(key: string): V | undefined {
    return this.#kept.get(key)?.value;
  }

  set(key: string, value: V, bytes = this.weigh(value)): void {
    this.delete(key);
    this.#kept.set(key, { value, bytes });
    this.#bytes += bytes;
    if (!this.#isOver) return;
    for (const oldest of this.#kept.keys()) {
      this.delete(oldest);
      if (!this.#isOver) return;
    }
  }

  delete(key: string): void {
    const kept = this.#kept.get(key);
    if (kept === undefined) return;
    this.#kept.delete(key);
    this.#bytes -= kept.bytes;
  }

  get #isOver(): boolean {
    return this.#kept.size > this.bounds.count || this.#bytes > this.bounds.bytes;
  }
}

export class Committed {
  readonly #resources: Recent<Snapshot>;
  readonly #accounts: Recent<Account>;
  /** Counts acknowledged entries: a read that one overtook is not kept. */
  #acknowledged = 0;

  constructor(
    private readonly store: StoreReader,
    bounds: CommittedBounds,
  ) {
    this.#resources = new Recent(bounds, ({ context }) => weightOf(context));
    this.#accounts = new Recent(bounds, () => 0);
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

  /**
   * An entry is on disk: its snapshots replace older ones, its accounts are read again when asked for.
   * @param weights of the snapshots, where they are known: see weightOf
   */
  acknowledge(snapshots: readonly Snapshot[], dids: Iterable<string>, weights?: readonly number[]): void {
    this.#acknowledged++;
    for (const [index, snapshot] of snapshots.entries()) {
      this.#resources.set(`${snapshot.kind}/${snapshot.id}`, snapshot, weights?.[index]);
    }
    for (const did of dids) this.#accounts.delete(did);
  }
}
