/** Opens the writing connection and verifies that its commits are durable. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder, strangersIn } from '../../core/durable-file.js';
import { messageOf } from '../../core/error-message.js';
import { StoreRefused } from '../store.js';
import { SqliteConnection } from './connection.js';
import { segmentsFolder } from './segment.js';

export const databaseFile = (dir: string): string => join(dir, 'journal.db');

/** Page cache of the writer, and bounds of the write-ahead log: a checkpoint every 16 MiB, truncated to 64 MiB. */
const bounds = { cacheKiB: 8_192, checkpointPages: 4_096, logBytes: 64 * 1024 * 1024 };

/**
 * Creates the directory and an empty file with owner permissions, because SQLite would use wider ones.
 * @param segmentsDir directory of the segments outside of it, to which a link leads
 */
export function prepareDirectory(dir: string, segmentsDir?: string): void {
  const file = databaseFile(dir);
  const strangers = strangersIn(dir) ?? (segmentsDir && strangersIn(segmentsDir, 'the directory of segments'));
  if (strangers !== undefined) throw new StoreRefused(strangers);
  try {
    makeFolder(dir);
    if (!existsSync(file)) {
      closeSync(openSync(file, 'a', 0o600));
      syncDirectory(dir);
    }
    if (segmentsDir !== undefined) linkSegments(segmentsFolder(file), segmentsDir);
  } catch (cause) {
    if (cause instanceof StoreRefused) throw cause;
    throw new StoreRefused(`cannot make the data directory ${dir} (SVC_DATA_DIR): ${messageOf(cause)}`, { cause });
  }
  mustBeWritable(file);
}

/** @throws StoreRefused if there is something else where the link should be */
export function linkSegments(link: string, segmentsDir: string): void {
  const made = makeFolder(segmentsDir);
  for (let at = segmentsDir; made !== undefined && at !== dirname(made); at = dirname(at)) syncDirectory(dirname(at));
  const found = lstatSync(link, { throwIfNoEntry: false });
  if (!found) {
    symlinkSync(segmentsDir, link);
    syncDirectory(dirname(link));
    return;
  }
  if (found.isSymbolicLink() && readlinkSync(link) === segmentsDir) return;
  throw new StoreRefused(
    `${link} does not lead to ${segmentsDir} (SVC_SEGMENTS_DIR): move its files there, remove it, and start again`,
  );
}

/** Checks write permission, because SQLite opens a read-only file and fails only at the first write. */
function mustBeWritable(file: string): void {
  try {
    accessSync(file, constants.R_OK | constants.W_OK);
  } catch (cause) {
    throw new StoreRefused(`cannot write ${file} (SVC_DATA_DIR): ${messageOf(cause)}`, { cause });
  }
}

/** A new or renamed file is durable only after its directory is. */
export function syncDirectory(dir: string): void {
  const handle = openSync(dir, 'r');
  fsyncSync(handle);
  closeSync(handle);
}

export interface WritingOptions {
  readonly cacheKiB?: number | undefined;
  /** The setting requested from SQLite; only tests request less than what is verified. */
  readonly synchronous?: string;
}

export function openWriting(dir: string, options: WritingOptions = {}): SqliteConnection {
  const { synchronous = 'FULL' } = options;
  const connection = new SqliteConnection(databaseFile(dir), { cacheKiB: bounds.cacheKiB });
  connection.value('PRAGMA journal_mode = WAL');
  connection.value(`PRAGMA wal_autocheckpoint = ${bounds.checkpointPages}`);
  connection.value(`PRAGMA journal_size_limit = ${bounds.logBytes}`);
  connection.exec(`PRAGMA synchronous = ${synchronous}`);
  // Of an erased text, no copy may stay in the free space of pages.
  connection.exec('PRAGMA secure_delete = ON');
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

/** Reads the settings back that make commits durable, because setting them can fail without an error. */
function verifyDurable(connection: SqliteConnection): void {
  const mode = connection.value('PRAGMA journal_mode');
  const synchronous = connection.value('PRAGMA synchronous');
  if (mode === 'wal' && synchronous === 2) return;
  throw new StoreRefused(
    `${connection.file} runs with journal_mode ${mode} and synchronous ${synchronous} instead of wal and 2 (FULL): ` +
      'a reply could be lost in a power cut; use a local file system that supports shared memory',
  );
}

/** Applies the old file's write-ahead log and deletes it, because its frames must not be applied to the new file. */
export function retireLog(file: string): void {
  try {
    // Backups have no write-ahead log.
    if (existsSync(`${file}-wal`)) openWriting(dirname(file)).close();
  } catch {
    // Ignored: the old database may be damaged, which is why it is being replaced.
  }
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  syncDirectory(dirname(file));
}

/** Syncs the file before it is renamed. */
export function settle(partial: string, target: string): void {
  const handle = openSync(partial, 'r+');
  fsyncSync(handle);
  closeSync(handle);
  renameSync(partial, target);
  syncDirectory(dirname(target));
}
