/**
 * Backs up a database in use, and restores it. A backup is one SQLite file without write-ahead log, with the same
 * permissions as the database (0600). It gets its name when it is complete and on disk.
 */
import { closeSync, copyFileSync, existsSync, openSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../core/durable-file.js';
import { type Environment, realEnvironment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import { leafKind } from '../../machines/leaf/leaf.js';
import { type JournalHead, StoreRefused } from '../store.js';
import { SqliteConnection } from './connection.js';
import { databaseFile, prepareDirectory, retireLog, settle } from './durable.js';
import { lockDirectory } from './lock.js';
import { PointReads } from './point-reads.js';
import { checkSchema } from './schema.js';
import { SlowReader } from './slow-reader.js';

export interface BackupOptions {
  /** Called a few times a second with the bytes copied and the approximate total. */
  readonly onProgress?: (copied: number, total: number) => void;
  readonly world?: Environment;
}

/** Bound of the page cache while a file is checked. */
const cacheKiB = 8_192;
const progressMs = 200;

/**
 * Copies the database of a data directory (or of an open store) at one point in time, while a node may write to it.
 * @returns the head of the copy
 * @throws StoreRefused when the target exists or can't be written
 */
export async function backup(
  source: string | { readonly dir: string },
  target: string,
  options: BackupOptions = {},
): Promise<JournalHead> {
  const dir = typeof source === 'string' ? source : source.dir;
  if (!existsSync(databaseFile(dir))) throw new StoreRefused(`there is no database in ${dir}`);
  if (existsSync(target)) throw new StoreRefused(`${target} exists already: choose another name or remove it`);
  const partial = `${target}.partial`;
  makeFolder(dirname(resolve(target)));
  rmSync(partial, { force: true });
  closeSync(openSync(partial, 'wx', 0o600));
  // Uses a separate reader thread, because the copy of a large database takes long.
  const copying = new SlowReader(dir);
  const stopReporting = report(partial, await sizeOf(databaseFile(dir)), options);
  try {
    await copying.ask('copyInto', partial);
    const head = inspect(partial);
    settle(partial, target);
    return head;
  } catch (cause) {
    rmSync(partial, { force: true });
    throw new StoreRefused(`the backup to ${target} failed: ${messageOf(cause)}`, { cause });
  } finally {
    stopReporting();
    await copying.close();
  }
}

/**
 * Replaces a data directory's database by a backup.
 * @returns the head of the backup
 * @throws StoreRefused when the file is damaged, foreign or too new, when a node uses the directory, or when there is
 * data and `force` is not set
 */
export async function restore(file: string, dir: string, { force = false } = {}): Promise<JournalHead> {
  if (!existsSync(file)) throw new StoreRefused(`there is no backup at ${file}`);
  const target = databaseFile(dir);
  const found = existsSync(target);
  if (found && !force) throw new StoreRefused(`${dir} has a database already; force the restore to replace it`);
  prepareDirectory(dir);
  const lock = lockDirectory(dir);
  const partial = `${target}.restoring`;
  try {
    copyFileSync(file, partial);
    const head = inspect(partial);
    retireLog(target);
    settle(partial, target);
    return head;
  } catch (error) {
    rmSync(partial, { force: true });
    if (!found) rmSync(target, { force: true });
    throw error;
  } finally {
    lock.release();
  }
}

const reading = <T>(file: string, read: (connection: SqliteConnection) => T): T => {
  const connection = new SqliteConnection(file, { cacheKiB, readOnly: true });
  try {
    return read(connection);
  } finally {
    connection.close();
  }
};

/**
 * Hashes of the texts that the database of a directory has erased; none if there is no database, or if it can't be read,
 * which may be why a backup replaces it.
 */
export function erasedIn(dir: string): readonly string[] {
  try {
    return reading(databaseFile(dir), (connection) =>
      connection
        .rows<[string]>('SELECT id FROM resources WHERE kind = ?')([leafKind])
        .map(([id]) => id),
    );
  } catch {
    return [];
  }
}

/** Those of the texts that the database of a directory has. */
export const textsIn = (dir: string, hashes: readonly string[]): readonly string[] =>
  reading(databaseFile(dir), (connection) => [...new PointReads(connection).texts(hashes).keys()]);

/** The head of a copy, after SQLite has checked the whole file. */
const inspect = (file: string): JournalHead =>
  reading(file, (connection) => {
    try {
      const version = checkSchema(connection);
      if (version === 0) throw new StoreRefused(`${file} is empty`);
      const verdict = connection.value('PRAGMA integrity_check(1)');
      if (verdict !== 'ok') throw new StoreRefused(`${file} is damaged: ${verdict}`);
      return new PointReads(connection).head();
    } catch (cause) {
      if (cause instanceof StoreRefused) throw cause;
      throw new StoreRefused(`${file} can't be read: ${messageOf(cause)}`, { cause });
    }
  });

const sizeOf = async (file: string): Promise<number> => {
  try {
    return (await stat(file)).size;
  } catch {
    // Not created yet, or renamed already.
    return 0;
  }
};

function report(file: string, total: number, { onProgress, world = realEnvironment }: BackupOptions): () => void {
  let stopped = false;
  const next = () =>
    world.after(progressMs, async () => {
      const copied = await sizeOf(file);
      if (stopped) return;
      onProgress?.(Math.min(copied, total), total);
      next();
    });
  if (onProgress) next();
  return () => {
    stopped = true;
  };
}
