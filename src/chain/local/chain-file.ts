/**
 * The file of the embedded chain: a row for each account, code, slot and block. A save writes only changed rows, so its cost
 * does not grow with the chain. The file is a cache: missing state is settled again from the journal.
 */
import { closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs';
import Database from 'libsql';
import { messageOf } from '../../core/error-message.js';
import type { StoredBlock } from './block-list.js';

/** `value` is undefined when the row was deleted. */
export type StateRow = readonly [name: string, value: Uint8Array | undefined];

export interface ChainChanges {
  readonly rows: Iterable<StateRow>;
  readonly blocks: Iterable<StoredBlock>;
  /** Blocks before this number are deleted. */
  readonly firstBlock: number;
}

export interface SavedChain {
  readonly rows: Iterable<readonly [name: string, value: Uint8Array]>;
  readonly blocks: readonly StoredBlock[];
}

class IncompatibleChainFile extends Error {
  override name = 'IncompatibleChainFile';
}

const tables = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS chain (id TEXT PRIMARY KEY) STRICT;
  CREATE TABLE IF NOT EXISTS state (id INTEGER PRIMARY KEY, name TEXT NOT NULL, value BLOB) STRICT;
  CREATE TABLE IF NOT EXISTS blocks (number INTEGER PRIMARY KEY, block TEXT NOT NULL) STRICT;
`;

export class ChainFile {
  readonly save: (changes: ChainChanges) => void;

  /** @param ids of rows by name. Integer ids append new rows, whereas an index by name would touch a page for each. */
  private constructor(
    private readonly database: Database.Database,
    ids: Map<string, number>,
  ) {
    const put = database.prepare('INSERT OR REPLACE INTO state (id, name, value) VALUES (?, ?, ?)');
    const putBlock = database.prepare('INSERT OR REPLACE INTO blocks (number, block) VALUES (?, ?)');
    const forget = database.prepare('DELETE FROM blocks WHERE number < ?');
    this.save = database.transaction(({ rows, blocks, firstBlock }: ChainChanges) => {
      for (const [name, value] of rows) {
        const id = ids.get(name) ?? ids.size + 1;
        ids.set(name, id);
        put.run([id, name, value ?? null]);
      }
      for (const block of blocks) putBlock.run([block.number, JSON.stringify(block)]);
      forget.run([firstBlock]);
    });
  }

  /** @returns `flaw`: the reason why an existing file is not used; it is kept next to the new one */
  static open(path: string, chainId: number): { file: ChainFile; saved: SavedChain; flaw?: string } {
    try {
      return ChainFile.#open(path, chainId);
    } catch (error) {
      if (existsSync(path)) renameSync(path, `${path}.bad`);
      for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
      return { ...ChainFile.#open(path, chainId), flaw: messageOf(error) };
    }
  }

  static #open(path: string, chainId: number): { file: ChainFile; saved: SavedChain } {
    closeSync(openSync(path, 'a', 0o600));
    const database = new Database(path);
    try {
      database.exec(tables);
      const all = <T>(sql: string): T[] => database.prepare(sql).raw().all() as T[];
      const [id] = all<[string]>('SELECT id FROM chain')[0] ?? [];
      if (id === undefined) database.prepare('INSERT INTO chain (id) VALUES (?)').run([String(chainId)]);
      else if (id !== String(chainId)) throw new IncompatibleChainFile(`it is of chain ${id}`);
      const blocks = all<[string]>('SELECT block FROM blocks ORDER BY number');
      const rows = all<[number, string, Uint8Array | null]>('SELECT id, name, value FROM state');
      const saved = {
        rows: rows.flatMap(([, name, value]): [string, Uint8Array][] => (value === null ? [] : [[name, value]])),
        blocks: blocks.map(([block]) => JSON.parse(block) as StoredBlock),
      };
      return { file: new ChainFile(database, new Map(rows.map(([id, name]) => [name, id]))), saved };
    } catch (error) {
      database.close();
      throw error;
    }
  }

  close(): void {
    this.database.close();
  }
}
