/**
 * Rows that wait to be inserted together: for a small row, calling SQLite costs several times what inserting does.
 */
import type { Connection, Value } from './connection.js';

export interface BulkOptions {
  /** `INSERT INTO <table> (…)`. */
  readonly insert: string;
  /** Values that a row binds. */
  readonly columns: number;
  /** The row as SQL of its values `?1`, `?2` …; by default it is these. */
  readonly row?: string;
  /** What follows the rows: an ON CONFLICT. */
  readonly ending?: string;
}

/** Rows of one statement at most; the smaller ones have half as many each, down to one. */
const mostRows = 64;

export class Bulk {
  #values: Value[] = [];
  readonly #connection: Connection;
  readonly #options: BulkOptions;
  /** By number of rows; prepared when a group first needs it. */
  readonly #statements = new Map<number, (values: readonly Value[]) => number>();

  constructor(connection: Connection, options: BulkOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#statement(1);
  }

  add(...row: readonly Value[]): void {
    this.#values.push(...row);
  }

  /** Inserts the rows in the order in which they came. */
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
