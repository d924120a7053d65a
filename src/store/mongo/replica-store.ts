/**
 * The store of one followed feed on MongoDB (docs/decisions/0031): a database that one process writes, the holder of
 * the lease `peers`, and all processes read. It has no lease and no heartbeat: a batch is entries, their
 * numbers, projections, and last the document of the position, in this order. Each of these writes may be repeated. A
 * crash leaves the position of an earlier batch, and the next batch, or the next start, writes the rest again.
 */
import type { JsonObject } from '../../core/canonical.js';
import { AssertionError } from '../../core/refusal.js';
import type { OwnerRank, SearchEntry } from '../search/search.js';
import { type Alarm, type Content, mustContinue, type PlacedCommit, type Store, StoreFault } from '../store.js';
import { Commands } from './commands.js';
import { Contents } from './contents.js';
import type { Database } from './database.js';
import { Ingest } from './ingest.js';
import { LedgerCache } from './ledger-cache.js';
import { MongoReader } from './mongo-reader.js';
import type { Outage } from './outage.js';
import { Projection } from './projection.js';
import { RecordWrites } from './records.js';
import { SearchWrites } from './search-writes.js';
import { durabilityOf } from './server-probe.js';
import { takeOver } from './take-over.js';

export interface MongoReplicaOptions {
  readonly database: Database;
  /** Name of the database. */
  readonly name: string;
  readonly outage: Outage;
  readonly newWrite: () => string;
  readonly onClose: () => void;
}

/** No entry of a replica is inserted without its number. */
const noInserter = { ready: new Map<string, never>(), numbered: () => {} };

export class MongoReplica extends MongoReader implements Store {
  readonly kind = 'mongodb';
  readonly exclusive = false;
  readonly durability: string;
  readonly #options: MongoReplicaOptions;
  readonly #commands: Commands;
  readonly #ledger: LedgerCache;
  readonly #ingest: Ingest;
  readonly #records: RecordWrites;
  readonly #contents: Contents;
  readonly #searchWrites: SearchWrites;
  /** The batch in progress: batches are written one at a time. */
  #turn: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(options: MongoReplicaOptions) {
    const { database, name, outage, newWrite } = options;
    const collections = database.collections(name);
    super(collections, outage);
    this.#options = options;
    this.durability = durabilityOf(database.topology);
    const commands = new Commands(
      () => database.db(name),
      () => database.readConcern,
    );
    this.#commands = commands;
    const projection = new Projection(commands, outage);
    this.#ledger = new LedgerCache(collections, outage);
    this.#ingest = new Ingest({
      collections,
      commands,
      ledger: this.#ledger,
      projection,
      outage,
      inserter: noInserter,
    });
    this.#contents = new Contents(collections.contents, outage);
    this.#records = new RecordWrites(collections, { outage, newWrite });
    this.#searchWrites = new SearchWrites(collections, projection, outage);
  }

  /** For the process that writes: completes what a killed process has left. */
  async begin(): Promise<void> {
    await this.#ingest.open();
    await this.#ingest.follow(true);
  }

  /** Adopts a batch. A process that has lost the lease notices it here, because the numbers are in use. */
  takeOver(commits: readonly PlacedCommit[]): Promise<void> {
    const result = this.#turn.then(() => this.#takeOver(commits));
    this.#turn = result.catch(() => {});
    return result;
  }

  async #takeOver(commits: readonly PlacedCommit[]): Promise<void> {
    this.#mustBeOpen();
    if (commits.length === 0) return;
    const { outage } = this.#options;
    await this.#ingest.follow(true);
    mustContinue(this.#ingest.known, commits);
    const { collections } = this;
    const commands = this.#commands;
    await takeOver(commits, { collections, commands, ledger: this.#ledger, ingest: this.#ingest, outage, token: 0 });
  }

  keepContent(entryHash: string, content: Content): Promise<void> {
    this.#mustBeOpen();
    return this.#contents.keep(entryHash, content);
  }

  putLocal(table: string, id: string, value: JsonObject, revision: number): Promise<boolean> {
    this.#mustBeOpen();
    return this.#records.putLocal(table, id, value, revision);
  }

  deleteLocal(table: string, id: string): Promise<boolean> {
    this.#mustBeOpen();
    return this.#records.deleteLocal(table, id);
  }

  rebuildSearch(rules: string, pages: AsyncIterable<readonly SearchEntry[]>): Promise<void> {
    return this.#searchWrites.rebuild(rules, pages);
  }

  rankOwners(ranks: readonly OwnerRank[]): Promise<void> {
    return this.#searchWrites.rank(ranks);
  }

  /** None: the deadlines of another home are handled there. */
  override async due(): Promise<readonly Alarm[]> {
    return [];
  }

  append(): never {
    throw new AssertionError('a replica takes entries over');
  }

  appendReceipts(): never {
    throw new AssertionError('a replica has no receipts');
  }

  /** Unknown: the server's operator monitors its disk. */
  async freeBytes(): Promise<undefined> {
    return undefined;
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    await this.#turn;
    this.#options.onClose();
  }

  #mustBeOpen(): void {
    if (this.#isClosed) throw new StoreFault('the store is closed');
  }
}
