/** Collects rows and inserts them together: for a small row, a call of SQLite costs several times the insert. */
import type { SqliteConnection, Value } from './connection.js';

export interface BulkOptions {
  /** `INSERT INTO <table> (…)`. */
  readonly insert: string;
  /** Number of values per row. */
  readonly columns: number;
  /** SQL of a row, with its values as `?1`, `?2` …; the default lists them. */
  readonly row?: string;
  /** SQL after the rows, such as ON CONFLICT. */
  readonly ending?: string;
}

/** Rows of the largest statement. Smaller statements have half as many each, down to one. */
const mostRows = 64;

export class Bulk {
  #values: Value[] = [];
  readonly #connection: SqliteConnection;
  readonly #options: BulkOptions;
  /** Prepared statements by number of rows. */
  readonly #statements = new Map<number, (values: readonly Value[]) => number>();

  constructor(connection: SqliteConnection, options: BulkOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#statement(1);
  }

  add(...row: readonly Value[]): void {
    this.#values.push(...row);
  }

  /** Inserts the collected rows in order. */
  flush(): void {
    const { columns } = this.#options;
    const values = this.#values;
    if (values.length === 0) return;
    this.#values = [];
    let rows = mostRows;
    for (let from = 0; from < values.length; from += rows * columns) {
      while (from + rows * columns > values.length) rows /= 2;
      this.#statement(rows)(values.slice(from, from + rows * columns));
    }
  }

  #statement(rows: number): (values: readonly Value[]) => number {
    let statement = this.#statements.get(rows);
    if (!statement) {
      const { insert, columns, row = `(${Array(columns).fill('?').join(',')})`, ending = '' } = this.#options;
      const all = Array.from({ length: rows }, (_, i) =>
        row.replaceAll(/\?(\d+)/g, (_, value: string) => `?${i * columns + Number(value)}`),
      );
      statement = this.#connection.change(`${insert} VALUES ${all.join(',')} ${ending}`);
      this.#statements.set(rows, statement);
    }
    return statement;
  }
}
