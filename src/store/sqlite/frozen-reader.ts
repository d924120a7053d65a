/**
 * Reads the journal and its projections at one point in time, while a node continues to write, so that an audit
 * compares consistent data. It takes no lock. The write-ahead log grows until `close`.
 */
import { existsSync } from 'node:fs';
import type { NumberedEntry } from '../entry.js';
import { damaged } from '../journal-end.js';
import { type EventQuery, StoreRefused } from '../store.js';
import { openOrRefuse, SqliteConnection } from './connection.js';
import { databaseFile } from './durable.js';
import { SqliteInspection } from './inspection.js';
import { lockHolder } from './lock.js';
import { violationOfLog } from './log-inspection.js';
import { PointReads } from './point-reads.js';
import { numberedEntryEvenIfDamaged } from './rows.js';
import { mustBeCurrent, schemaVersion, violationOfLayout } from './schema.js';
import { SlowReads } from './slow-reads.js';
import { SqliteReader } from './sqlite-reader.js';

const cacheKiB = 8_192;

/**
 * Opens a data directory's database for a consistent read.
 * @throws StoreRefused if there is no database of this program
 */
export function openFrozen(dir: string): FrozenReader {
  if (!existsSync(databaseFile(dir))) throw new StoreRefused(`there is no journal in ${dir}`);
  // The log of a running node can't be checked from outside, because the node writes to it.
  const flaw = lockHolder(dir) === undefined ? violationOfLog(databaseFile(dir)) : undefined;
  if (flaw !== undefined) throw damaged(flaw);
  return openOrRefuse(databaseFile(dir), () => new FrozenReader(dir));
}

/**
 * Consistent as of the opening: head, entries, load, account, totals, census, receipts, contents. Other reads see the
 * current state.
 */
export class FrozenReader extends SqliteReader {
  readonly #connection: SqliteConnection;
  readonly #point: PointReads;
  readonly #slow: SlowReads;
  readonly inspection: SqliteInspection;

  constructor(dir: string) {
    const connection = new SqliteConnection(databaseFile(dir), { cacheKiB, readOnly: true });
    try {
      mustBeCurrent(connection);
      const flaw = violationOfLayout(connection, schemaVersion);
      if (flaw !== undefined) throw damaged(flaw);
      super(dir);
    } catch (error) {
      connection.close();
      throw error;
    }
    this.#connection = connection;
    this.#point = new PointReads(connection);
    this.#slow = new SlowReads(connection);
    this.inspection = new SqliteInspection(connection);
    // The first read of the transaction fixes its snapshot.
    connection.exec('BEGIN');
    this.#point.head();
  }

  override head = async () => this.#point.head();
  override account = async (did: string) => this.#point.account(did);
  override searchRules = async () => this.#slow.searchRules();
  override content = async (hash: string) => this.#point.content(hash);
  override texts = async (hashes: readonly string[]) => this.#point.texts(hashes);
  override receipts = async (after: number, limit: number) => this.#point.receipts(after, limit);

  override load = async (kind: string, id: string) => this.#point.load(kind, id);

  override async totals() {
    const [supply, fees, available, reserved, escrowed] = this.#slow.totals();
    return { supply, fees, available, reserved, escrowed };
  }

  override async census() {
    return this.#slow.census().map(([kind, state, count]) => ({ kind, state, count }));
  }

  override async entries(query: EventQuery): Promise<NumberedEntry[]> {
    return this.#slow.entries(query).map(numberedEntryEvenIfDamaged);
  }

  async close(): Promise<void> {
    await this.closeReading();
    this.#connection.exec('ROLLBACK');
    this.#connection.close();
  }
}
