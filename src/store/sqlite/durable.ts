/** Opens the one connection that writes, and refuses one that would not keep what it acknowledges. */
import { accessSync, closeSync, constants, existsSync, fsyncSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../../durable-file.js';
import { StoreRefused } from '../store.js';
import { Connection, messageOf } from './connection.js';

export const databaseFile = (dir: string): string => join(dir, 'journal.db');

/** Bounds of the writer's memory and of the write-ahead log: a checkpoint each 16 MiB, cut back to 64 MiB. */
const bounds = { cacheKiB: 8_192, checkpointPages: 4_096, logBytes: 64 * 1024 * 1024 };

/** Makes the directory and an empty file for its owner alone, before SQLite would make them for everyone. */
export function prepareDirectory(dir: string): void {
  const file = databaseFile(dir);
  try {
    makeFolder(dir);
    if (!existsSync(file)) {
      closeSync(openSync(file, 'a', 0o600));
      syncDirectory(dir);
    }
  } catch (cause) {
    throw new StoreRefused(`cannot make the data directory ${dir}: ${messageOf(cause)}`, { cause });
  }
  mustBeWritable(file);
}

/** SQLite opens what it may only read, and fails at the first write. */
function mustBeWritable(file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (cause) {
    throw new StoreRefused(`cannot write ${file}: ${messageOf(cause)}`, { cause });
  }
}

/** A new or renamed file is durable only after its directory is. */
export function syncDirectory(dir: string): void {
  const handle = openSync(dir, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

/** `synchronous` is what SQLite is asked for; only a test asks for less than is then demanded. */
export function openWriting(dir: string, synchronous = 'FULL'): Connection {
  const connection = new Connection(databaseFile(dir), { cacheKiB: bounds.cacheKiB });
  connection.value('PRAGMA journal_mode = WAL');
  connection.value(`PRAGMA wal_autocheckpoint = ${bounds.checkpointPages}`);
  connection.value(`PRAGMA journal_size_limit = ${bounds.logBytes}`);
  connection.exec(`PRAGMA synchronous = ${synchronous}`);
  // macOS: its fsync alone does not reach the disk.
  connection.exec('PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON');
  try {
    verifyDurable(connection);
  } catch (error) {
    connection.close();
    throw error;
  }
  return connection;
}

/** Reads back what makes a COMMIT durable; a setting can fail without an error (file system, build of SQLite). */
function verifyDurable(connection: Connection): void {
  const mode = connection.value('PRAGMA journal_mode');
  const synchronous = connection.value('PRAGMA synchronous');
  if (mode === 'wal' && synchronous === 2) return;
  throw new StoreRefused(
    `${connection.file} runs with journal_mode ${mode} and synchronous ${synchronous} instead of wal and 2 (FULL): ` +
      'a reply could be lost in a power cut; use a local file system that supports shared memory',
  );
}
