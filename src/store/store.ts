/**
 * The store port (docs/ARCHITECTURE.md#the-store). Reading and writing are different types; everything is a Promise so
 * that an adapter may be in another thread or on another machine. Adapters: sqlite (default), mongo; the memory store of the tests
 * (test/doubles) is the reference. One contract suite runs on all of them (test/contract).
 */
import type { JsonObject } from '../core/canonical.js';
import type { LeafText } from '../core/leaf.js';
import type { AccountState } from '../machines/kernel/ledger.js';
import type { HistoryType, Move } from '../machines/kernel/posting.js';
import {
  chainHashOf,
  type Entry,
  type IdempotencyRecord,
  type NumberedEntry,
  type NumberedReceipt,
  type Receipt,
} from './entry.js';
import type { ListRanges, ListSort } from './list-order.js';
import type { ListPage, PageRequest } from './page.js';
import type {
  IndexedEntry,
  OwnerRank,
  Rewording,
  SearchEntry,
  SearchQuery,
  SearchResult,
  SearchWrite,
} from './search.js';
import type { Snapshot } from './snapshot.js';

export { decodeCursor, encodeCursor, type ListPage, type PageRequest } from './page.js';
export type { Snapshot } from './snapshot.js';

/** A DID's row in the ledger, with the event chain of the DID as a signer. */
export interface Account extends AccountState {
  /** Nonce of the DID's last event; 0 before the first. */
  readonly nonce: number;
  /** Hash of the DID's last event; null before the first. */
  readonly lastHash: string | null;
  /** Number of the newest entry that changed this row, by which a cache applies each entry once. */
  readonly seq: number;
}

/** The account of a DID without any entries. */
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

/** Tables of local records that follow from the journal, so that no rebuild or move takes them over. */
export const hashIndexTable = 'hashes';
export const statisticsTable = 'statistics';
export const derivedTables: readonly string[] = [hashIndexTable, statisticsTable];

/** Table of the local records of erasures that a restored backup lacks: the input of each, by the hash of the text. */
export const redactionsTable = 'redactions';

/** Likewise for texts that this journal names and does not have, because a mirror keeps their erasure in their place. */
export const mirroredErasuresTable = 'mirrored-erasures';

/** The entry with this number; undefined if the journal does not have it. */
export async function entryAt(store: Pick<StoreReader, 'entries'>, seq: number): Promise<NumberedEntry | undefined> {
  const [entry] = await store.entries({ after: seq - 1, limit: 1 });
  return entry?.seq === seq ? entry : undefined;
}

export interface Alarm {
  readonly kind: string;
  readonly id: string;
  readonly action: string;
  readonly at: number;
}

/** A new snapshot with the data for the store's indexes. */
export interface SnapshotWrite {
  readonly snapshot: Snapshot;
  /** The snapshot's context as JSON, if it was already serialised. */
  readonly contextText?: string | undefined;
  /** Labels by which lists select, such as `depositor:<did>`: those that this version adds and removes. */
  readonly addLabels: readonly string[];
  readonly dropLabels: readonly string[];
  /** The resource's next deadline; null clears it; undefined keeps it. */
  readonly alarm?: { readonly at: number; readonly action: string } | null;
  readonly search?: SearchWrite | undefined;
}

/** Bytes that an entry references by their SHA-256 in hex, because they are too large for its payload. */
export interface Content {
  readonly hash: string;
  readonly bytes: Uint8Array;
}

/** The unit of atomicity: it is written completely and durably, or refused completely. */
export interface Commit {
  readonly entry: Entry;
  readonly snapshots: readonly SnapshotWrite[];
  /** Stored before the entry is readable; contents that exist already are kept. */
  readonly contents?: readonly Content[] | undefined;
  /** Set if the entry erases a leaf. */
  readonly erases?: Erasure | undefined;
}

/** Deletes a content for good, and what the search index has of it. */
export interface Erasure {
  readonly hash: string;
  readonly reworded?: Rewording | undefined;
}

/** An entry of another store with its number and hashes there. */
export interface PlacedCommit extends Commit {
  readonly entry: NumberedEntry;
}

export type AppendResult =
  | { readonly ok: true; readonly seq: number; readonly prevEntry: string; readonly chainHash: string }
  /** `taken` is the unique key that another entry holds (see keysOf). */
  | { readonly ok: false; readonly taken: string };

/** Resources of one kind. */
export interface Selection {
  readonly kind: string;
  /** The resource has at least one of these labels; empty or absent: any. */
  readonly anyLabel?: readonly string[];
  /** The state is one of these; absent: any. */
  readonly states?: readonly string[];
}

export interface FindQuery extends Selection {
  /** Further selections of other kinds for the same list. */
  readonly also?: readonly Selection[];
  /** Default: newest. */
  readonly sort?: ListSort | undefined;
  readonly ranges?: ListRanges | undefined;
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
  /** Entries with seq < before, newest first; absent: oldest first. */
  readonly before?: number | undefined;
  readonly limit: number;
  /** As for a page. A caller that gets fewer than `limit` must read on, because there may be more. */
  readonly characters?: number | undefined;
  readonly issuer?: string;
  /** `<kind>/<id>`; `account/<did>` finds the entries that moved Tokens of that DID. */
  readonly resource?: string;
  readonly type?: string;
}

export interface JournalHead {
  /** Number and chain hash of the newest entry; 0 and 64 zeros for an empty journal. */
  readonly seq: number;
  readonly chainHash: string;
}

/** A small document local to the database, never in the journal (API keys, counters, secrets, cursors). */
export interface LocalRecord {
  readonly id: string;
  /** Increases by one with each put; 1 for the first. */
  readonly revision: number;
  readonly value: JsonObject;
}

/** The index data of a resource: its deadline and its labels. */
export interface FoundBy {
  readonly alarm: { readonly at: number; readonly action: string } | null;
  readonly labels: readonly string[];
}

/** The expected content of the search index for a resource. */
export type SearchedBy = (kind: string, id: string) => IndexedEntry | undefined;

/**
 * Checks of columns that only index data, for an audit: a changed one hides data. An adapter whose indexes are the data
 * itself has none. Each check returns the violation as a sentence.
 */
export interface Inspection {
  /** Called first: checks the files or tables, and the data that is not derived from entries. */
  violationOfFile?(): string | undefined;
  /** Called after reading an entry. @param left the resources after the entry, in the order of its versions */
  violationOfEntry(entry: NumberedEntry, left: readonly Snapshot[]): string | undefined;
  /** Called instead for an entry that an earlier audit has inspected: counts it, and looks nothing up but its key. */
  violationOfKnown(entry: NumberedEntry): string | undefined;
  violationOfReceipt?(receipt: NumberedReceipt): string | undefined;
  /**
   * While others write, the index may be ahead of what is expected.
   * @param count number of searched resources @param searched returns undefined for kinds that are not searched
   */
  violationOfSearch?(count: number, searched: SearchedBy): Promise<string | undefined>;
  /** Called once for each resource, after it was loaded. */
  violationOfResource(kind: string, id: string, found: FoundBy): string | undefined;
  violationOfCounts(resources: number, accounts: number): Promise<string | undefined>;
}

export type EntryName = Pick<NumberedEntry, 'seq' | 'entryHash'>;

export interface StoreReader {
  readonly inspection?: Inspection;
  load(kind: string, id: string): Promise<Snapshot | undefined>;
  account(did: string): Promise<Account | undefined>;
  /** Accounts of DIDs, the largest balance first; equal ones by DID, descending. */
  accounts(page: PageRequest): Promise<ListPage<Account>>;
  /** Sums over the ledger: supply (negative in the ledger, reported as positive), fees, and the three balances. */
  totals(): Promise<{ supply: number; fees: number; available: number; reserved: number; escrowed: number }>;
  /** Resources in the order of `sort`; equal ones by id, descending. A cursor is valid only for the same sort. */
  find(query: FindQuery): Promise<ListPage<Snapshot>>;
  /**
   * Resources of these kinds whose id begins with the prefix, ordered by kind and id: at most `limit` of each kind, and
   * together at most the given characters of stored text, but at least one resource.
   */
  named(
    kinds: readonly string[],
    prefix: string,
    most: { readonly limit: number; readonly characters: number },
  ): Promise<readonly Snapshot[]>;
  /** Newest first; only moves of this type for the account (absent: of any type). */
  history(did: string, type: HistoryType | undefined, page: PageRequest): Promise<ListPage<HistoryItem>>;
  /** Numbered entries in order: ascending, or descending with `before`. */
  entries(query: EventQuery): Promise<readonly NumberedEntry[]>;
  /** Finds committed resources. Throws RefusedError (INVALID_REQUEST) for a malformed cursor. */
  search(query: SearchQuery): Promise<SearchResult>;
  /** The rules under which the whole search index was built; undefined without an index, or for an unfinished one. */
  searchRules(): Promise<string | undefined>;
  entryByEvent(eventHash: string): Promise<NumberedEntry | undefined>;
  /** The entry of an idempotency key. `snapshots` are the resources after that entry, kept as long as the key. */
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
  /** Receipts that name this transaction, in order: one for each entry of its batch. */
  receiptsOf(txHash: string): Promise<readonly NumberedReceipt[]>;
  census(): Promise<readonly { kind: string; state: string; count: number }[]>;
  /** The texts of leaves by their hashes, which are contents; those that were erased are missing. */
  texts(hashes: readonly string[]): Promise<ReadonlyMap<string, LeafText>>;
  /** The entry that came with a content. */
  broughtBy(hash: string): Promise<NumberedEntry | undefined>;
  content(hash: string): Promise<Uint8Array | undefined>;
  /** `length` bytes of a content from a position, fewer at its end. */
  contentPart(hash: string, from: number, length: number): Promise<Uint8Array | undefined>;
  /** The contents that these entries named, ordered by hash, for copying entries to another store. */
  contentsOf(entries: readonly EntryName[]): Promise<readonly { readonly entry: string; readonly hash: string }[]>;
  getLocal(table: string, id: string): Promise<LocalRecord | undefined>;
  listLocal(table: string): Promise<readonly LocalRecord[]>;
  /** Names of the tables that have records, in order. */
  localTables(): Promise<readonly string[]>;
}

export interface StoreWriter {
  /**
   * Appends commits in the given order, each accepted or refused alone; resolves after they are on disk. A later commit
   * of one call may build on an earlier one. Rejects (StoreFault) only when durability is in doubt: then nothing of the
   * call may be acknowledged and the process must stop writing.
   */
  append(commits: readonly Commit[]): Promise<readonly AppendResult[]>;
  /**
   * Copies entries of another store with their numbers there, in order; the first must follow this store's head. For a
   * move, by a process that is alone on this store. Resolves when all are durable and readable; a crash may leave a
   * first part of them. Rejects with StoreRefused, with nothing written, if they do not continue this journal, and with
   * StoreFault as `append` does.
   */
  takeOver(commits: readonly PlacedCommit[]): Promise<void>;
  appendReceipts(receipts: readonly Receipt[]): Promise<void>;
  /** Writes if the record's revision is `revision` (0: must not exist); returns false if it is another. Durable. */
  putLocal(table: string, id: string, value: JsonObject, revision: number): Promise<boolean>;
  deleteLocal(table: string, id: string): Promise<boolean>;
  /**
   * Rebuilds the search index from pages in which ranks come after the resources that they rank. When it resolves,
   * `searchRules` returns `rules`; if the process ends earlier, the index has no rules.
   */
  rebuildSearch(rules: string, pages: AsyncIterable<readonly SearchEntry[]>): Promise<void>;
  /** Stores the reputations by which these owners' resources are ranked; they survive a rebuild of the index. */
  rankOwners(ranks: readonly OwnerRank[]): Promise<void>;
}

/** Resources that no entry of this store has made: what peers show (peers/cards). */
export interface Cards {
  readonly snapshots: readonly SnapshotWrite[];
  /** Texts of which no word stays in the search index, unless another resource has it. */
  readonly forgotten: readonly string[];
  /** A local record of the same transaction. */
  readonly cursor: {
    readonly table: string;
    readonly id: string;
    readonly value: JsonObject;
    readonly revision: number;
  };
}

/** A store of cards alone. */
export interface CardStore extends StoreReader {
  /** The resources of these kinds that have one of the ids. */
  loadAll(kinds: readonly string[], ids: readonly string[]): Promise<readonly Snapshot[]>;
  keepCards(cards: Cards): Promise<void>;
  close(): Promise<void>;
}

/** An entry of another process, the resources after it, and the deadlines that it set. */
export interface Foreign {
  readonly entry: NumberedEntry;
  readonly snapshots: readonly Snapshot[];
  readonly alarms: readonly Alarm[];
}

export interface Figure {
  /** The metric's name: `svc_store_…` with its unit; counters end in `_total`. */
  readonly name: string;
  readonly help: string;
  /** `total`: only increases while the process runs. */
  readonly sort: 'total' | 'gauge';
  readonly read: () => number;
}

/** Functions of a store that several processes may share. Every process may call them, not only a lease holder. */
export interface SharedStore {
  /** Calls the listener with each entry of another process, in order, once it is readable by everyone. */
  follow(listener: (foreign: Foreign) => void): () => void;
  /**
   * The fencing token of the named lease if this process holds it; the token grows with each hand-over. Takes the lease
   * if no living process has it: a process that is silent for some seconds loses its leases. Call about once a second.
   */
  holds(lease: string): Promise<number | undefined>;
  /** Leaves the lease, if this process holds it, to the next process that asks. */
  release(lease: string): Promise<void>;
  /**
   * Registers the node of this process, and waits until all entries of the node's earlier processes are numbered.
   * Throws StoreRefused if one of these is alive, or if a process settles on another chain.
   * @param settlesOn a description of the chain, equal only for the same chain
   */
  announce(home: string, settlesOn: string): Promise<void>;
  /**
   * Makes the DID the home of a journal without entries (docs/reference/events-and-entries.md#home).
   * @returns the home, which is another DID if another living process was faster
   */
  claimHome(did: string): Promise<string>;
  /** Sends a short message to the other processes. Not durable, and not awaited. */
  tell(news: string): void;
  /**
   * Calls the listener with messages of the other processes, within a second, including the last ones from before the
   * call.
   */
  hear(listener: (news: string) => void): void;
  /** The largest difference between another process's wall clock and this one's, ms. */
  readonly skewMs: number;
  /** The wall clocks of the other living processes minus this one's, ms, for a start. Waits for a heartbeat of each. */
  clocks(): Promise<readonly number[]>;
  /** How long the database has not answered, ms; undefined while it answers. */
  readonly awayForMs: number | undefined;
  /** How long it has left calls unanswered, ms, also before that counts as an outage. */
  readonly silentForMs: number;
  /** Call before `close` if the database does not answer: pending calls then reject with StoreClosed. */
  giveUp(): void;
  readonly figures: readonly Figure[];
}

export interface Store extends StoreReader, StoreWriter {
  /** Absent if this process alone owns the store. */
  readonly shared?: SharedStore;
  readonly kind: 'sqlite' | 'memory' | 'mongodb';
  /** The durability of an acknowledged write on this store, in a few words for /node and /readyz. */
  readonly durability: string;
  /**
   * True if no other process can write: actors may then adopt a commit before it is on disk. Writes are on disk in the
   * order of the calls.
   */
  readonly exclusive: boolean;
  /** Resolves when the store no longer works, even without any call: the process must end. */
  readonly lost: Promise<StoreFault>;
  /** Free bytes of the store's disk; undefined if unknown. */
  freeBytes(): Promise<number | undefined>;
  close(): Promise<void>;
}

/** Whether this process holds a lease of the database; undefined where it is alone on it. */
export const holderOf = ({ shared }: Pick<Store, 'shared'>, lease: string): (() => Promise<boolean>) | undefined =>
  shared && (async () => (await shared.holds(lease)) !== undefined);

/** Durability is in doubt (failed write or fsync, lost thread): stop acknowledging and exit. */
export class StoreFault extends Error {
  override name = 'StoreFault';
}

/** The store was closed while a call waited for the database: the outcome of that call is unknown. */
export class StoreClosed extends StoreFault {
  override name = 'StoreClosed';
}

/** Stored data can't be read: the message says where. */
export class StoreDamaged extends StoreFault {
  override name = 'StoreDamaged';
}

/** The store cannot be opened: the message has the reason and the remedy. */
export class StoreRefused extends Error {
  override name = 'StoreRefused';
}

/** The refusal of a database from before 0.1.0 (docs/upgrades.md#databases-from-before-010). */
export const earlierFormat = (place: string, anew: string): StoreRefused =>
  new StoreRefused(`${place} was written by an svc-node from before 0.1.0, in a format that no release reads: ${anew}`);

/** The store cannot be opened now because its database does not answer; it may be opened later. */
export class StoreAway extends StoreRefused {
  override name = 'StoreAway';
}

/** Throws StoreRefused unless the commits continue this head. */
export function mustContinue(head: JournalHead, commits: readonly PlacedCommit[]): void {
  let { seq, chainHash } = head;
  for (const { entry } of commits) {
    seq++;
    if (entry.seq !== seq) throw new StoreRefused(`entry ${entry.seq} comes where entry ${seq} is expected`);
    if (entry.prevEntry !== chainHash) throw new StoreRefused(`entry ${seq} belongs to another journal`);
    chainHash = chainHashOf(seq, chainHash, entry.entryHash);
    if (entry.chainHash !== chainHash) throw new StoreRefused(`the chain hash of entry ${seq} does not fit`);
  }
}
