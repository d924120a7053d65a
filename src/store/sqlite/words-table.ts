/** Maps the words of the search index to integers. Those of a listing are looked up and inserted many at once. */
import { assert } from '../../core/refusal.js';
import type { SqliteConnection } from './connection.js';

/** Words kept in memory; the whole cache is dropped when there are more. */
const kept = 50_000;
/** Words per statement: for a new listing, and for the few that an update adds. */
const sizes = [64, 8] as const;

type Row = readonly [word: number, text: string];

export class WordsTable {
  readonly #known = new Map<string, number>();
  readonly #find;
  readonly #insert;
  readonly #delete;
  readonly #number;

  constructor(connection: SqliteConnection) {
    this.#delete = connection.change('DELETE FROM search_words WHERE text = ?');
    this.#number = connection.row<[number]>('SELECT word FROM search_words WHERE text = ?');
    const many = (size: number, sql: (places: string) => string, place: string) =>
      connection.rows<Row>(sql(Array(size).fill(place).join(',')));
    const find = (places: string) => `SELECT word, text FROM search_words WHERE text IN (${places})`;
    const insert = (places: string) =>
      `INSERT OR IGNORE INTO search_words (text) VALUES ${places} RETURNING word, text`;
    this.#find = sizes.map((size) => many(size, find, '?'));
    this.#insert = sizes.map((size) => many(size, insert, '(?)'));
  }

  /** The integers of the texts, in their order. */
  of(texts: readonly string[]): number[] {
    if (this.#known.size >= kept) this.#known.clear();
    const known = this.#known;
    const isUnknown = (text: string) => !known.has(text);
    for (const way of [this.#find, this.#insert]) {
      const unknown = texts.filter(isUnknown);
      const which = unknown.length > sizes[1] ? 0 : 1;
      for (let from = 0; from < unknown.length; from += sizes[which]) {
        const some = filled(unknown.slice(from, from + sizes[which]), sizes[which]);
        for (const [word, text] of way[which]!(some)) known.set(text, word);
      }
    }
    return texts.map((text) => {
      const number = known.get(text);
      assert(number !== undefined, 'what was inserted has a number');
      return number;
    });
  }

  find(text: string): number | undefined {
    return this.#number([text])?.[0];
  }

  delete(text: string): void {
    this.#delete([text]);
    this.#known.delete(text);
  }

  clear(): void {
    this.#known.clear();
  }
}

/** Repeats the last text until there are as many as the statement takes. */
const filled = (texts: readonly string[], size: number): string[] => [
  ...texts,
  ...Array<string>(size - texts.length).fill(texts.at(-1)!),
];
