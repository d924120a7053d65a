/**
 * How many documents of each shelf were made from one time up to the next (schema.ts, searchInBlocks): a page far down a
 * list in the order of age is found by these sums, and walks no further than from the last of the times.
 */
import type { Connection } from './connection.js';

/** Documents between two times, as far as nothing older comes in between. */
export const between = 128;

type Newest = { since: number; count: number; last: number };

export class SearchAges {
  readonly #find;
  readonly #count;
  readonly #number: () => void;
  readonly #connection: Connection;
  /** Of this transaction, by time and shelf. */
  readonly #counts = new Map<string, { readonly since: number; readonly shelf: number; change: number }>();
  /** The newest of the times, what is counted from then on, and the last of its times of creation. */
  #newest: Newest;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#find = connection.row<readonly [number]>(
      'SELECT since FROM search_ages WHERE since <= ? ORDER BY since DESC LIMIT 1',
    );
    this.#count = connection.change(
      'INSERT INTO search_ages VALUES (?,?,?) ON CONFLICT (since, shelf) DO UPDATE SET count = count + excluded.count',
    );
    const number = connection.change(`INSERT INTO search_ages
      WITH ranked AS (
        SELECT shelf, created_at, (rank() OVER (ORDER BY created_at) - 1) / ${between} AS part FROM search_documents
      ), parts AS (SELECT part, min(created_at) AS since FROM ranked GROUP BY part)
      SELECT since, shelf, count(*) FROM ranked JOIN parts USING (part) GROUP BY since, shelf`);
    this.#number = () => number([]);
    this.#newest = this.#read();
  }

  /** One document more on the shelf, or one less. @param isNew that nobody has counted yet */
  add(shelf: number, createdAt: number, change: 1 | -1, isNew: boolean): void {
    const since = this.#sinceOf(createdAt, isNew);
    const key = `${since}/${shelf}`;
    const counted = this.#counts.get(key) ?? { since, shelf, change: 0 };
    counted.change += change;
    this.#counts.set(key, counted);
  }

  flush(): void {
    for (const { since, shelf, change } of this.#counts.values()) if (change !== 0) this.#count([since, shelf, change]);
    this.#counts.clear();
  }

  /** Counts all that there is anew. */
  recount(): void {
    this.#counts.clear();
    this.#connection.exec('DELETE FROM search_ages');
    this.#number();
    this.#newest = this.#read();
  }

  #sinceOf(createdAt: number, isNew: boolean): number {
    const newest = this.#newest;
    if (createdAt < newest.since) {
      // What this transaction has added may be what is looked for.
      this.flush();
      return this.#find([createdAt])?.[0] ?? 0;
    }
    if (!isNew) return newest.since;
    if (newest.count >= between && createdAt > newest.last) {
      this.#newest = { since: createdAt, count: 1, last: createdAt };
      return createdAt;
    }
    newest.count++;
    newest.last = Math.max(newest.last, createdAt);
    return newest.since;
  }

  #read(): Newest {
    const value = (sql: string): number => this.#connection.value(sql) as number;
    const since = value('SELECT ifnull(max(since), 0) FROM search_ages');
    return {
      since,
      count: value(`SELECT ifnull(sum(count), 0) FROM search_ages WHERE since = ${since}`),
      // Shelf by shelf, as each is in this order.
      last: value(`SELECT ifnull(max(youngest), 0) FROM (
        SELECT (SELECT max(created_at) FROM search_documents d WHERE d.shelf = s.shelf) AS youngest FROM search_shelves s)`),
    };
  }
}
