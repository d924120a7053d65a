/**
 * Search in the database (schema.ts, searchIndex): the rarest of the words and label groups leads to documents, the
 * others are looked up for those; ids are sorted, and bodies joined to the page alone.
 */
import type { FacetCount, Place, SearchQuery, SearchResult } from '../search/search.js';
import { facetsOf, type Sort, sortColumn, sortOf } from '../search/search.js';
import type { Value } from './connection.js';
import { type SnapshotRow, snapshotColumns } from './rows.js';
import { labelText } from './search-index.js';

export interface SearchRows {
  readonly rows: readonly SnapshotRow[];
  readonly total: number;
  /** Of the last row, where others follow it. */
  readonly last: Place | null;
  readonly facets: { readonly [name: string]: readonly FacetCount[] };
}

export type All = <T>(sql: string, values: readonly Value[]) => T[];

/** A piece of SQL and the values that it binds. */
interface Sql {
  readonly text: string;
  readonly values: readonly Value[];
}
const sql = (text: string, ...values: readonly Value[]): Sql => ({ text, values });
const joined = (parts: readonly Sql[], between: string): Sql => ({
  text: parts.map(({ text }) => text).join(between),
  values: parts.flatMap(({ values }) => values),
});

type ShelfRow = readonly [shelf: number, market: string, visibility: string, status: string, count: number];

/** Which part of a shelf is asked for: what has expired stands on it until the clock comes by. */
interface Shelf {
  readonly shelf: number;
  readonly count: number;
  readonly part: 'all' | 'fresh' | 'expired';
  /** Only what is the reader's. */
  readonly own: boolean;
}

/** What leads to documents: a range of words, or some labels. */
interface Group {
  readonly isWord: boolean;
  /** Selects its words' integers. */
  readonly words: Sql;
  readonly wordCount: number;
  /** Rows in the index, counted up to a bound. */
  readonly rows: number;
}

/** Rows are counted so far to find the rarest group. */
const countedRows = 20_000;
/** Nothing sorts behind it that begins with the same letters. */
const last = '\u{10ffff}';
const noOwner = -1;

const partOf = {
  all: () => sql('1'),
  fresh: (time: number) => sql('(d.expires_at IS NULL OR d.expires_at > ?)', time),
  expired: (time: number) => sql('d.expires_at <= ?', time),
} as const;

export function searchRows(all: All, query: SearchQuery, after: Place | undefined): SearchRows {
  return new SearchReading(all, query, after).answer();
}

class SearchReading {
  readonly #sort: Sort;

  constructor(
    private readonly all: All,
    private readonly query: SearchQuery,
    private readonly after: Place | undefined,
  ) {
    this.#sort = sortOf(query);
  }

  answer(): SearchRows {
    const { query } = this;
    const shelves = this.#shelves();
    const labels = query.labels.map((group) => this.#numbersOf(group));
    const words = query.words.map((word) => this.#range(word));
    // Labels are of interest as far as they may be rarer than the words.
    const rarest = Math.min(countedRows, ...words.map(({ rows }) => rows + 1));
    const groups = [...words, ...labels.map((numbers) => this.#anyOf(numbers, rarest))];
    if (shelves.length === 0 || groups.some(({ rows }) => rows === 0)) {
      return { rows: [], total: 0, last: null, facets: facetsOf(query.facets, []) };
    }
    const conditions = [this.#onShelves(shelves), ...labels.map(carriesOne), ...this.#bounds()];
    const isPlain = groups.length === 0 && conditions.length === 1 && shelves.every(({ own }) => !own);
    const source = joined([this.#source(groups), joined(conditions, ' AND ')], ' WHERE ');
    const places = isPlain && this.#sort === 'newest' ? this.#newest(shelves) : this.#sorted(source);
    const counted = query.facets.length > 0 || !isPlain ? this.#counted(source) : undefined;
    const { limit } = query.page;
    const page = places.slice(0, limit);
    const load = `SELECT ${snapshotColumns} FROM resources r WHERE r.resource = ?`;
    return {
      rows: page.map(([, , , document]) => this.all<SnapshotRow>(load, [document])[0]!),
      total: counted?.total ?? this.#countOf(shelves),
      last: places.length > limit ? (page.at(-1)!.slice(0, 3) as unknown as Place) : null,
      facets: counted?.facets ?? {},
    };
  }

  #shelves(): Shelf[] {
    const { markets, visibility, statuses, reader } = this.query;
    const rows = this.all<ShelfRow>('SELECT shelf, market, visibility, status, count FROM search_shelves', []);
    const expired = statuses.includes('expired');
    return rows.flatMap(([shelf, market, seen, status, count]) => {
      const own = seen !== 'public';
      if (markets && !markets.includes(market)) return [];
      if (!visibility.includes(seen as 'public') || (own && reader === undefined)) return [];
      const fresh = statuses.includes(status);
      if (!fresh && !expired) return [];
      return [{ shelf, count, own, part: fresh && expired ? 'all' : fresh ? 'fresh' : 'expired' } as const];
    });
  }

  /** One condition for all of them. */
  #onShelves(shelves: readonly Shelf[]): Sql {
    const reader = this.query.reader === undefined ? noOwner : this.#ownerOf(this.query.reader);
    const kinds = new Map<string, Shelf[]>();
    for (const shelf of shelves) {
      const kind = `${shelf.part}/${shelf.own}`;
      kinds.set(kind, [...(kinds.get(kind) ?? []), shelf]);
    }
    const conditions = [...kinds.values()].map((alike) => {
      const [{ part, own }] = alike as [Shelf];
      const among = sql(`d.shelf IN (${alike.map(({ shelf }) => shelf).join(', ')})`);
      return joined([among, partOf[part](this.query.time), ...(own ? [sql('d.owner = ?', reader)] : [])], ' AND ');
    });
    const { text, values } = joined(conditions, ' OR ');
    return { text: `(${text})`, values };
  }

  #bounds(): Sql[] {
    const { owner, minPrice, maxPrice, minRating, minReputation } = this.query;
    const bound = (text: string, value: number | undefined) => (value === undefined ? [] : [sql(text, value)]);
    return [
      ...bound('d.owner = ?', owner === undefined ? undefined : this.#ownerOf(owner)),
      ...bound('d.price >= ?', minPrice),
      ...bound('d.price <= ?', maxPrice),
      ...bound('d.rating >= ?', minRating),
      ...bound('o.reputation >= ?', minReputation),
    ];
  }

  #ownerOf(did: string): number {
    return this.all<[number]>('SELECT owner FROM search_owners WHERE did = ?', [did])[0]?.[0] ?? noOwner;
  }

  /** A join of documents `d` with the relevance that they have, `m.relevance`. */
  #source(groups: readonly Group[]): Sql {
    const needsOwner = this.#sort === 'reputation' || this.query.minReputation !== undefined;
    const owners = needsOwner ? ' JOIN search_owners o ON o.owner = d.owner' : '';
    if (groups.length === 0) return sql(`(SELECT 0 AS relevance) m CROSS JOIN search_documents d${owners}`);
    const [driver, ...others] = [...groups].sort((a, b) => a.rows - b.rows) as [Group, ...Group[]];
    // Labels that don't lead are read off the document.
    const matched = others
      .filter(({ isWord }) => isWord)
      .reduce((found, group) => withWord(found, driver, group), documentsOf(driver));
    const { text, values } = matched;
    // Newest first, so that a sort seldom has to take back what it took.
    const newest = `(SELECT document, relevance FROM (${text}) ORDER BY document DESC LIMIT -1)`;
    return sql(`${newest} m CROSS JOIN search_documents d ON d.document = m.document${owners}`, ...values);
  }

  #range(word: string): Group {
    const words = sql('SELECT word FROM search_words WHERE text >= ? AND text < ?', word, word + last);
    const numbers = this.all<[number]>(`${words.text} LIMIT 65`, words.values);
    // A few are named: one of them needs no sum.
    const few = numbers.length <= 64 ? someOf(numbers.map(([number]) => number)) : words;
    return { isWord: true, words: few, wordCount: numbers.length, rows: this.#rowsOf(few) };
  }

  #anyOf(numbers: readonly number[], most: number): Group {
    const words = someOf(numbers);
    return { isWord: false, words, wordCount: numbers.length, rows: this.#rowsOf(words, most) };
  }

  #numbersOf(labels: readonly string[]): number[] {
    const texts = JSON.stringify(labels.map(labelText));
    const known = 'SELECT word FROM search_words WHERE text IN (SELECT value FROM json_each(?))';
    return this.all<[number]>(known, [texts]).map(([number]) => number);
  }

  #rowsOf({ text, values }: Sql, most = countedRows): number {
    const rows = `SELECT 1 FROM search_terms WHERE word IN (${text}) LIMIT ?`;
    return this.all<[number]>(`SELECT count(*) FROM (${rows})`, [...values, most])[0]![0];
  }

  /** Sort number, creation, id and document of the page's places, and one more. */
  #sorted(source: Sql): [...Place, number][] {
    const { page } = this.query;
    const number = numberOf(this.#sort);
    const isAge = number === '0';
    const seek = this.after
      ? isAge
        ? sql(' AND (d.created_at, d.id) < (?, ?)', this.after[1], this.after[2])
        : sql(` AND (${number}, d.created_at, d.id) < (?, ?, ?)`, ...this.after)
      : sql('');
    const { text, values } = joined([source, seek], '');
    return this.all(
      `SELECT ${number}, d.created_at, d.id, d.document FROM ${text}
       ORDER BY ${isAge ? '' : `${number} DESC, `}d.created_at DESC, d.id DESC LIMIT ? OFFSET ?`,
      [...values, page.limit + 1, this.after ? 0 : page.offset],
    );
  }

  /** Each shelf is in the order of age: SQLite merges them and stops at the limit. */
  #newest(shelves: readonly Shelf[]): [...Place, number][] {
    const { page, time } = this.query;
    const ranges = shelves.map(({ shelf, part }) => {
      const conditions = [
        sql(`d.shelf = ${shelf}`),
        partOf[part](time),
        ...(this.after ? [sql('(d.created_at, d.id) < (?, ?)', this.after[1], this.after[2])] : []),
      ];
      const { text, values } = joined(conditions, ' AND ');
      return sql(`SELECT 0, d.created_at, d.id, d.document FROM search_documents d WHERE ${text}`, ...values);
    });
    const { text, values } = joined(ranges, ' UNION ALL ');
    return this.all(`${text} ORDER BY 2 DESC, 3 DESC LIMIT ? OFFSET ?`, [
      ...values,
      page.limit + 1,
      this.after ? 0 : page.offset,
    ]);
  }

  /** From the counts of the shelves, less what has expired on them, which is little as the clock comes by. */
  #countOf(shelves: readonly Shelf[]): number {
    const expired = 'SELECT count(*) FROM search_documents WHERE shelf = ? AND expires_at <= ?';
    return shelves.reduce((sum, { shelf, count, part }) => {
      if (part === 'all') return sum + count;
      const over = this.all<[number]>(expired, [shelf, this.query.time])[0]![0];
      return sum + (part === 'fresh' ? count - over : over);
    }, 0);
  }

  #counted({ text, values }: Sql): { readonly total: number; readonly facets: SearchResult['facets'] } {
    const { facets } = this.query;
    const labels = facets.length > 0 ? `group_concat(d.labels, '')` : 'NULL';
    const [total, text_] = this.all<[number, string | null]>(`SELECT count(*), ${labels} FROM ${text}`, values)[0]!;
    const counts = countsIn(text_ ?? '');
    const read = 'SELECT word, text FROM search_words WHERE word IN (SELECT value FROM json_each(?))';
    const names = this.all<[number, string]>(read, [JSON.stringify([...counts.keys()])]);
    return {
      total,
      facets: facetsOf(
        facets,
        names.map(([word, label]) => [label.slice(1), counts.get(word)!] as const),
      ),
    };
  }
}

const someOf = (numbers: readonly number[]): Sql => sql(numbers.map(() => '?').join(', ') || 'NULL', ...numbers);

/** Documents that carry one of the labels. */
function carriesOne(numbers: readonly number[]): Sql {
  const { text, values } = joined(
    numbers.map((number) => sql('instr(d.labels, ?) > 0', `,${number},`)),
    ' OR ',
  );
  return { text: `(${text || '0'})`, values };
}

/** The documents of a group, each once. */
function documentsOf({ isWord, words, wordCount }: Group): Sql {
  const weight = isWord ? 'weight' : '0';
  const rows = `FROM search_terms WHERE word IN (${words.text})`;
  if (wordCount === 1) return sql(`SELECT document, ${weight} AS relevance ${rows}`, ...words.values);
  return sql(`SELECT document, sum(${weight}) AS relevance ${rows} GROUP BY document`, ...words.values);
}

/** Of the documents found so far those that have another word as well: looked up one by one, where that is less work. */
function withWord(found: Sql, driver: Group, group: Group): Sql {
  const { words, wordCount, rows } = group;
  if (driver.rows * wordCount > 4 * rows) {
    const { text, values } = documentsOf(group);
    return sql(
      `SELECT f.document, f.relevance + g.relevance AS relevance FROM (${found.text}) f
       CROSS JOIN (${text}) g ON g.document = f.document`,
      ...found.values,
      ...values,
    );
  }
  const weight = `SELECT sum(weight) FROM search_terms t WHERE t.word IN (${words.text}) AND t.document = f.document`;
  return sql(
    `SELECT document, relevance + more AS relevance FROM (
       SELECT f.document, f.relevance, (${weight}) AS more FROM (${found.text}) f LIMIT -1) WHERE more IS NOT NULL`,
    ...words.values,
    ...found.values,
  );
}

/** As SQL: a sort's number, see sortNumber. */
function numberOf(sort: Sort): string {
  const by = sortColumn[sort];
  if (!by) return '0';
  const table = by.column === 'relevance' ? 'm' : by.column === 'reputation' ? 'o' : 'd';
  return `${by.sign === 1 ? '' : '-'}ifnull(${table}.${by.column}, ${by.missing})`;
}

const comma = ','.charCodeAt(0);
const zero = '0'.charCodeAt(0);

/** How often each number comes in a text of numbers between commas. */
function countsIn(text: string): Map<number, number> {
  const counts = new Map<number, number>();
  let number = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code !== comma) number = number * 10 + code - zero;
    else if (number > 0) {
      counts.set(number, (counts.get(number) ?? 0) + 1);
      number = 0;
    }
  }
  return counts;
}
