/** Checks that the search index (schema.ts, searchInBlocks) matches the listings. */

import { LRUCache } from 'lru-cache';
import type { LeafTexts } from '../../core/leaf.js';
import { unwatched } from '../../core/threads.js';
import { topState } from '../../machines/kernel/state-path.js';
import type { SearchEntry } from '../search.js';
import type { SearchedBy } from '../store.js';
import type { SqliteConnection } from './connection.js';
import { leafTextsIn } from './leaf-texts.js';
import { block, labelsColumn, labelText, mostWeight, termOf, termTextsOf } from './search-terms.js';

type StoredDocumentRow = readonly [
  document: number,
  id: string,
  kind: string | null,
  market: string | null,
  visibility: string | null,
  status: string | null,
  owner: string | null,
  createdAt: number,
  expiresAt: number | null,
  price: number | null,
  rating: number | null,
  popularity: number,
  labels: string,
];

type TermRow = readonly [word: number, place: number, weight: number];

const documents = `SELECT d.document, d.id, r.kind, s.market, s.visibility, s.status, o.did, d.created_at, d.expires_at,
  d.price, d.rating, d.popularity, d.labels FROM search_documents d
  LEFT JOIN resources r ON r.resource = d.resource AND r.id = d.id
  LEFT JOIN search_shelves s ON s.shelf = d.shelf LEFT JOIN search_owners o ON o.owner = d.owner
  WHERE ${block.of('d.document')} = ? ORDER BY d.document`;

export function violationOfSearchTables(
  connection: SqliteConnection,
  count: number,
  searched: SearchedBy,
): string | undefined {
  const value = (sql: string) => unwatched(() => connection.value(sql) as number);
  const stored = value('SELECT count(*) FROM search_documents');
  if (stored !== count) return `the search index has ${stored} listings, and the journal gives ${count}`;
  const reading = new IndexInspection(connection, searched);
  let terms = 0;
  const last = value(`SELECT ifnull(max(${block.of('document')}), 0) FROM search_documents`);
  for (let number = 0; number <= last; number++) {
    const found = reading.ofBlock(number);
    if (typeof found === 'string') return found;
    terms += found;
  }
  if (terms !== value('SELECT count(*) FROM search_terms')) return 'the search index has words of no listing';
  return violationOfCounts(value);
}

class IndexInspection {
  readonly #words = new LRUCache<string, number>({ max: mostWords });
  readonly #leaves: LeafTexts;

  constructor(
    private readonly connection: SqliteConnection,
    private readonly searched: SearchedBy,
  ) {
    this.#leaves = leafTextsIn(connection);
  }

  ofBlock(number: number): number | string {
    const expected: number[] = [];
    const idOf = new Map<number, string>();
    for (const row of this.connection.rows<StoredDocumentRow>(documents, number)) {
      const [document, id, kind] = row;
      const entry = kind === null ? undefined : this.searched(kind, id);
      if (!entry || !this.#isOf(row, entry)) return `searches do not find ${id} as what it is`;
      const place = document % block.size;
      idOf.set(place, id);
      const terms = termTextsOf(entry.found!, this.#leaves).map(
        ([text, weight]) => [this.#numberOf(text), weight] as const,
      );
      for (const [word, weight] of new Map(terms)) expected.push(termOf(word, place, weight));
    }
    // In the order of the table, as one number each: a block has more terms than should be in memory as rows.
    const inOrder = Float64Array.from(expected).sort();
    let terms = 0;
    const lost = 'searches do not find a listing by all of its words';
    for (const [word, place, weight] of this.#termsOf(number)) {
      const next = inOrder[terms++];
      if (place < block.size && weight <= mostWeight && next === termOf(word, place, weight)) continue;
      if (next !== undefined && next < termOf(word, place, 0)) return lost;
      return `searches find ${idOf.get(place) ?? 'no listing'} by what it does not say`;
    }
    return terms === inOrder.length ? terms : lost;
  }

  *#termsOf(number: number): Generator<TermRow> {
    const next = `SELECT word, place, weight FROM search_terms WHERE block = ? AND (word, place) > (?, ?)
      ORDER BY word, place LIMIT ${termsAtOnce}`;
    let page: TermRow[] = [];
    do {
      const [word, place] = page.at(-1) ?? [-1, -1];
      page = this.connection.rows<TermRow>(next, number, word, place);
      yield* page;
    } while (page.length === termsAtOnce);
  }

  #isOf([, id, , ...columns]: StoredDocumentRow, { found, ranked, snapshot }: SearchEntry): boolean {
    if (!found) return false;
    const { market, visibility, owner, expiresAt, price, labels } = found;
    const numbers = [...new Set(labels)].map((label) => this.#numberOf(labelText(label)));
    const { rating, popularity } = ranked ?? { rating: null, popularity: 0 };
    const should = [
      market,
      visibility,
      topState(snapshot.state),
      owner,
      snapshot.createdAt,
      expiresAt,
      price,
      rating,
      popularity,
    ];
    return snapshot.id === id && JSON.stringify(columns) === JSON.stringify([...should, labelsColumn(numbers)]);
  }

  #numberOf(text: string): number {
    let number = this.#words.get(text);
    if (number === undefined) {
      number = this.connection.row<[number]>('SELECT word FROM search_words WHERE text = ?', text)?.[0] ?? 0;
      this.#words.set(text, number);
    }
    return number;
  }
}

const mostWords = 50_000;
const termsAtOnce = 5_000;

/** Checks the counts. Requires valid documents. */
function violationOfCounts(value: (sql: string) => number): string | undefined {
  const shelves = value(`SELECT count(*) FROM search_shelves s
    WHERE count <> (SELECT count(*) FROM search_documents d WHERE d.shelf = s.shelf)`);
  if (shelves > 0) return 'the search index counts other listings than it has';
  const from =
    '(SELECT since, lead(since, 1, 9e15) OVER (ORDER BY since) AS next FROM (SELECT DISTINCT since FROM search_ages))';
  const ages = value(`SELECT count(*) FROM search_ages a JOIN ${from} USING (since) WHERE count <>
    (SELECT count(*) FROM search_documents d WHERE d.shelf = a.shelf AND d.created_at >= since AND d.created_at < next)
    OR since <> 0 AND NOT EXISTS (SELECT 1 FROM search_shelves s JOIN search_documents d USING (shelf) WHERE d.created_at = since)`);
  const counted = value(
    'SELECT (SELECT ifnull(sum(count), 0) FROM search_ages) - (SELECT count(*) FROM search_documents)',
  );
  return ages > 0 || counted !== 0 ? 'the search index counts other listings of a time than it has' : undefined;
}
