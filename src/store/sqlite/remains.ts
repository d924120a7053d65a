/**
 * Reads a possibly damaged database for a rebuild: rows that are not derived from entries, from the tables and without
 * indexes.
 */
import { existsSync } from 'node:fs';
import { sha256Hex } from '../../core/canonical.js';
import type { NumberedEntry, NumberedReceipt } from '../entry.js';
import { derivedTables, type EventQuery, type JournalHead, StoreRefused } from '../store.js';
import { openOrRefuse, SqliteConnection } from './connection.js';
import { type LocalRow, type OwnerRow, ownersIn, recordsIn } from './file-inspection.js';
import { PointReads } from './point-reads.js';
import { numberedEntryEvenIfDamaged } from './rows.js';
import { mustBeCurrent } from './schema.js';
import { SlowReads } from './slow-reads.js';

const cacheKiB = 65_536;

/** Valid rows that are not derived from entries, and the names of those whose hash doesn't match. */
export interface KeptRecords {
  readonly records: readonly LocalRow[];
  readonly owners: readonly OwnerRow[];
  readonly damaged: readonly string[];
}

export const openRemains = (file: string): Remains => {
  if (!existsSync(file)) throw new StoreRefused(`there is no database at ${file}`);
  return openOrRefuse(file, () => new Remains(file));
};

export class Remains {
  readonly #connection: SqliteConnection;
  readonly #point: PointReads;
  readonly #slow: SlowReads;
  /** Contents by the SHA-256 of their bytes. */
  #contents: Map<string, number> | undefined;

  constructor(private readonly file: string) {
    const connection = new SqliteConnection(file, { cacheKiB, readOnly: true });
    this.#connection = connection;
    try {
      mustBeCurrent(connection);
      this.#point = new PointReads(connection);
      this.#slow = new SlowReads(connection);
    } catch (error) {
      connection.close();
      throw error;
    }
  }

  head = async (): Promise<JournalHead> => openOrRefuse(this.file, () => this.#point.head());

  entries = async (query: EventQuery): Promise<NumberedEntry[]> =>
    openOrRefuse(this.file, () => this.#slow.entries(query).map(numberedEntryEvenIfDamaged));

  receipts = async (after: number, limit: number): Promise<NumberedReceipt[]> =>
    openOrRefuse(this.file, () => this.#point.receipts(after, limit));

  content = async (hash: string): Promise<Uint8Array | undefined> =>
    openOrRefuse(this.file, () => {
      this.#contents ??= this.#contentsByHash();
      const row = this.#contents.get(hash);
      return row === undefined
        ? undefined
        : this.#connection.row<[Uint8Array]>('SELECT bytes FROM contents WHERE content = ?', row)?.[0];
    });

  kept(): KeptRecords {
    return openOrRefuse(this.file, () => {
      const damaged: string[] = [];
      const sound = <T>([row, flaw]: readonly [T, string | undefined]): T[] => {
        if (flaw !== undefined) damaged.push(flaw);
        return flaw === undefined ? [row] : [];
      };
      const records = [...recordsIn(this.#connection)]
        .filter(([[name]]) => !derivedTables.includes(name))
        .flatMap(sound);
      const owners = [...ownersIn(this.#connection)].flatMap(sound);
      return { records, owners, damaged };
    });
  }

  close(): void {
    this.#connection.close();
  }

  /** One content at a time, because each may have nearly a megabyte. */
  #contentsByHash(): Map<string, number> {
    const after = (content: number) =>
      this.#connection.row<[number, Uint8Array]>(
        'SELECT content, bytes FROM contents WHERE content > ? ORDER BY content LIMIT 1',
        content,
      );
    const found = new Map<string, number>();
    for (let row = after(0); row; row = after(row[0])) found.set(sha256Hex(row[1]), row[0]);
    return found;
  }
}
