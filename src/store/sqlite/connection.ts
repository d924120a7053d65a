/**
 * A connection to a SQLite file, with rows as typed tuples. libsql quirks are kept here: it binds a missing or
 * undefined parameter as NULL without a word, binds every number as REAL (STRICT tables turn it back), and adds
 * `_metadata` to rows fetched as objects. Statements are prepared once, when the connection's owner is made.
 */
import { existsSync } from 'node:fs';
import Database from 'libsql';
import { StoreRefused } from '../store.js';

export type Value = string | number | null | Uint8Array;
type Arguments = readonly Value[];

/** Waiting for another connection's recovery or checkpoint; nobody else writes. */
const busyTimeoutMs = 5_000;

export interface ConnectionOptions {
  /** Bound of this connection's page cache. */
  readonly cacheKiB: number;
  /** Refuses to write and to create the file. */
  readonly readOnly?: boolean;
}

export class Connection {
  readonly #handle: InstanceType<typeof Database>;

  constructor(
    readonly file: string,
    { cacheKiB, readOnly }: ConnectionOptions,
  ) {
    if (readOnly && !existsSync(file)) throw new StoreRefused(`there is no database at ${file}`);
    try {
      this.#handle = new Database(file, { timeout: busyTimeoutMs });
      this.exec(`PRAGMA cache_size = -${cacheKiB}; PRAGMA query_only = ${readOnly ? 'ON' : 'OFF'}`);
    } catch (cause) {
      throw new StoreRefused(`cannot open the database ${file}: ${messageOf(cause)}`, { cause });
    }
  }

  exec(sql: string): void {
    this.#handle.exec(sql);
  }

  /** The single value of a one-value query. */
  value(sql: string): Value | undefined {
    return this.row<[Value]>(sql)([])?.[0];
  }

  /** Prepares a statement that changes something; the function returns how many rows it changed. */
  change(sql: string): (values: Arguments) => number {
    const statement = this.#handle.prepare(sql);
    return (values) => statement.run(values).changes;
  }

  /** Prepares a query for at most one row. */
  row<T extends Arguments>(sql: string): (values: Arguments) => T | undefined {
    const statement = this.#handle.prepare(sql).raw();
    return (values) => statement.get(values) as T | undefined;
  }

  /** Prepares a query for all its rows. */
  rows<T extends Arguments>(sql: string): (values: Arguments) => T[] {
    const statement = this.#handle.prepare(sql).raw();
    return (values) => statement.all(values) as T[];
  }

  close(): void {
    this.#handle.close();
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
