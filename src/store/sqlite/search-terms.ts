/** The terms of the search index (schema.ts, searchInBlocks): one row per word or label of a document. */
import type { Leaf, LeafTexts } from '../../core/leaf.js';
import { assert } from '../../core/refusal.js';
import type { Searched } from '../../machines/kernel/searched.js';
import { textsOf } from '../search.js';
import { weighedWords } from '../words.js';
import { Bulk } from './bulk.js';
import type { SqliteConnection } from './connection.js';
import { WordsTable } from './words-table.js';

/**
 * Documents per block, a power of two. The terms of the block being filled should fit into memory, because each
 * document changes most of their pages; a search looks each word up once per block.
 */
const blockBits = 11;
export const block = {
  size: 2 ** blockBits,
  /** SQL for the block and place of a document, and back. */
  of: (document: string): string => `${document} >> ${blockBits}`,
  place: (document: string): string => `${document} & ${2 ** blockBits - 1}`,
  document: (number: string, place: string): string => `(${number} << ${blockBits} | ${place})`,
} as const;

/** The form of a label among the words. */
export const labelText = (label: string): string => `#${label}`;

/**
 * A document's labels in the form of its row: word numbers between commas, so that searching for `,7,` finds only whole
 * numbers.
 */
export const labelsColumn = (numbers: readonly number[]): string =>
  numbers.length > 0 ? `,${numbers.join(',')},` : '';

/** The form of a first letter, which is a separate term because thousands of words may start with it. */
export const initialText = (letter: string): string => `^${letter}`;

/**
 * Word, place and weight of a term as one number, because each value passed to SQLite has a cost. 29 bits are left
 * for the word. The largest weight is 4,000: a first letter that all words of a listing share.
 */
const weightBits = 13;
export const mostWeight = 2 ** weightBits - 1;
export const termOf = (word: number, place: number, weight: number): number =>
  (word * block.size + place) * 2 ** weightBits + weight;
const asRow = `(?1, ?2 >> ${blockBits + weightBits}, (?2 >> ${weightBits}) & ${block.size - 1}, ?2 & ${mostWeight})`;

const droppedAtOnce = 64;
const drop = `DELETE FROM search_terms WHERE block = ? AND place = ? AND word IN (${Array(droppedAtOnce).fill('?').join(',')})`;

export class SearchTerms {
  readonly #words: WordsTable;
  readonly #add: Bulk;
  /** Terms of this transaction, by block. Sorted insertion touches each page of the table once. */
  readonly #terms = new Map<number, number[]>();

  constructor(
    private readonly connection: SqliteConnection,
    private readonly leaves: LeafTexts,
  ) {
    this.#words = new WordsTable(connection);
    this.#add = new Bulk(connection, { insert: 'INSERT OR REPLACE INTO search_terms', columns: 2, row: asRow });
  }

  keep(document: number, found: Searched, before: Searched | undefined): void {
    const summary = ({ texts, labels }: Searched): string => JSON.stringify([texts, labels]);
    if (before && summary(before) === summary(found)) return;
    const old = before ? this.#termsOf(before) : new Map<number, number>();
    const terms = this.#termsOf(found);
    const gone = [...old.keys()].filter((word) => !terms.has(word));
    // Writes pending terms first, so that the replacement also affects what this transaction has added for the document.
    if (before) this.flush();
    const number = Math.floor(document / block.size);
    const place = document % block.size;
    for (let from = 0; from < gone.length; from += droppedAtOnce) {
      const words = gone.slice(from, from + droppedAtOnce);
      const repeated = Array<number>(droppedAtOnce - words.length).fill(words[0]!);
      this.connection.change(drop, number, place, ...words, ...repeated);
    }
    const added = this.#terms.get(number) ?? [];
    this.#terms.set(number, added);
    for (const [word, weight] of terms) if (old.get(word) !== weight) added.push(termOf(word, place, weight));
  }

  forget(forgotten: string | Leaf): void {
    this.flush();
    const [last] = this.connection.row<[number]>('SELECT block FROM search_terms ORDER BY block DESC LIMIT 1') ?? [0];
    const uses = 'SELECT 1 FROM search_terms WHERE block = ? AND word = ? LIMIT 1';
    for (const [text] of termTextsOf({ texts: [[forgotten, 1]], labels: [] }, this.leaves)) {
      const word = this.#words.find(text);
      if (word === undefined) continue;
      let isUsed = false;
      for (let number = 0; number <= last && !isUsed; number++)
        isUsed = this.connection.row(uses, number, word) !== undefined;
      if (!isUsed) this.#words.delete(text);
    }
  }

  labelled(labels: readonly string[]): number[] {
    return this.#words.of([...new Set(labels)].map(labelText));
  }

  flush(): void {
    for (const [number, terms] of this.#terms)
      for (const term of Float64Array.from(terms).sort()) this.#add.add(number, term);
    this.#terms.clear();
    this.#add.flush();
  }

  clear(): void {
    this.#words.clear();
  }

  #termsOf(searched: Searched): Map<number, number> {
    const terms = termTextsOf(searched, this.leaves);
    const numbers = this.#words.of(terms.map(([text]) => text));
    return new Map(terms.map(([, weight], index) => [numbers[index]!, weight]));
  }
}

/** A document's terms: words with their weights, first letters with the sum of these, labels without. */
export function termTextsOf(
  searched: Pick<Searched, 'texts' | 'labels'>,
  leaves: LeafTexts,
): [text: string, weight: number][] {
  const { labels } = searched;
  const words = [...weighedWords(textsOf(searched, leaves))];
  const initials = new Map<number, number>();
  for (const [word, weight] of words) {
    const initial = word.codePointAt(0)!;
    initials.set(initial, (initials.get(initial) ?? 0) + weight);
  }
  const letters = [...initials].map(([initial, weight]): [string, number] => {
    assert(weight <= mostWeight, 'words weigh little');
    return [initialText(String.fromCodePoint(initial)), weight];
  });
  return [...words, ...letters, ...labels.map((label): [string, number] => [labelText(label), 0])];
}
