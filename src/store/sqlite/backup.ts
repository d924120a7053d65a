/**
 * Backup of a database in use, and restore. A backup is one plain SQLite file: compact, without write-ahead log, as
 * secret as the database itself (0600). It is complete or absent: it gets its name when it is on disk.
 */
import { closeSync, copyFileSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { makeFolder } from '../../durable-file.js';
import { realWorld, type World } from '../../world.js';
import { type Head, StoreRefused } from '../store.js';
import { Connection, messageOf } from './connection.js';
import { databaseFile, openWriting, prepareDirectory, syncDirectory } from './durable.js';
import { lockDirectory } from './lock.js';
import { PointReads } from './point-reads.js';
import { checkSchema } from './schema.js';
import { SlowReader } from './slow-reader.js';

export interface BackupOptions {
  /** Bytes copied so far, of about so many in all; a few times a second. */
  readonly onProgress?: (copied: number, total: number) => void;
  readonly world?: World;
}

/** Bound of the page cache while a file is checked. */
const cacheKiB = 8_192;
const progressMs = 200;

/**
 * Copies the database of a data directory (or of an open store) as it stands at one moment, while a node writes
 * to it; resolves with the head of the copy. Throws StoreRefused when the target exists or can't be written.
 */
export async function backup(
  source: string | { readonly dir: string },
  target: string,
  options: BackupOptions = {},
): Promise<Head> {
  const dir = typeof source === 'string' ? source : source.dir;
  if (!existsSync(databaseFile(dir))) throw new StoreRefused(`there is no database in ${dir}`);
  if (existsSync(target)) throw new StoreRefused(`${target} exists already: choose another name or remove it`);
  const partial = `${target}.partial`;
  makeFolder(dirname(resolve(target)));
  rmSync(partial, { force: true });
  closeSync(openSync(partial, 'wx', 0o600));
  // A reader thread of its own: the copy of a big database takes long, and the store's readers go on meanwhile.
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
 * Puts a backup in the place of a data directory's database; resolves with its head. Throws StoreRefused when the
 * file is damaged, not ours or too new, when a node runs on the directory, or when there is data and no `force`.
 */
export async function restore(file: string, dir: string, { force = false } = {}): Promise<Head> {
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
    retireLog(dir);
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

/** The head of a copy, after SQLite has read all of it without finding damage. */
function inspect(file: string): Head {
  const connection = new Connection(file, { cacheKiB, readOnly: true });
  try {
    const version = checkSchema(connection);
    if (version === 0) throw new StoreRefused(`${file} is empty`);
    const verdict = connection.value('PRAGMA integrity_check(1)');
    if (verdict !== 'ok') throw new StoreRefused(`${file} is damaged: ${verdict}`);
    return new PointReads(connection).head();
  } catch (cause) {
    if (cause instanceof StoreRefused) throw cause;
    throw new StoreRefused(`${file} can't be read: ${messageOf(cause)}`, { cause });
  } finally {
    connection.close();
  }
}

/** Old log frames must never meet the new file: fold them into the old one, and remove what is left of them. */
function retireLog(dir: string): void {
  try {
    openWriting(dir).close();
  } catch {
    // The old database may be the broken one for whose sake this is done.
  }
  for (const suffix of ['-wal', '-shm']) rmSync(databaseFile(dir) + suffix, { force: true });
  syncDirectory(dir);
}

/** On disk first, then under its name. */
function settle(partial: string, target: string): void {
  const handle = openSync(partial, 'r+');
  fsyncSync(handle);
  closeSync(handle);
  renameSync(partial, target);
  syncDirectory(dirname(target));
}

const sizeOf = async (file: string): Promise<number> => {
  try {
    return (await stat(file)).size;
  } catch {
    // Not there yet, or renamed already: the next report knows.
    return 0;
  }
};

function report(file: string, total: number, { onProgress, world = realWorld }: BackupOptions): () => void {
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
