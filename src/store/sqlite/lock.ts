/**
 * Allows one process per data directory. The lock is an exclusive SQLite transaction on a separate file, which the
 * operating system releases however the holder ends. The pid is in another file, because opening and closing the
 * locked file would drop the POSIX lock.
 */
import { chmodSync, closeSync, constants, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';
import { messageOf } from '../../core/error-message.js';
import { StoreRefused } from '../store.js';

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
    if (code !== 'SQLITE_BUSY')
      throw new StoreRefused(`cannot lock ${dir} (SVC_DATA_DIR): ${messageOf(cause)}`, { cause });
    throw new StoreRefused(
      `the data directory ${dir} is in use by process ${holder(pidFile)}: stop that one first, or use another directory (SVC_DATA_DIR)`,
    );
  }
  const { O_WRONLY, O_CREAT, O_TRUNC, O_NOFOLLOW } = constants;
  const pid = openSync(pidFile, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0o600);
  writeFileSync(pid, `${process.pid}\n`);
  closeSync(pid);
  return { release: () => handle.close() };
}

function openLock(dir: string): Database.Database {
  const file = join(dir, 'lock.db');
  try {
    // Creates the file with owner permissions: anyone who can open it could lock it.
    if (existsSync(file)) chmodSync(file, 0o600);
    else closeSync(openSync(file, 'a', 0o600));
    return new Database(file, { timeout: 0 });
  } catch (cause) {
    throw new StoreRefused(`cannot lock ${dir} (SVC_DATA_DIR): ${messageOf(cause)}`, { cause });
  }
}

function holder(pidFile: string): string {
  try {
    return readFileSync(pidFile, 'utf8').trim();
  } catch {
    // The holder has the lock but hasn't written its pid yet.
    return '(unknown)';
  }
}

/**
 * The pid of the process that uses the directory, or a placeholder if it has not written it yet; undefined if no
 * process does. Changes nothing.
 */
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
