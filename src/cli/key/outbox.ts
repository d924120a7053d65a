/**
 * Signed writes that have no answer yet, in a file beside the key: on disk before they are sent, and gone once they are
 * answered. The file is an SQLite database for its lock, which the operating system releases however its holder ends: the
 * writes of a key name each other, so one process at a time makes them.
 */
import { closeSync, constants, openSync } from 'node:fs';
import Database from 'libsql';
import type { SignedWrite } from '../../../packages/client/src/signing/key-writes.js';
import { messageOf } from '../../core/error-message.js';
import { CommandFailed } from '../failure.js';

const { O_WRONLY, O_CREAT, O_NOFOLLOW } = constants;

export interface LeftWrite {
  /** Hash of what the caller asked for. */
  readonly request: string;
  readonly write: SignedWrite;
}

export class KeyOutbox {
  private constructor(private readonly database: Database.Database) {}

  static open(path: string, waitMs: number): KeyOutbox {
    try {
      closeSync(openSync(path, O_WRONLY | O_CREAT | O_NOFOLLOW, 0o600));
      const database = new Database(path, { timeout: waitMs });
      database.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = ON');
      // The lock is kept from inside the transaction on: processes that wait in that mode would keep each other out.
      database.exec('BEGIN EXCLUSIVE; PRAGMA locking_mode = EXCLUSIVE');
      database.exec(
        'CREATE TABLE IF NOT EXISTS writes (hash TEXT PRIMARY KEY, request TEXT, write TEXT) STRICT; COMMIT',
      );
      return new KeyOutbox(database);
    } catch (error) {
      const isBusy = (error as { code?: string }).code === 'SQLITE_BUSY';
      const why = isBusy ? 'another command is signing with this key' : messageOf(error);
      throw new CommandFailed(`${path}, which keeps signed writes until they are answered, cannot be used: ${why}`);
    }
  }

  /** Oldest first. */
  left(): LeftWrite[] {
    const rows = this.database.prepare('SELECT request, write FROM writes ORDER BY rowid').all();
    return (rows as { request: string; write: string }[]).map(({ request, write }) => ({
      request,
      write: JSON.parse(write) as SignedWrite,
    }));
  }

  put(request: string, write: SignedWrite): void {
    const row = [write.event.hash, request, JSON.stringify(write)];
    this.database.prepare('INSERT OR IGNORE INTO writes VALUES (?, ?, ?)').run(...row);
  }

  drop({ event }: SignedWrite): void {
    this.database.prepare('DELETE FROM writes WHERE hash = ?').run(event.hash);
  }

  close(): void {
    // The lock ends with the next access in normal mode; a connection that has prepared statements is closed much later.
    this.database.exec('PRAGMA locking_mode = NORMAL; SELECT 1 FROM writes');
    this.database.close();
  }
}
