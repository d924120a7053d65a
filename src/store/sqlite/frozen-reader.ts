/**
 * The journal and what the store makes of it as they stand at one moment, while a node goes on writing: what an
 * audit compares must belong together. Takes no lock and changes nothing; until `close` the write-ahead log grows.
 */
import { existsSync } from 'node:fs';
import { entryEvenIfDamaged, type NumberedEntry, noHash } from '../entry.js';
import { type EventQuery, type Snapshot, type StoreReader, StoreRefused } from '../store.js';
import { Connection } from './connection.js';
import { databaseFile } from './durable.js';
import { SqliteInspection } from './inspection.js';
import { PointReads } from './point-reads.js';
import { checkSchema, schemaVersion } from './schema.js';
import { SlowReads } from './slow-reads.js';
import { SqliteReader } from './sqlite-reader.js';

const cacheKiB = 65_536;

/** Opens the database of a data directory for one long look. Throws StoreRefused when there is none that is ours. */
export function openFrozen(dir: string): FrozenReader {
  if (!existsSync(databaseFile(dir))) throw new StoreRefused(`there is no journal in ${dir}`);
  return new FrozenReader(dir);
}

/** Of the moment it was opened: head, entries, load, account, totals, census, receipts. The rest is of now. */
export class FrozenReader extends SqliteReader {
  readonly #connection: Connection;
  readonly #point: PointReads;
  readonly #slow: SlowReads;
  readonly inspection: SqliteInspection;

  constructor(dir: string) {
    const connection = new Connection(databaseFile(dir), { cacheKiB, readOnly: true });
    try {
      const version = checkSchema(connection);
      if (version !== schemaVersion) {
        throw new StoreRefused(`${connection.file} has schema version ${version}: start the node once to bring it up`);
      }
      super(dir);
    } catch (error) {
      connection.close();
      throw error;
    }
    this.#connection = connection;
    this.#point = new PointReads(connection);
    this.#slow = new SlowReads(connection);
    this.inspection = new SqliteInspection(connection);
    // The first read within the transaction fixes what all others see.
    connection.exec('BEGIN');
    this.#point.head();
  }

  override head = async () => this.#point.head();
  override account = async (did: string) => this.#point.account(did);
  override receipts = async (after: number, limit: number) => this.#point.receipts(after, limit);

  override load = async (...[kind, id]: Parameters<StoreReader['load']>): Promise<Snapshot | undefined> => {
    try {
      return this.#point.load(kind, id);
    } catch (error) {
      if (error instanceof SyntaxError) return undefined; // its text was damaged: not what the journal gives
      throw error;
    }
  };

  override async totals() {
    const [supply, fees, available, reserved, escrowed] = this.#slow.totals();
    return { supply, fees, available, reserved, escrowed };
  }

  override async census() {
    return this.#slow.census().map(([kind, state, count]) => ({ kind, state, count }));
  }

  override async entries(query: EventQuery): Promise<NumberedEntry[]> {
    return this.#slow.entries(query).map(([seq, entryHash, prevEntry, chainHash, core, payload]) => {
      return { ...entryEvenIfDamaged(core, payload, entryHash), seq, prevEntry: prevEntry ?? noHash, chainHash };
    });
  }

  async close(): Promise<void> {
    await this.closeReading();
    this.#connection.exec('ROLLBACK');
    this.#connection.close();
  }
}
