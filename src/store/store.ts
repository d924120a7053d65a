/**
 * The store port (docs/ARCHITECTURE.md#the-store). Reading and writing are different types; everything is a Promise so
 * that an adapter may be in another thread or on another machine. Adapters: sqlite (default), memory (reference, fault
 * injection), mongo. One contract suite runs on every adapter (test/contract).
 */
import type { JsonObject } from '../core/canonical.js';
import type { HistoryType, Move } from '../machines/kernel/posting.js';
import {
  chainHashOf,
  type Entry,
  type IdempotencyRecord,
  type NumberedEntry,
  type NumberedReceipt,
  type Receipt,
} from './entry.js';
import type { ListPage, PageRequest } from './page.js';
import type { OwnerRank, SearchEntry, SearchQuery, SearchResult, SearchWrite } from './search/search.js';
import type { Snapshot } from './snapshot.js';

export { cursorOf, type ListPage, type PageRequest, positionOf } from './page.js';
export type { Snapshot } from './snapshot.js';

/** A DID's row in the ledger: balances, debit version, freeze and the signer's event chain. */
export interface Account {
  readonly did: string;
  readonly available: number;
  readonly reserved: number;
  readonly escrowed: number;
  /** Counts debits of `available`, freezes and unfreezes; 0 before the first. */
  readonly version: number;
  readonly frozen: boolean;
  /** Nonce of the DID's last event; 0 before the first. */
  readonly nonce: number;
  /** Hash of the DID's last event; null before the first. */
  readonly lastHash: string | null;
  /** Number of the newest entry that touched this row: what a cache uses to apply each entry once. */
  readonly seq: number;
}

/** One that nothing has happened to. */
export const unseenAccount = (did: string): Account => ({
  did,
  available: 0,
  reserved: 0,
  escrowed: 0,
  version: 0,
  frozen: false,
  nonce: 0,
  lastHash: null,
  seq: 0,
});

/** All of it, whether it can be spent or is held. */
export const balanceOf = ({ available, reserved, escrowed }: Account): number => available + reserved + escrowed;

export interface Alarm {
  readonly kind: string;
  readonly id: string;
  readonly action: string;
  readonly at: number;
}

/** A new snapshot with what the store indexes of it. */
export interface SnapshotWrite {
  readonly snapshot: Snapshot;
  /** The snapshot's context as JSON, where it is known already. */
  readonly contextText?: string | undefined;
  /** Labels such as `depositor:<did>` that lists select by; what this version adds and drops. */
  readonly addLabels: readonly string[];
  readonly dropLabels: readonly string[];
  /** The resource's next deadline; null clears it; undefined leaves it as it is. */
  readonly alarm?: { readonly at: number; readonly action: string } | null;
  /** What it changes about the search index. */
  readonly search?: SearchWrite | undefined;
}

/** Bytes that an entry names by their SHA-256, hex, because they are too many for its payload. */
export interface Content {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** One atomic unit: it is written whole and durably, or refused whole. */
export interface Commit {
  readonly entry: Entry;
  readonly snapshots: readonly SnapshotWrite[];
  /** There before anybody can read the entry; what is there already stays. */
  readonly contents?: readonly Content[] | undefined;
}

/** An entry of another store with its place there. */
export interface PlacedCommit extends Commit {
  readonly entry: NumberedEntry;
}

export type AppendResult =
  | { readonly ok: true; readonly seq: number; readonly prevEntry: string; readonly chainHash: string }
  /** `taken` is the unique key that another entry holds already (see keysOf). */
  | { readonly ok: false; readonly taken: string };

/** Resources of one kind. */
export interface Selection {
  readonly kind: string;
  /** The resource carries at least one of these labels; empty or absent: no condition. */
  readonly anyLabel?: readonly string[];
  /** The state is one of these; absent: any. */
  readonly states?: readonly string[];
}

export interface FindQuery extends Selection {
  /** Resources of further kinds, each another one, that stand in the same list. */
  readonly also?: readonly Selection[];
  readonly page: PageRequest;
}

/** One line of a wallet's history: the move and the entry around it. */
export interface HistoryItem {
  readonly type: HistoryType;
  readonly move: Move;
  readonly entry: NumberedEntry;
}

export interface EventQuery {
  /** Entries with seq > after. */
  readonly after: number;
  readonly limit: number;
  /** As of a page. Who gets fewer than `limit` asks whether there are more. */
  readonly characters?: number | undefined;
  readonly issuer?: string;
  /** `<kind>/<id>`; `account/<did>` finds the entries that moved money of that DID. */
  readonly resource?: string;
  readonly type?: string;
}

export interface JournalHead {
  /** 0 and 64 zeros on an empty journal. */
  readonly seq: number;
  readonly chainHash: string;
}

/** A small document local to the database, never in the journal (API keys, counters, secrets, cursors). */
export interface LocalRecord {
  readonly id: string;
  /** Grows by one with each put; 1 for the first. */
  readonly revision: number;
  readonly value: JsonObject;
}

/** By what a resource should be found, as it stands: the deadline that its state asks for, and its labels. */
export interface FoundBy {
  readonly alarm: { readonly at: number; readonly action: string } | null;
  readonly labels: readonly string[];
}

/**
 * What an audit asks of a store about columns that only lead to the data: a changed one hides what is there. An adapter
 * whose indexes are the data itself has none. Each answer is the flaw, in a sentence.
 */
export interface Inspection {
  /** Asked before anything is read: whether what holds the data is whole, and what follows from no entry as it was written. */
  flawOfFile?(): string | undefined;
  /** Asked after the entry was read. @param left the resources as the entry left them, in the order of its versions */
  flawOfEntry(entry: NumberedEntry, left: readonly Snapshot[]): string | undefined;
  flawOfReceipt?(receipt: NumberedReceipt): string | undefined;
  /** @param count of what is searched. @param searched what it says; undefined of what is not searched */
  flawOfSearch?(count: number, searched: (kind: string, id: string) => SearchEntry | undefined): string | undefined;
  /** Asked once of each resource, after it was loaded. */
  flawOfResource(kind: string, id: string, found: FoundBy): string | undefined;
  /** The numbers of rows that there should be. */
  flawOfCounts(resources: number, accounts: number): Promise<string | undefined>;
}

export interface StoreReader {
  readonly inspection?: Inspection;
  load(kind: string, id: string): Promise<Snapshot | undefined>;
  account(did: string): Promise<Account | undefined>;
  /** Those of DIDs, the largest balance first; equal ones by DID, descending. */
  accounts(page: PageRequest): Promise<ListPage<Account>>;
  /** Sums over the ledger: supply (≤ 0 in the books, reported positive), fees, and the three balances. */
  totals(): Promise<{ supply: number; fees: number; available: number; reserved: number; escrowed: number }>;
  /** Newest first (creation time, then id, both descending). */
  find(query: FindQuery): Promise<ListPage<Snapshot>>;
  /** Newest first; a move that concerns the account under `type` (absent: all). */
  history(did: string, type: HistoryType | undefined, page: PageRequest): Promise<ListPage<HistoryItem>>;
  /** Numbered entries in order. */
  entries(query: EventQuery): Promise<readonly NumberedEntry[]>;
  /** Sees what is committed. Throws RefusedError (INVALID_REQUEST) for a cursor of another sort. */
  search(query: SearchQuery): Promise<SearchResult>;
  /** The rules that the whole search index follows; undefined where it is none, or one that was not finished. */
  searchRules(): Promise<string | undefined>;
  entryByEvent(eventHash: string): Promise<NumberedEntry | undefined>;
  /** `snapshots` are the resources as that entry left them, kept as long as the key is. */
  recall(
    principal: string,
    key: string,
    now: number,
  ): Promise<{ record: IdempotencyRecord; entry: NumberedEntry; snapshots: readonly Snapshot[] } | undefined>;
  /** Alarms with at <= before, earliest first. */
  due(before: number, limit: number): Promise<readonly Alarm[]>;
  head(): Promise<JournalHead>;
  receipt(entryHash: string): Promise<NumberedReceipt | undefined>;
  receipts(after: number, limit: number): Promise<readonly NumberedReceipt[]>;
  /** Those that name this transaction, in order; as many as its batch had entries. */
  receiptsOf(txHash: string): Promise<readonly NumberedReceipt[]>;
  /** Count of resources by kind and state. */
  census(): Promise<readonly { kind: string; state: string; count: number }[]>;
  /** Bytes that an entry brought, by their SHA-256. */
  content(hash: string): Promise<Uint8Array | undefined>;
  /** So many of these bytes from a place on, fewer at their end. */
  contentPart(hash: string, from: number, length: number): Promise<Uint8Array | undefined>;
  /** What these entries brought, in order of the hashes: for whoever takes entries elsewhere. */
  contentsOf(entryHashes: readonly string[]): Promise<readonly { readonly entry: string; readonly hash: string }[]>;
  getLocal(table: string, id: string): Promise<LocalRecord | undefined>;
  listLocal(table: string): Promise<readonly LocalRecord[]>;
  /** Names of the tables that have records, in order. */
  localTables(): Promise<readonly string[]>;
}

export interface StoreWriter {
  /**
   * Appends commits, each standing or falling alone, in the order given; resolves after they are on disk.
   * Within one call a later commit may build on an earlier one. Rejects (StoreFault) only when durability is in
   * doubt: then nothing of the call may be acknowledged and the process must stop writing.
   */
  append(commits: readonly Commit[]): Promise<readonly AppendResult[]>;
  /**
   * Takes entries over from another store with the places that they have there, in order, the first one next to this
   * store's head. For a move, by a process that is alone on this store. Resolves when all are on disk and can be read;
   * after a crash the first few of them are. Rejects with StoreRefused, and has written nothing, where they don't
   * continue this journal; with StoreFault as `append` does.
   */
  takeOver(commits: readonly PlacedCommit[]): Promise<void>;
  appendReceipts(receipts: readonly Receipt[]): Promise<void>;
  /** Writes when the record's revision is `revision` (0: must not exist); false when it is another. Durable. */
  putLocal(table: string, id: string, value: JsonObject, revision: number): Promise<boolean>;
  deleteLocal(table: string, id: string): Promise<boolean>;
  /**
   * Makes the search index anew, of pages in which ranks come after what they rank. When it resolves, `searchRules` gives
   * `rules`; a process that ends before leaves an index without rules.
   */
  rebuildSearch(rules: string, pages: AsyncIterable<readonly SearchEntry[]>): Promise<void>;
  /** Notes the reputation by which these owners' resources are found; it outlives a rebuilt index. */
  rankOwners(ranks: readonly OwnerRank[]): Promise<void>;
}

/** An entry of another process, the resources as it left them, and the deadlines that it set. */
export interface Foreign {
  readonly entry: NumberedEntry;
  readonly snapshots: readonly Snapshot[];
  readonly alarms: readonly Alarm[];
}

/** A figure for whoever watches over a node. */
export interface Figure {
  /** As metrics are called: `svc_store_…`, with its unit; a total ends in `_total`. */
  readonly name: string;
  readonly help: string;
  /** A total only grows while the process lives. */
  readonly sort: 'total' | 'gauge';
  readonly read: () => number;
}

/** What a store offers that several processes may share; each is safe to use, not only by the holder of a lease. */
export interface SharedStore {
  /** Tells of each entry of another process, in order, once it can be read by everybody. */
  follow(listener: (foreign: Foreign) => void): () => void;
  /**
   * Where this process holds the lease of that name: its fencing token, which grows with each hand-over. Takes the lease
   * where nobody living has it: one that is silent for some seconds has lost it. Ask about once a second.
   */
  holds(lease: string): Promise<number | undefined>;
  /**
   * Says whose process this is, and waits until all is numbered that earlier processes of the same node have left.
   * Throws StoreRefused while one of them lives, or one that settles on something else.
   * @param settlesOn in words for people, the same for the same chain only
   */
  announce(home: string, settlesOn: string): Promise<void>;
  /** Leaves small news for the other processes; not durable, and nobody waits for them. */
  tell(news: string): void;
  /** Hears, within a second, of what others tell from now on, and of the last that they told before. */
  hear(listener: (news: string) => void): void;
  /** How far the wall clock of another process is from this one's at most, ms. */
  readonly skewMs: number;
  /** Milliseconds for which the database has not answered; undefined while it does. */
  readonly awayForMs: number | undefined;
  /** Before `close` where the database does not answer: what waits for it rejects with StoreClosed from now on. */
  giveUp(): void;
  /** What it does and meets. */
  readonly figures: readonly Figure[];
  /** Resolves when the store can go on no more, also where nobody has asked it for anything: the process must end. */
  readonly lost: Promise<StoreFault>;
}

export interface Store extends StoreReader, StoreWriter {
  /** Absent where this process alone owns the store. */
  readonly shared?: SharedStore;
  readonly kind: 'sqlite' | 'memory' | 'mongodb';
  /** What a 2xx means on this store, in a few words for /node and /readyz. */
  readonly durability: string;
  /** True where no other process can write: actors may adopt before the append is on disk. */
  readonly exclusive: boolean;
  /** Free bytes where the store lies; undefined when unknowable. */
  freeBytes(): Promise<number | undefined>;
  close(): Promise<void>;
}

/** Durability is in doubt (failed write or fsync, lost thread): stop acknowledging and exit. */
export class StoreFault extends Error {
  override name = 'StoreFault';
}

/** The store was closed while it waited for its database: what it was asked for has an unknown outcome, and all else is well. */
export class StoreClosed extends StoreFault {
  override name = 'StoreClosed';
}

/** What lies there can't be read: the message says where it is. */
export class StoreDamaged extends StoreFault {
  override name = 'StoreDamaged';
}

/** The store cannot be opened: the message tells a person why and what to do. */
export class StoreRefused extends Error {
  override name = 'StoreRefused';
}

/** The store cannot be opened now, as its database does not answer: it may be opened later. */
export class StoreAway extends StoreRefused {
  override name = 'StoreAway';
}

/** Throws StoreRefused where the commits are not the next ones after this head. */
export function mustContinue(head: JournalHead, commits: readonly PlacedCommit[]): void {
  let { seq, chainHash } = head;
  for (const { entry } of commits) {
    seq++;
    if (entry.seq !== seq) throw new StoreRefused(`entry ${entry.seq} comes where ${seq} is the next`);
    if (entry.prevEntry !== chainHash) throw new StoreRefused(`entry ${seq} belongs to another journal`);
    chainHash = chainHashOf(seq, chainHash, entry.entryHash);
    if (entry.chainHash !== chainHash) throw new StoreRefused(`the chain hash of entry ${seq} does not fit`);
  }
}
