/**
 * State in memory. For writers, one actor per resource and per account: its mailbox and its newest state, which may be
 * newer than the disk if the process owns the store. For readers `Committed`: a cache of what is on disk, because
 * readers must not see anything newer.
 */

import { LRUCache } from 'lru-cache';
import PQueue from 'p-queue';
import { type Refusal, refuse } from '../core/refusal.js';
import { maxTokens } from '../core/schema/scalar.js';
import { type AccountChange, applyChange, feeAccount, isSystemAccount } from '../machines/kernel/ledger.js';
import { type Account, type Snapshot, type StoreReader, unseenAccount } from '../store/store.js';
import { weightOf } from './weight.js';

/** A resource's mailbox: one command at a time, in order of arrival, bounded. */
export class Mailbox {
  /** Commands that wait for the running one. Created on demand, because most mailboxes never hold two at once. */
  #queue: PQueue | undefined;
  /** A command entered without waiting; the queue is paused until it leaves. */
  #occupied = false;

  constructor(private readonly bound: number) {}

  get idle(): boolean {
    const queue = this.#queue;
    return !this.#occupied && (queue === undefined || (queue.size === 0 && queue.pending === 0));
  }

  /** Enters without waiting if the mailbox is empty; the caller must then call `leave`. */
  occupy(): boolean {
    if (!this.idle) return false;
    this.#occupied = true;
    this.#queue?.pause();
    return true;
  }

  leave(): void {
    this.#occupied = false;
    this.#queue?.start();
  }

  /** Waits for its turn and runs `work` alone. @returns SERVICE_UNAVAILABLE if too many wait already */
  async enter<T>(work: () => Promise<T> | T): Promise<T | Refusal> {
    if (!this.occupy()) return this.#wait(work);
    try {
      return await work();
    } finally {
      this.leave();
    }
  }

  #wait<T>(work: () => Promise<T> | T): Promise<T> | Refusal {
    this.#queue ??= new PQueue({ concurrency: 1, autoStart: false });
    if (this.#queue.size >= this.bound) {
      return refuse('SERVICE_UNAVAILABLE', 'too many requests wait for this resource', { retryAfter: 1 });
    }
    return this.#queue.add(async () => work()) as Promise<T>;
  }
}

abstract class Actor<Head> {
  readonly mailbox: Mailbox;
  /** Adopted entries that are not on disk yet; while there are any, the actor stays in memory. */
  pending = 0;
  /** When it was last entered, for eviction; monotonic ms. */
  usedAt = 0;
  protected head: Head | undefined;
  protected loaded = false;

  constructor(
    readonly ref: string,
    mailboxBound: number,
  ) {
    this.mailbox = new Mailbox(mailboxBound);
  }

  /** 0 for accounts, which all have about the same size. */
  get weight(): number {
    return 0;
  }

  get isLoaded(): boolean {
    return this.loaded;
  }

  /** Discards the head, because another process has written first; it is read again before the next use. */
  forget(): void {
    this.loaded = false;
    this.head = undefined;
  }

  abstract load(store: StoreReader): Promise<void>;
}

export class ResourceActor extends Actor<Snapshot> {
  #weight = 0;

  constructor(
    readonly kind: string,
    readonly id: string,
    mailboxBound: number,
    /** Called when the head's size changes, with the difference in bytes. */
    private readonly onWeight: (bytes: number) => void,
  ) {
    super(`${kind}/${id}`, mailboxBound);
  }

  /** Approximate size of the head, in bytes. */
  override get weight(): number {
    return this.#weight;
  }

  get snapshot(): Snapshot | undefined {
    return this.head;
  }

  async load(store: StoreReader): Promise<void> {
    if (this.loaded) return;
    this.head = await store.load(this.kind, this.id);
    this.loaded = true;
    this.#weigh();
  }

  override forget(): void {
    super.forget();
    this.#weigh();
  }

  adopt(snapshot: Snapshot): void {
    this.head = snapshot;
    this.#weigh();
  }

  #weigh(): void {
    const weight = this.head ? weightOf(this.head.context) : 0;
    this.onWeight(weight - this.#weight);
    this.#weight = weight;
  }

  /**
   * Takes the resource as another process has written it. A command that is inside continues with the newer version, or
   * loses if its step has run already.
   */
  learn(snapshot: Snapshot): void {
    if (this.loaded && (this.head?.version ?? 0) < snapshot.version) this.adopt(snapshot);
  }
}

/** @param seq number of the entry, if it has one yet */
function changed(account: Account, change: AccountChange, seq = account.seq): Account {
  const next = { ...account, seq };
  applyChange(next, change);
  return next;
}

/**
 * How often the totals are read again until no entry is committed in between. After that a credit may be missing until
 * the next load, but is never counted twice.
 */
const totalsReads = 8;

/**
 * The balance of a system account (fees, supply), and the number of the entry up to which it counts. It is computed
 * from the totals, because the stored row has only the debits.
 */
async function systemBalance(did: string, store: StoreReader): Promise<{ available: number; seq: number }> {
  for (let read = 1; ; read++) {
    const before = (await store.head()).seq;
    const { fees, supply } = await store.totals();
    const { seq } = await store.head();
    if (seq === before || read === totalsReads)
      return { available: did === feeAccount ? fees : maxTokens - supply, seq };
  }
}

/**
 * The actor of an account. The command that holds its mailbox adopts debits and nonces before they are on disk. Credits
 * by other commands arrive after their commit with their entry's number, and count only if the loaded row does not
 * include that entry.
 */
export class AccountActor extends Actor<Account> {
  /** Credits that were committed while the row was read. */
  #missed: { seq: number; change: AccountChange }[] = [];
  #loading = false;

  constructor(
    readonly did: string,
    mailboxBound: number,
  ) {
    super(`account/${did}`, mailboxBound);
  }

  get account(): Account | undefined {
    return this.head;
  }

  async load(store: StoreReader): Promise<void> {
    if (this.loaded) return;
    this.#loading = true;
    this.head = (await store.account(this.did)) ?? unseenAccount(this.did);
    if (isSystemAccount(this.did)) this.head = { ...this.head, ...(await systemBalance(this.did, store)) };
    this.#loading = false;
    this.loaded = true;
    for (const { seq, change } of this.#missed.splice(0)) this.credit(seq, change);
  }

  adopt(change: AccountChange): void {
    if (this.head) this.head = changed(this.head, change);
  }

  /** Adds a committed credit from an entry that has not entered this account's mailbox. */
  credit(seq: number, change: AccountChange): void {
    if (this.#loading) this.#missed.push({ seq, change });
    else if (this.head && seq > this.head.seq) this.head = changed(this.head, change, seq);
  }
}

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
