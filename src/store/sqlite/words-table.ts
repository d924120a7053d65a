/** Maps the words of the search index to integers. Those of a listing are looked up and inserted many at once. */
import { assert } from '../../core/refusal.js';
import type { SqliteConnection } from './connection.js';

/** Words kept in memory; the whole cache is dropped when there are more. */
const kept = 50_000;
/** Words per statement: for a new listing, and for the few that an update adds. */
const [many, few] = [64, 8] as const;

const ofBothSizes = (sql: (places: string) => string, place: string) => ({
  [many]: sql(Array(many).fill(place).join(',')),
  [few]: sql(Array(few).fill(place).join(',')),
});
const find = ofBothSizes((places) => `SELECT word, text FROM search_words WHERE text IN (${places})`, '?');
const insert = ofBothSizes(
  (places) => `INSERT OR IGNORE INTO search_words (text) VALUES ${places} RETURNING word, text`,
  '(?)',
);

type KnownWord = readonly [word: number, text: string];

export class WordsTable {
  readonly #known = new Map<string, number>();

  constructor(private readonly connection: SqliteConnection) {}

  of(texts: readonly string[]): number[] {
    if (this.#known.size >= kept) this.#known.clear();
    const known = this.#known;
    const isUnknown = (text: string) => !known.has(text);
    for (const statement of [insert, find]) {
      const unknown = texts.filter(isUnknown);
      const size = unknown.length > few ? many : few;
      for (let from = 0; from < unknown.length; from += size) {
        const some = filled(unknown.slice(from, from + size), size);
        for (const [word, text] of this.connection.rows<KnownWord>(statement[size], ...some)) known.set(text, word);
      }
    }
    return texts.map((text) => {
      const number = known.get(text);
      assert(number !== undefined, 'what was inserted has a number');
      return number;
    });
  }

  find(text: string): number | undefined {
    return this.connection.row<[number]>('SELECT word FROM search_words WHERE text = ?', text)?.[0];
  }

  delete(text: string): void {
    this.connection.change('DELETE FROM search_words WHERE text = ?', text);
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
