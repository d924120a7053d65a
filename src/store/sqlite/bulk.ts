/** Collects rows and inserts them together: for a small row, a call of SQLite costs several times the insert. */
import type { SqliteConnection, Value } from './connection.js';

export interface BulkOptions {
  /** `INSERT INTO <table> (…)`. */
  readonly insert: string;
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
  /** Texts of statements by their number of rows. */
  readonly #texts = new Map<number, string>();

  constructor(
    private readonly connection: SqliteConnection,
    private readonly options: BulkOptions,
  ) {}

  add(...row: readonly Value[]): void {
    this.#values.push(...row);
  }

  flush(): void {
    const { columns } = this.options;
    const values = this.#values;
    if (values.length === 0) return;
    this.#values = [];
    let rows = mostRows;
    for (let from = 0; from < values.length; from += rows * columns) {
      while (from + rows * columns > values.length) rows /= 2;
      this.connection.change(this.#textOf(rows), ...values.slice(from, from + rows * columns));
    }
  }

  #textOf(rows: number): string {
    let text = this.#texts.get(rows);
    if (text === undefined) {
      const { insert, columns, row = `(${Array(columns).fill('?').join(',')})`, ending = '' } = this.options;
      const all = Array.from({ length: rows }, (_, i) =>
        row.replaceAll(/\?(\d+)/g, (_, value: string) => `?${i * columns + Number(value)}`),
      );
      text = `${insert} VALUES ${all.join(',')} ${ending}`;
      this.#texts.set(rows, text);
    }
    return text;
  }
}
