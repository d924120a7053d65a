/**
 * Backs up a database in use, and restores it. A backup is one SQLite file without write-ahead log, with the same
 * permissions as the database (0600), and the segments in the folder beside it. It gets its name when it is complete and on disk.
 */
import { closeSync, copyFileSync, existsSync, openSync, rmSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { sha256Hex } from '../../core/canonical.js';
import { makeFolder, unlessMissing, writeFileDurably } from '../../core/durable-file.js';
import { type Environment, realEnvironment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import { type ErasureInput, leafKind } from '../../machines/leaf/leaf.js';
import { type JournalHead, redactionsTable, StoreRefused } from '../store.js';
import { SqliteConnection } from './connection.js';
import { databaseFile, prepareDirectory, retireLog, settle } from './durable.js';
import { segmentNames } from './entry-rows.js';
import type { SegmentName } from './job.js';
import { lockDirectory } from './lock.js';
import { PointReads } from './point-reads.js';
import { LocalRecords } from './records.js';
import { checkSchema } from './schema.js';
import { segmentFile, segmentsFolder } from './segment.js';
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
    const { head, segments } = reading(partial, (copy) => ({ head: inspect(copy), segments: segmentNames(copy) }));
    await copySegments(segments, databaseFile(dir), target);
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

/** Erasures, by the hash of the text. */
export type Redactions = ReadonlyMap<string, ErasureInput>;

export interface RestoreOptions {
  readonly force?: boolean;
  /** Erasures that neither the backup nor the replaced database may know. */
  readonly redactions?: Redactions | undefined;
  /** Directory of the segments outside of the data directory. */
  readonly segmentsDir?: string | undefined;
}

export interface Restored {
  readonly head: JournalHead;
  /** Erasures that the next start applies to the backup. */
  readonly redactions: number;
  /** False if the replaced database is damaged, so that erasures in it may be missing. */
  readonly knowsAll: boolean;
}

/**
 * Replaces a data directory's database by a backup. The erasures that the backup lacks become records of the new
 * database, so that they are in place with it or not at all (docs/reference/erasure.md#after-a-restore).
 * @throws StoreRefused when the file is damaged, foreign or too new, when a node uses the directory, or when there is
 * data and `force` is not set
 */
export async function restore(
  file: string,
  dir: string,
  { force = false, redactions = new Map(), segmentsDir }: RestoreOptions = {},
): Promise<Restored> {
  if (!existsSync(file)) throw new StoreRefused(`there is no backup at ${file}`);
  const target = databaseFile(dir);
  const found = existsSync(target);
  if (found && !force) throw new StoreRefused(`${dir} has a database already; force the restore to replace it`);
  prepareDirectory(dir, segmentsDir);
  const lock = lockDirectory(dir);
  const partial = `${target}.restoring`;
  try {
    copyFileSync(file, partial);
    const replaced = found ? redactionsIn(target) : { redactions: new Map(), isWhole: true };
    const known = new Map([...redactions, ...replaced.redactions]);
    // One connection for both: libsql closes one only when its statements are collected, and SQLite's lock stays until then.
    const { head, segments, kept } = using(new SqliteConnection(partial, { cacheKiB }), (connection) => ({
      head: inspect(connection),
      segments: segmentNames(connection),
      kept: keepRedactions(connection, known),
    }));
    await copySegments(segments, file, target);
    retireLog(target);
    settle(partial, target);
    return { head, redactions: kept, knowsAll: replaced.isWhole };
  } catch (error) {
    rmSync(partial, { force: true });
    if (!found) rmSync(target, { force: true });
    throw error;
  } finally {
    lock.release();
  }
}

/**
 * Copies the segments beside a database to those beside another one. A whole file of that name is left: a backup copies
 * only those that an earlier one beside it lacks.
 * @throws StoreRefused if one is missing or damaged
 */
async function copySegments(names: readonly SegmentName[], database: string, to: string): Promise<void> {
  const [source, target] = [segmentsFolder(resolve(database)), segmentsFolder(resolve(to))];
  if (names.length === 0 || source === target) return;
  makeFolder(target);
  for (const name of names) {
    const copy = join(target, segmentFile(name));
    const isWhole = (bytes: Buffer | undefined): bytes is Buffer => !!bytes && sha256Hex(bytes) === name.sha256;
    if (isWhole(await unlessMissing(readFile(copy)))) continue;
    const file = join(source, segmentFile(name));
    const bytes = await unlessMissing(readFile(file));
    if (!isWhole(bytes))
      throw new StoreRefused(`the segment ${file}, up to entry ${name.last}, is ${bytes ? 'damaged' : 'missing'}`);
    await writeFileDurably(copy, bytes);
  }
}

function using<T>(connection: SqliteConnection, use: (connection: SqliteConnection) => T): T {
  try {
    return use(connection);
  } finally {
    connection.close();
  }
}

const reading = <T>(file: string, read: (connection: SqliteConnection) => T): T =>
  using(new SqliteConnection(file, { cacheKiB, readOnly: true }), read);

/** The erasures in a database, and those that it was to apply; up to the first damage, which may be why it is replaced. */
function redactionsIn(file: string): { readonly redactions: Redactions; readonly isWhole: boolean } {
  const redactions = new Map<string, ErasureInput>();
  try {
    reading(file, (connection) => {
      const reads = new PointReads(connection);
      for (const { id, value } of reads.listLocal(redactionsTable)) redactions.set(id, value as ErasureInput);
      const erased = connection.rows<[string]>('SELECT id FROM resources WHERE kind = ?', leafKind);
      for (const [id] of erased) redactions.set(id, reads.load(leafKind, id)!.context as ErasureInput);
    });
  } catch (error) {
    // An error of the operating system says nothing about the file.
    if ((error as NodeJS.ErrnoException).syscall) throw error;
    return { redactions, isWhole: false };
  }
  return { redactions, isWhole: true };
}

/**
 * Records those erasures that the database lacks. Also those of texts that it does not have: a later restore may bring
 * them.
 * @returns the number of all that are recorded
 */
function keepRedactions(connection: SqliteConnection, redactions: Redactions): number {
  // No second file, which a crash would leave to be applied to another copy.
  connection.value('PRAGMA journal_mode = MEMORY');
  const reads = new PointReads(connection);
  const local = new LocalRecords(connection);
  connection.exec('BEGIN');
  for (const [hash, redaction] of redactions) {
    if (!reads.load(leafKind, hash)) local.put(redactionsTable, hash, JSON.stringify(redaction), 0);
  }
  connection.exec('COMMIT');
  return reads.listLocal(redactionsTable).length;
}

function inspect(connection: SqliteConnection): JournalHead {
  const { file } = connection;
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
}

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
