/**
 * Counts the documents of each index partition by creation time (schema.ts, searchInBlocks). The sums lead to a page
 * far down a list sorted by age, with only a short scan.
 */
import type { SqliteConnection } from './connection.js';

/** Documents per interval, unless older ones are inserted later. */
export const between = 128;

type Newest = { since: number; count: number; last: number };

export class SearchAges {
  /** Changes of this transaction, by time and partition. */
  readonly #counts = new Map<string, { readonly since: number; readonly partition: number; change: number }>();
  /** The newest interval: its start, its count, and the latest creation time in it. */
  #newest: Newest;

  constructor(private readonly connection: SqliteConnection) {
    this.#newest = this.#read();
  }

  /**
   * Adds a document to a partition or removes one.
   * @param isNew true for a document that was not counted before
   */
  add(partition: number, createdAt: number, change: 1 | -1, isNew: boolean): void {
    const since = this.#sinceOf(createdAt, isNew);
    const key = `${since}/${partition}`;
    const counted = this.#counts.get(key) ?? { since, partition, change: 0 };
    counted.change += change;
    this.#counts.set(key, counted);
  }

  flush(): void {
    const count =
      'INSERT INTO search_ages VALUES (?,?,?) ON CONFLICT (since, shelf) DO UPDATE SET count = count + excluded.count';
    for (const { since, partition, change } of this.#counts.values())
      if (change !== 0) this.connection.change(count, since, partition, change);
    this.#counts.clear();
  }

  recount(): void {
    this.#counts.clear();
    this.connection.exec(`DELETE FROM search_ages;
      INSERT INTO search_ages
      WITH ranked AS (
        SELECT shelf, created_at, (rank() OVER (ORDER BY created_at) - 1) / ${between} AS part FROM search_documents
      ), parts AS (SELECT part, min(created_at) AS since FROM ranked GROUP BY part)
      SELECT since, shelf, count(*) FROM ranked JOIN parts USING (part) GROUP BY since, shelf`);
    this.#newest = this.#read();
  }

  #sinceOf(createdAt: number, isNew: boolean): number {
    const newest = this.#newest;
    if (createdAt < newest.since) {
      // Includes what this transaction has added.
      this.flush();
      const last = 'SELECT since FROM search_ages WHERE since <= ? ORDER BY since DESC LIMIT 1';
      return this.connection.row<[number]>(last, createdAt)?.[0] ?? 0;
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
    const value = (sql: string): number => this.connection.value(sql) as number;
    const since = value('SELECT ifnull(max(since), 0) FROM search_ages');
    return {
      since,
      count: value(`SELECT ifnull(sum(count), 0) FROM search_ages WHERE since = ${since}`),
      // One partition at a time, because each is stored in this order.
      last: value(`SELECT ifnull(max(youngest), 0) FROM (
        SELECT (SELECT max(created_at) FROM search_documents d WHERE d.shelf = s.shelf) AS youngest FROM search_shelves s)`),
    };
  }
}
