/** What the search index says of words and labels (schema.ts, searchInBlocks): a row for each of a document's. */
import { assert } from '../../machines/kernel/refusal.js';
import type { Searched } from '../../machines/kernel/searched.js';
import { weighedWords } from '../search/words.js';
import { Bulk } from './bulk.js';
import type { Connection } from './connection.js';
import { Numbers } from './numbers.js';

/**
 * Documents of a block, as a power of two. The terms of a block that is being filled are to stay in memory, as each document
 * adds to most of their pages; a search looks for each of its words once a block.
 */
const blockBits = 11;
export const block = {
  size: 2 ** blockBits,
  /** As SQL: the block and the place of a document, and back. */
  of: (document: string): string => `${document} >> ${blockBits}`,
  place: (document: string): string => `${document} & ${2 ** blockBits - 1}`,
  document: (number: string, place: string): string => `(${number} << ${blockBits} | ${place})`,
} as const;

/** How a label stands among the words. */
export const labelText = (label: string): string => `#${label}`;

/** How the first letter of words stands among them: a term of its own, as thousands of words may begin with it. */
export const initialText = (letter: string): string => `^${letter}`;

/**
 * Word, place and weight of a term as one number: what is sorted, and what crosses to SQLite, where each value has its price.
 * 29 bits are left for the word. A listing's heaviest term is a first letter that all of its words begin with: 4,000.
 */
const weightBits = 13;
const mostWeight = 2 ** weightBits - 1;
const termOf = (word: number, place: number, weight: number): number =>
  (word * block.size + place) * 2 ** weightBits + weight;
const asRow = `(?1, ?2 >> ${blockBits + weightBits}, (?2 >> ${weightBits}) & ${block.size - 1}, ?2 & ${mostWeight})`;

export class SearchTerms {
  readonly #words: Numbers;
  readonly #add: Bulk;
  readonly #drop;
  /** Of this transaction, by block. Put in in their order, each page of the table is looked for once. */
  readonly #terms = new Map<number, number[]>();

  constructor(connection: Connection) {
    const row = (sql: string) => connection.row<readonly [number]>(sql);
    this.#words = new Numbers(
      row('SELECT word FROM search_words WHERE text = ?'),
      row('INSERT INTO search_words (text) VALUES (?) RETURNING word'),
    );
    this.#add = new Bulk(connection, { insert: 'INSERT OR REPLACE INTO search_terms', columns: 2, row: asRow });
    this.#drop = connection.change('DELETE FROM search_terms WHERE block = ? AND word = ? AND place = ?');
  }

  keep(document: number, found: Searched, before: Searched | undefined): void {
    const textsOf = ({ texts, labels }: Searched): string => JSON.stringify([texts, labels]);
    if (before && textsOf(before) === textsOf(found)) return;
    const old = before ? this.#termsOf(before) : new Map<number, number>();
    const terms = this.#termsOf(found);
    const gone = [...old.keys()].filter((word) => !terms.has(word));
    // What this transaction has added may be among them.
    if (gone.length > 0) this.flush();
    const number = Math.floor(document / block.size);
    const place = document % block.size;
    for (const word of gone) this.#drop([number, word, place]);
    const added = this.#terms.get(number) ?? [];
    this.#terms.set(number, added);
    for (const [word, weight] of terms) if (old.get(word) !== weight) added.push(termOf(word, place, weight));
  }

  /** The integers of labels, each once. */
  labelled(labels: readonly string[]): number[] {
    return [...new Set(labels)].map((label) => this.#words.of(labelText(label)));
  }

  flush(): void {
    for (const [number, terms] of this.#terms)
      for (const term of Float64Array.from(terms).sort()) this.#add.add(number, term);
    this.#terms.clear();
    this.#add.flush();
  }

  /** The words are numbered anew. */
  clear(): void {
    this.#words.clear();
  }

  /** Words with their weights, first letters with the sum of these, and labels with none. */
  #termsOf({ texts, labels }: Searched): Map<number, number> {
    const terms = new Map<number, number>();
    const initials = new Map<number, number>();
    for (const [word, weight] of weighedWords(texts)) {
      const initial = word.codePointAt(0)!;
      initials.set(initial, (initials.get(initial) ?? 0) + weight);
      terms.set(this.#words.of(word), weight);
    }
    for (const [initial, weight] of initials) {
      assert(weight <= mostWeight, 'words weigh little');
      terms.set(this.#words.of(initialText(String.fromCodePoint(initial))), weight);
    }
    for (const label of labels) terms.set(this.#words.of(labelText(label)), 0);
    return terms;
  }
}
