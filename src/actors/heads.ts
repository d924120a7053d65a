/**
 * One actor per resource and per account: its mailbox, and its head, the newest state it has adopted. Where the
 * process owns the store a head runs ahead of the disk; nobody but writers sees it (readers: `committed.ts`).
 */
import { feeAccount, isHouse } from '../machines/kernel/ledger.js';
import type { Posting } from '../machines/kernel/posting.js';
import { maxTokens } from '../machines/kernel/scalar.js';
import { type Account, type Snapshot, type StoreReader, unseenAccount } from '../store/store.js';
import { Mailbox } from './mailbox.js';
import { weightOf } from './weight.js';

abstract class Actor<Head> {
  readonly mailbox: Mailbox;
  /** Adopted entries that are not on disk yet: such an actor stays in memory. */
  pending = 0;
  /** When it was last entered, for leaving memory; monotonic ms. */
  usedAt = 0;
  protected head: Head | undefined;
  protected loaded = false;

  constructor(
    readonly ref: string,
    mailboxBound: number,
  ) {
    this.mailbox = new Mailbox(mailboxBound);
  }

  /** Accounts are all of one size. */
  get weight(): number {
    return 0;
  }

  get isLoaded(): boolean {
    return this.loaded;
  }

  /** The head lost to another process, or was built on a loser: read again before the next use. */
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
    /** The head takes so many bytes more, or less, than before. */
    private readonly onWeight: (bytes: number) => void,
  ) {
    super(`${kind}/${id}`, mailboxBound);
  }

  /** Of the head, in bytes, roughly. */
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

  /** Another process has written it. Who is inside goes on with the newer one, or loses if it has decided already. */
  learn(snapshot: Snapshot): void {
    if (this.loaded && (this.head?.version ?? 0) < snapshot.version) this.adopt(snapshot);
  }
}

/** What an entry did to one account. */
export interface AccountChange {
  readonly postings: readonly Posting[];
  /** New debit version, where it was debited, frozen or unfrozen. */
  readonly version?: number;
  readonly frozen?: boolean;
  /** The entry's event, where this DID signed it. */
  readonly event?: { readonly nonce: number; readonly hash: string };
}

/** Member by member: every entry makes a few, and a spread costs several times as much. */
const copyOf = (account: Account): Writable<Account> => ({
  did: account.did,
  available: account.available,
  reserved: account.reserved,
  escrowed: account.escrowed,
  version: account.version,
  frozen: account.frozen,
  nonce: account.nonce,
  lastHash: account.lastHash,
  seq: account.seq,
});

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export function changed(account: Account, change: AccountChange, seq = account.seq): Account {
  const next = copyOf(account);
  next.seq = seq;
  for (const [name, delta] of change.postings) {
    if (isHouse(name)) next.available += delta;
    else if (name.startsWith('available/')) next.available += delta;
    else if (name.startsWith('reserved/')) next.reserved += delta;
    else next.escrowed += delta;
  }
  if (change.version !== undefined) next.version = change.version;
  if (change.frozen !== undefined) next.frozen = change.frozen;
  if (change.event) {
    next.nonce = change.event.nonce;
    next.lastHash = change.event.hash;
  }
  return next;
}

/** Looks for a quiet moment at most so often; after that a credit may be missing until the next load, never counted twice. */
const houseReads = 8;

/** What an account of the house holds, and the number of the entry up to which it counts: its row knows debits only. */
async function houseBalance(did: string, store: StoreReader): Promise<{ available: number; seq: number }> {
  for (let read = 1; ; read++) {
    const before = (await store.head()).seq;
    const { fees, supply } = await store.totals();
    const { seq } = await store.head();
    if (seq === before || read === houseReads)
      return { available: did === feeAccount ? fees : maxTokens - supply, seq };
  }
}

/**
 * An account's head. Its holder adopts debits and events before they are on disk; credits by others arrive with
 * their entry's number once committed, and count only when the loaded row had not seen that number.
 */
export class AccountActor extends Actor<Account> {
  /** Credits that were committed while the row was being read. */
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
    if (isHouse(this.did)) this.head = { ...this.head, ...(await houseBalance(this.did, store)) };
    this.#loading = false;
    this.loaded = true;
    for (const { seq, change } of this.#missed.splice(0)) this.credit(seq, change);
  }

  adopt(change: AccountChange): void {
    if (this.head) this.head = changed(this.head, change);
  }

  /** A committed entry touched this account without entering its mailbox. */
  credit(seq: number, change: AccountChange): void {
    if (this.#loading) this.#missed.push({ seq, change });
    else if (this.head && seq > this.head.seq) this.head = changed(this.head, change, seq);
  }
}
