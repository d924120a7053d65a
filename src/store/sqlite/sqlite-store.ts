/**
 * The embedded store (docs/ARCHITECTURE.md#the-store): one SQLite file, `journal.db`, in a data directory that this
 * process owns. Writes are grouped and sent to one writer.
 */
import { statfs } from 'node:fs/promises';
import { Background } from '../../core/background.js';
import { bounds } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import { type Environment, realEnvironment } from '../../core/environment.js';
import { assert } from '../../core/refusal.js';
import type { Receipt } from '../entry.js';
import { damaged } from '../journal-end.js';
import type { OwnerRank, SearchEntry } from '../search.js';
import {
  type AppendResult,
  type CardStore,
  type Cards,
  type Commit,
  mustContinue,
  type PlacedCommit,
  type Store,
  type StoreFault,
} from '../store.js';
import { refusal } from './connection.js';
import { databaseFile, openWriting, prepareDirectory } from './durable.js';
import { sealedTo } from './entry-rows.js';
import { type CommitJob, commitJob, type Fault, snapshotJob } from './job.js';
import { violationOfFileEnd } from './journal-end.js';
import { type DirectoryLock, lockDirectory } from './lock.js';
import { violationOfLog } from './log-inspection.js';
import { PointReads } from './point-reads.js';
import { migrateSchema } from './schema.js';
import { SqliteReader } from './sqlite-reader.js';
import { openWriter, WriteQueue, type WriterHandle } from './write-queue.js';

export interface SqliteOptions {
  /** The data directory, created if missing. */
  readonly dir: string;
  /** Where the writer runs; docs/decisions/0003 has the measurements behind the default. */
  readonly writer?: 'thread' | 'inline';
  readonly world?: Environment;
  /** Rows of the secondary index that wait to be moved (secondary-index.ts). */
  readonly newIndexRows?: number;
  /** Entries of a segment, and how many of the newest stay rows; tests use a small number. */
  readonly segmentEntries?: number;
  /** Directory of the segments; without it they lie in the data directory. */
  readonly segmentsDir?: string | undefined;
  readonly log?: (message: string, detail: object) => void;
  /** Set if replies wait for a chain anyway, so that commits may be collected for longer. */
  readonly isChained?: boolean;
}

/** The newest entry, and the last one in a segment. */
interface JournalEnds {
  readonly newest: number;
  readonly sealed: number;
}

const freeBytesAgeMs = 1_000;

export class SqliteStore extends SqliteReader implements Store, CardStore {
  readonly kind = 'sqlite';
  readonly durability = 'on disk: fsync of the write-ahead log before every reply';
  readonly exclusive = true;
  readonly dir: string;
  readonly #world: Environment;
  readonly #lock: DirectoryLock;
  readonly #writer: WriterHandle;
  readonly #queue: WriteQueue;
  #free: { readonly bytes: number; readonly at: number } | undefined;
  #closing: Promise<void> | undefined;
  readonly #sealing: Background;
  #round: Promise<number | undefined> | undefined;
  readonly #segmentEntries: number;
  #newest: number;
  #sealed: number;

  private constructor(options: SqliteOptions, ends: JournalEnds, lock: DirectoryLock, writer: WriterHandle) {
    const { dir, world = realEnvironment, segmentEntries = bounds.segmentEntries, log = () => {} } = options;
    super(dir);
    this.dir = dir;
    this.#world = world;
    this.#lock = lock;
    this.#writer = writer;
    this.#queue = new WriteQueue(writer, world);
    this.#segmentEntries = segmentEntries;
    this.#newest = ends.newest;
    this.#sealed = ends.sealed;
    this.#sealing = new Background({
      world,
      round: () => this.#seal(),
      onFailure: (error) => log('old entries stay in the database, because no segment can be written', { error }),
    });
    this.#sealing.start();
  }

  /** @throws StoreRefused when another process owns the directory, or the file is not safe to write to */
  static async open(options: SqliteOptions): Promise<SqliteStore> {
    const { dir } = options;
    prepareDirectory(dir, options.segmentsDir);
    const lock = lockDirectory(dir);
    try {
      const log = violationOfLog(databaseFile(dir));
      if (log !== undefined) throw damaged(log);
      const migrating = openWriting(dir);
      let ends: JournalEnds;
      try {
        migrateSchema(migrating);
        const flaw = violationOfFileEnd(migrating);
        if (flaw !== undefined) throw damaged(flaw);
        ends = { newest: new PointReads(migrating).head().seq, sealed: sealedTo(migrating) };
      } finally {
        migrating.close();
      }
      const { writer: where = 'thread', newIndexRows, isChained = false } = options;
      const gathering = isChained ? 'patient' : 'quick';
      const writer = await openWriter({ dir, where, newIndexRows, gathering });
      return new SqliteStore(options, ends, lock, writer);
    } catch (error) {
      lock.release();
      throw refusal(databaseFile(dir), error);
    }
  }

  get lost(): Promise<StoreFault> {
    return this.#queue.lost;
  }

  async append(commits: readonly Commit[]): Promise<readonly AppendResult[]> {
    const jobs = commits.map((commit) => commitJob(commit, this.#writer.inline));
    return this.#append(jobs);
  }

  async takeOver(commits: readonly PlacedCommit[]): Promise<void> {
    mustContinue(await this.head(), commits);
    const jobs = commits.map((commit) => ({
      ...commitJob(commit, this.#writer.inline),
      chainHash: commit.entry.chainHash,
    }));
    await this.#append(jobs);
    // Such entries can come faster than they are sealed, and a file does not shrink.
    while (this.#mustSeal) await this.#seal();
  }

  async #append(commits: readonly CommitJob[]): Promise<readonly AppendResult[]> {
    const results = (await this.#queue.push({ do: 'append', commits })) as readonly AppendResult[];
    for (const result of results) if (result.ok) this.#newest = Math.max(this.#newest, result.seq);
    if (this.#mustSeal) this.#sealing.wake();
    return results;
  }

  /** As many entries as a segment has stay rows, because most reads are of them. */
  get #mustSeal(): boolean {
    return this.#newest - this.#sealed >= 2 * this.#segmentEntries;
  }

  /** Seals one segment at a time: a second sealing would read rows that the first one deletes. */
  #seal(): Promise<number | undefined> {
    this.#round ??= this.#sealNext().finally(() => {
      this.#round = undefined;
    });
    return this.#round;
  }

  async #sealNext(): Promise<number | undefined> {
    if (!this.#mustSeal) return undefined;
    const segment = await this.writeSegment(this.#segmentEntries);
    await this.#queue.push({ do: 'seal', segment });
    this.#sealed = segment.last;
    return 0;
  }

  async appendReceipts(receipts: readonly Receipt[]): Promise<void> {
    await this.#queue.push({ do: 'receipts', receipts });
  }

  async putLocal(table: string, id: string, value: JsonObject, revision: number): Promise<boolean> {
    const job = { do: 'put', name: table, id, value: JSON.stringify(value), revision } as const;
    return (await this.#queue.push(job)) as boolean;
  }

  async deleteLocal(table: string, id: string): Promise<boolean> {
    return (await this.#queue.push({ do: 'delete', name: table, id })) as boolean;
  }

  /** Keeps resources that no entry of this store has made, in one transaction with a local record. */
  async keepCards({ snapshots, forgotten, cursor }: Cards): Promise<void> {
    const { table, id, value, revision } = cursor;
    const kept = await this.#queue.push({
      ...{ do: 'cards', snapshots: snapshots.map(snapshotJob), forgotten },
      cursor: { name: table, id, value: JSON.stringify(value), revision },
    } as const);
    assert(kept, 'one process writes the cards of a home');
  }

  async rebuildSearch(rules: string, pages: AsyncIterable<readonly SearchEntry[]>): Promise<void> {
    await this.#queue.push({ do: 'emptySearch' });
    for await (const entries of pages) await this.#queue.push({ do: 'fillSearch', entries });
    await this.#queue.push({ do: 'finishSearch', rules });
  }

  async rankOwners(ranks: readonly OwnerRank[]): Promise<void> {
    await this.#queue.push({ do: 'rankOwners', ranks });
  }

  async freeBytes(): Promise<number> {
    const now = this.#world.monotonic();
    if (!this.#free || now - this.#free.at >= freeBytesAgeMs) {
      const { bavail, bsize } = await statfs(this.dir);
      this.#free = { bytes: bavail * bsize, at: now };
    }
    return this.#free.bytes;
  }

  /** For metrics: accepted entries, and their transactions (one fsync each). */
  stats(): { readonly entries: number; readonly commits: number } {
    return { ...this.#queue.stats };
  }

  /** For tests: makes the next write fail (see Fault). */
  break(fault: Fault): Promise<void> {
    return this.#writer.break(fault);
  }

  /** Waits for pending writes, then releases the directory. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#sealing.stop();
    await this.#queue.end();
    await this.closeReading();
    await this.#writer.close();
    this.#lock.release();
  }
}
