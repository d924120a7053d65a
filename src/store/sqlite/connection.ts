/**
 * A connection to a SQLite file that returns rows as typed tuples. Works around libsql: it binds undefined as NULL
 * silently, binds all numbers as REAL (STRICT tables convert them back), adds `_metadata` to row objects, and aborts
 * on invalid UTF-8 (safe-rows.ts). Statements are prepared at their first use.
 */
import { existsSync } from 'node:fs';
import Database from 'libsql';
import { LRUCache } from 'lru-cache';
import { messageOf } from '../../core/error-message.js';
import { StoreDamaged, StoreRefused } from '../store.js';
import { safeQuery, type Value } from './safe-rows.js';

export type { Value } from './safe-rows.js';

type Row = readonly Value[];

/** A query and what restores its rows, or a statement that changes something. */
type Prepared = readonly [statement: Database.Statement, whole: (row: Value[]) => Value[]];

/** Queries have few combinations of conditions. */
const keptStatements = 500;

/** Timeout for another connection's recovery or checkpoint. */
export const busyTimeoutMs = 5_000;

export interface ConnectionOptions {
  readonly cacheKiB: number;
  /** Allows neither writing nor creating the file. */
  readonly readOnly?: boolean;
}

export class SqliteConnection {
  readonly #handle: InstanceType<typeof Database>;
  readonly #prepared = new LRUCache<string, Prepared>({ max: keptStatements });

  constructor(
    readonly file: string,
    { cacheKiB, readOnly }: ConnectionOptions,
  ) {
    if (readOnly && !existsSync(file)) throw new StoreRefused(`there is no database at ${file}`);
    try {
      this.#handle = new Database(file, { timeout: busyTimeoutMs });
      this.exec(`PRAGMA cache_size = -${cacheKiB}; PRAGMA query_only = ${readOnly ? 'ON' : 'OFF'}`);
    } catch (cause) {
      const advice = isDamage(cause) ? `. ${damageAdvice}` : '';
      throw new StoreRefused(`cannot open the database ${file}: ${messageOf(cause)}${advice}`, { cause });
    }
  }

  exec(sql: string): void {
    this.#reading(() => this.#handle.exec(sql));
  }

  value(sql: string): Value | undefined {
    return this.row<[Value]>(sql)?.[0];
  }

  /** Runs a statement. @returns how many rows it changed */
  change(sql: string, ...values: Row): number {
    return this.#reading(() => {
      const [statement] = this.#kept(sql, () => [this.#handle.prepare(sql), (row) => row]);
      return statement.run(values).changes;
    });
  }

  row<T extends Row>(sql: string, ...values: Row): T | undefined {
    return this.#reading(() => {
      const [statement, whole] = this.#query(sql);
      const row = statement.get(values) as Value[] | undefined;
      return row && (whole(row) as unknown as T);
    });
  }

  rows<T extends Row>(sql: string, ...values: Row): T[] {
    return this.#reading(() => {
      const [statement, whole] = this.#query(sql);
      return (statement.all(values) as Value[][]).map(whole) as unknown as T[];
    });
  }

  #query(sql: string): Prepared {
    return this.#kept(sql, () => {
      const statement = this.#handle.prepare(sql).raw();
      if (!/^(SELECT|WITH)\s/.test(sql)) return [statement, (row) => row];
      const safe = safeQuery(sql, statement.columns());
      return [this.#handle.prepare(safe.sql).raw(), safe.whole];
    });
  }

  #kept(sql: string, prepare: () => Prepared): Prepared {
    const known = this.#prepared.get(sql);
    if (known) return known;
    const prepared = prepare();
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  #reading<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      if (!isDamage(cause)) throw cause;
      throw new StoreDamaged(`${this.file} is damaged: ${messageOf(cause)}. ${damageAdvice}`, { cause });
    }
  }

  close(): void {
    this.#handle.close();
  }
}

const isDamage = (cause: unknown): boolean => /^SQLITE_(CORRUPT|NOTADB)/.test((cause as { code?: string }).code ?? '');

const damageAdvice =
  'Restore a backup with svc-node restore; svc-node rebuild helps only where the journal itself can still be read';

/** Turns errors while opening a database into a StoreRefused with advice. */
export function openOrRefuse<T>(file: string, open: () => T): T {
  try {
    return open();
  } catch (cause) {
    throw refusal(file, cause);
  }
}

/** Errors of the operating system are kept, because their message is clear. */
export function refusal(file: string, cause: unknown): unknown {
  if (cause instanceof StoreRefused || (cause as NodeJS.ErrnoException).syscall) return cause;
  if (cause instanceof StoreDamaged) return new StoreRefused(cause.message, { cause });
  return new StoreRefused(`${file} can't be used: ${messageOf(cause)}. ${damageAdvice}`, { cause });
}
