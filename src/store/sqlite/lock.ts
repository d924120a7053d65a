/**
 * One process per data directory. The lock is an exclusive SQLite transaction on a file of its own, so the
 * operating system takes it back however the holder dies. The pid lies in another file: opening and closing the
 * locked file by hand would drop the holder's POSIX lock.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { StoreRefused } from '../store.js';
import { messageOf } from './connection.js';

export interface DirectoryLock {
  release(): void;
}

export function lockDirectory(dir: string): DirectoryLock {
  const pidFile = join(dir, 'lock.pid');
  const handle = openLock(dir);
  try {
    handle.exec('BEGIN EXCLUSIVE');
  } catch (cause) {
    handle.close();
    const code = (cause as { code?: string }).code;
    if (code !== 'SQLITE_BUSY') throw new StoreRefused(`cannot lock ${dir}: ${messageOf(cause)}`, { cause });
    throw new StoreRefused(
      `the data directory ${dir} is in use by process ${holder(pidFile)}: stop that one first, or use another directory`,
    );
  }
  writeFileSync(pidFile, `${process.pid}\n`, { mode: 0o600 });
  return { release: () => handle.close() };
}

function openLock(dir: string): Database.Database {
  try {
    return new Database(join(dir, 'lock.db'), { timeout: 0 });
  } catch (cause) {
    throw new StoreRefused(`cannot lock ${dir}: ${messageOf(cause)}`, { cause });
  }
}

function holder(pidFile: string): string {
  try {
    return readFileSync(pidFile, 'utf8').trim();
  } catch {
    // The holder is between taking the lock and saying who it is.
    return '(unknown)';
  }
}

/** The process that has the directory, as far as it says so; undefined where none has. Changes nothing. */
export function lockHolder(dir: string): string | undefined {
  const file = join(dir, 'lock.db');
  if (!existsSync(file)) return undefined;
  const handle = new Database(file, { timeout: 0 });
  try {
    handle.prepare('SELECT count(*) FROM sqlite_schema').get();
    return undefined;
  } catch (cause) {
    if ((cause as { code?: string }).code !== 'SQLITE_BUSY') throw cause;
    return holder(join(dir, 'lock.pid'));
  } finally {
    handle.close();
  }
}
