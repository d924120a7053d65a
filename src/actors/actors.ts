/**
 * The actors of writers: one per resource and per account, with a mailbox and the newest state in memory (head), which
 * may be newer than the disk if the process owns the store. Readers see `Committed`.
 */

import type { Json } from '../core/canonical.js';
import { type Refusal, refuse } from '../core/refusal.js';
import { maxTokens } from '../core/schema/scalar.js';
import { type AccountChange, applyChange, feeAccount, isSystemAccount } from '../machines/kernel/ledger.js';
import { type Account, type Snapshot, type StoreReader, unseenAccount } from '../store/store.js';

/** Admits one command at a time, in order of arrival; the number that may wait is bounded. */
export class Mailbox {
  #occupied = false;
  /** Commands that wait for the one inside. */
  readonly #waiting: (() => void)[] = [];

  constructor(private readonly bound: number) {}

  get idle(): boolean {
    return !this.#occupied;
  }

  /** Waits for its turn; the caller must then call `leave`. @returns SERVICE_UNAVAILABLE if too many wait already */
  async enter(): Promise<Refusal | undefined> {
    if (!this.#occupied) {
      this.#occupied = true;
      return undefined;
    }
    if (this.#waiting.length >= this.bound) {
      return refuse('SERVICE_UNAVAILABLE', 'too many requests wait for this resource', { retryAfter: 1 });
    }
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return undefined;
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#occupied = false;
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

/** Bytes of a value, and overhead of a member or element, in V8 on a 64-bit machine. */
const valueBytes = 16;
const memberBytes = 16;

/**
 * Approximate memory of a JSON value, in bytes. Caches of callers' data are bounded in bytes, because one resource may
 * be a thousand times as large as another.
 */
export function weightOf(value: Json | undefined): number {
  if (typeof value === 'string') return valueBytes + value.length;
  if (typeof value !== 'object' || value === null) return valueBytes;
  let bytes = 2 * valueBytes;
  if (Array.isArray(value)) for (const each of value) bytes += memberBytes + weightOf(each);
  else for (const name in value) bytes += memberBytes + weightOf((value as { readonly [name: string]: Json })[name]);
  return bytes;
}
