/**
 * Stores of followed feeds, each in a folder `peers/<key of the home>` of the data directory. A node may follow many, so
 * they have small caches and share one writer thread and one reader thread, which end while the feeds are quiet.
 */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseDid } from '../../core/codecs/did.js';
import { makeFolder } from '../../core/durable-file.js';
import type { Environment } from '../../core/environment.js';
import { assert } from '../../core/refusal.js';
import type { Replicas } from '../replicas.js';
import type { Store } from '../store.js';
import { syncDirectory } from './durable.js';
import { readerThread } from './slow-reader.js';
import { type ReplicaShare, SqliteStore } from './sqlite-store.js';
import { SharedThread } from './thread.js';
import { startWriterThread } from './write-queue.js';

export interface SqliteReplicasOptions {
  /** The node's data directory. */
  readonly dir: string;
  /** Where the writer runs; default: a thread that all replicas share. */
  readonly writer?: 'thread' | 'inline';
  readonly world?: Environment;
  /** When the threads end that no store uses. */
  readonly restMs?: number;
}

const didPrefix = 'did:svc:';
/** Prefix of a folder that is being deleted, so that its name is no longer that of a home. */
const forgotten = 'forgotten-';
const cacheKiB = 1_024;

const homesAmong = (names: readonly string[]): readonly string[] =>
  names
    .map((name) => didPrefix + name)
    .filter((did) => parseDid(did) === did)
    .sort();

/** The copies in a data directory, with the folder of each. Changes nothing. */
export function copiesIn(dir: string): readonly { readonly home: string; readonly dir: string }[] {
  const folder = join(dir, 'peers');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return homesAmong(names).map((home) => ({ home, dir: join(folder, home.slice(didPrefix.length)) }));
}

export class SqliteReplicas implements Replicas {
  readonly #folder: string;
  readonly #options: SqliteReplicasOptions;
  readonly #stores = new Map<string, Promise<SqliteStore>>();
  readonly #readers;
  readonly #writers;

  constructor(options: SqliteReplicasOptions) {
    const { restMs = 15_000 } = options;
    this.#options = options;
    this.#readers = readerThread({ afterMs: restMs });
    this.#writers = new SharedThread(() => startWriterThread(restMs));
    this.#folder = join(options.dir, 'peers');
  }

  async homes(): Promise<readonly string[]> {
    const names = existsSync(this.#folder) ? readdirSync(this.#folder) : [];
    // Deletes the rest of folders whose deletion a killed process has begun.
    for (const name of names.filter((each) => each.startsWith(forgotten)))
      rmSync(join(this.#folder, name), { recursive: true, force: true });
    return homesAmong(names);
  }

  open(home: string, _mode: 'read' | 'write'): Promise<Store> {
    const known = this.#stores.get(home);
    if (known) return known;
    const opening = this.#open(home);
    this.#stores.set(home, opening);
    opening.catch(() => this.#stores.delete(home));
    return opening;
  }

  async forget(home: string): Promise<void> {
    assert(!this.#stores.has(home), 'a replica is closed before it is forgotten');
    const dir = this.#dirOf(home);
    const doomed = join(this.#folder, forgotten + home.slice(didPrefix.length));
    // Renamed first, because after a crash a partly deleted database would look damaged.
    if (existsSync(dir)) {
      rmSync(doomed, { recursive: true, force: true });
      renameSync(dir, doomed);
      syncDirectory(this.#folder);
    }
    rmSync(doomed, { recursive: true, force: true });
  }

  async close(): Promise<void> {
    const open = await Promise.allSettled(this.#stores.values());
    await Promise.all(open.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined)));
    await Promise.all([this.#writers.end(), this.#readers.end()]);
  }

  async #open(home: string): Promise<SqliteStore> {
    const { writer = 'thread', world } = this.#options;
    makeFolder(this.#folder);
    const replica = this.#share();
    const store = await SqliteStore.open({ dir: this.#dirOf(home), writer, replica, ...(world ? { world } : {}) });
    void store.closed.then(() => this.#stores.delete(home));
    return store;
  }

  #share(): ReplicaShare {
    const writers = this.#options.writer === 'inline' ? undefined : this.#writers;
    return { writers, readers: this.#readers, cacheKiB };
  }

  #dirOf(home: string): string {
    assert(parseDid(home) === home, 'a home is named by its DID');
    return join(this.#folder, home.slice(didPrefix.length));
  }
}
