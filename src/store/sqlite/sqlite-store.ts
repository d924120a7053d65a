/**
 * The embedded store (design.md, Store): one SQLite file, `journal.db`, in a data directory that this process owns
 * alone. Writes go in groups to the one writer.
 */
import { statfs } from 'node:fs/promises';
import type { JsonObject } from '../../machines/kernel/canonical.js';
import { realWorld, type World } from '../../world.js';
import type { Receipt } from '../entry.js';
import { damaged } from '../journal-end.js';
import type { OwnerRank, SearchEntry } from '../search/search.js';
import { type AppendResult, type Commit, mustContinue, type PlacedCommit, type Store } from '../store.js';
import { openWriting, prepareDirectory } from './durable.js';
import { commitJob, type Fault } from './job.js';
import { flawOfEnd } from './journal-end.js';
import { type DirectoryLock, lockDirectory } from './lock.js';
import { migrate } from './schema.js';
import { SqliteReader } from './sqlite-reader.js';
import { WriteQueue } from './write-queue.js';
import { openWriter, type WriterHandle } from './writer-handle.js';

export interface SqliteOptions {
  /** The data directory; made when it is missing. */
  readonly dir: string;
  /** Where the writer runs; the default is the one that docs/decisions/0003-sqlite-writer-thread.md measured. */
  readonly writer?: 'thread' | 'inline';
  readonly world?: World;
  /** Leads that wait to be put in their places (leads.ts). */
  readonly newLeads?: number;
  /** Replies wait for a chain behind the store: then commits may gather for longer. */
  readonly isChained?: boolean;
}

const freeBytesAgeMs = 1_000;

export class SqliteStore extends SqliteReader implements Store {
  readonly kind = 'sqlite';
  readonly durability = 'on disk: fsync of the write-ahead log before every reply';
  readonly exclusive = true;
  readonly dir: string;
  readonly #world: World;
  readonly #lock: DirectoryLock;
  readonly #writer: WriterHandle;
  readonly #queue: WriteQueue;
  #free: { readonly bytes: number; readonly at: number } | undefined;
  #closing: Promise<void> | undefined;

  private constructor({ dir, world }: SqliteOptions, lock: DirectoryLock, writer: WriterHandle) {
    super(dir);
    this.dir = dir;
    this.#world = world ?? realWorld;
    this.#lock = lock;
    this.#writer = writer;
    this.#queue = new WriteQueue(writer, this.#world);
  }

  /** Throws StoreRefused when another process owns the directory, or when the file is not one to write to safely. */
  static async open(options: SqliteOptions): Promise<SqliteStore> {
    const { dir } = options;
    prepareDirectory(dir);
    const lock = lockDirectory(dir);
    try {
      const migrating = openWriting(dir);
      try {
        migrate(migrating);
        const flaw = flawOfEnd(migrating);
        if (flaw !== undefined) throw damaged(flaw);
      } finally {
        migrating.close();
      }
      const { writer: where = 'thread', newLeads, isChained = false } = options;
      const writer = await openWriter({ dir, where, newLeads, gathering: isChained ? 'patient' : 'quick' });
      const store = new SqliteStore(options, lock, writer);
      if (!writer.inline) store.startReading();
      return store;
    } catch (error) {
      lock.release();
      throw error;
    }
  }

  async append(commits: readonly Commit[]): Promise<readonly AppendResult[]> {
    const jobs = commits.map((commit) => commitJob(commit, this.#writer.inline));
    return (await this.#queue.push({ do: 'append', commits: jobs })) as readonly AppendResult[];
  }

  async takeOver(commits: readonly PlacedCommit[]): Promise<void> {
    mustContinue(await this.head(), commits);
    const jobs = commits.map((commit) => ({
      ...commitJob(commit, this.#writer.inline),
      chainHash: commit.entry.chainHash,
    }));
    await this.#queue.push({ do: 'append', commits: jobs });
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

  /** For metrics: entries accepted, and transactions (each one fsync) that they took. */
  stats(): { readonly entries: number; readonly commits: number } {
    return { ...this.#queue.stats };
  }

  /** For tests: makes the next write go wrong (see Fault). */
  break(fault: Fault): Promise<void> {
    return this.#writer.break(fault);
  }

  /** Waits for what was asked before, then gives the directory back. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#queue.end();
    await this.closeReading();
    await this.#writer.close();
    this.#lock.release();
  }
}
