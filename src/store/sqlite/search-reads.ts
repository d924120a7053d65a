/**
 * Search in the database (schema.ts, searchIndex): the rarest of the words and label groups leads to documents, the
 * others are looked up for those; ids are sorted, and bodies joined to the page alone.
 */
import type { FacetCount, Place, SearchQuery } from '../search/search.js';
import { facetsOf, type Sort, sortColumn, sortOf } from '../search/search.js';
import type { Value } from './connection.js';
import type { SnapshotRow } from './rows.js';
import { type Blocks, partsOfAges, partsOfBlocks } from './search-parts.js';
import { startOf } from './search-skip.js';
import { block, initialText, labelText } from './search-terms.js';

export interface SearchRows {
  readonly rows: readonly SnapshotRow[];
  readonly total: number;
  /** Of the last row, where others follow it. */
  readonly last: Place | null;
  readonly facets: { readonly [name: string]: readonly FacetCount[] };
}

type Counted = Pick<SearchRows, 'total' | 'facets'>;

export type All = <T>(sql: string, values: readonly Value[]) => T[];

/** What a search reads with: queries, and resources by their numbers. */
export interface Reading {
  readonly all: All;
  readonly snapshot: (resource: number) => SnapshotRow;
}

/** A place in a sort, with the document's resource. */
type Found = readonly [...Place, resource: number];

/** A piece of SQL and the values that it binds. */
export interface Sql {
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
export interface Shelf {
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

interface Joined {
  readonly driver: Group;
  readonly group: Group;
  readonly blocks: Blocks;
}

/** Rows are counted so far to find the rarest group. */
const countedRows = 20_000;
/** Words of a beginning that a query names one by one. */
const namedWords = 64;
/** Nothing sorts behind it that begins with the same letters. */
const last = '\u{10ffff}';
const noOwner = -1;

const partOf = {
  all: () => sql('1'),
  fresh: (time: number) => sql('(d.expires_at IS NULL OR d.expires_at > ?)', time),
  expired: (time: number) => sql('d.expires_at <= ?', time),
} as const;

export function searchRows(reading: Reading, query: SearchQuery, after: Place | undefined): SearchRows {
  return new SearchReading(reading, query, after).answer();
}

class SearchReading {
  readonly #sort: Sort;
  /** All that there are. */
  #blocks: Blocks = { newest: 0, oldest: 0 };

  private readonly all: All;
  private readonly snapshot: Reading['snapshot'];

  constructor(
    { all, snapshot }: Reading,
    private readonly query: SearchQuery,
    private readonly after: Place | undefined,
  ) {
    this.all = all;
    this.snapshot = snapshot;
    this.#sort = sortOf(query);
  }

  answer(): SearchRows {
    const { query } = this;
    const shelves = this.#shelves();
    const labels = query.labels.map((group) => this.#numbersOf(group));
    const groups = shelves.length === 0 ? [] : this.#groups(labels);
    if (shelves.length === 0 || groups.some(({ rows }) => rows === 0)) {
      return { rows: [], total: 0, last: null, facets: facetsOf(query.facets, []) };
    }
    const conditions = [this.#onShelves(shelves), ...labels.map(carriesOne), ...this.#bounds()];
    const isPlain = groups.length === 0 && conditions.length === 1 && shelves.every(({ own }) => !own);
    const where = joined(conditions, ' AND ');
    const parts = (): Sql[] => (query.facets.length > 0 ? this.#parts(groups, shelves, where) : []);
    if (isPlain && this.#sort === 'newest') {
      // What can be told of the shelves alone.
      return this.#page(this.#newest(shelves), { ...this.#counted(parts()), total: this.#countOf(shelves) });
    }
    const source = joined([this.#source(groups), where], ' WHERE ');
    // To keep what was found costs less than to look for several words twice, or for all that begin as one does.
    const isCheap = ({ rows }: Group) => rows < countedRows;
    const isKept = query.words.length > 1 || groups.some((group) => isCheap(group) || group.wordCount > namedWords);
    if (isKept) return this.#atOnce(source);
    const counted = query.facets.length > 0 ? this.#counted(parts()) : { total: this.#totalOf(source), facets: {} };
    return this.#page(this.#sorted(source), counted);
  }

  /** What matches, a part after the other (search-parts.ts). */
  #parts(groups: readonly Group[], shelves: readonly Shelf[], where: Sql): Sql[] {
    const part = (source: Sql, ...more: readonly Sql[]) =>
      joined([source, joined([where, ...more], ' AND ')], ' WHERE ');
    if (groups.length > 0) {
      return partsOfBlocks(this.#blocks).map((blocks) => part(this.#source(groups, blocks)));
    }
    const source = this.#source(groups);
    // Of one owner's there are fewer, and they are not read in the order of age.
    if (this.query.owner !== undefined || shelves.some(({ own }) => own)) return [part(source)];
    return partsOfAges(this.all, shelves).map((age) => part(source, age));
  }

  #page(found: readonly Found[], counted: Counted): SearchRows {
    const { limit } = this.query.page;
    const page = found.slice(0, limit);
    return {
      rows: page.map(([, , , resource]) => this.snapshot(resource)),
      last: found.length > limit ? (page.at(-1)!.slice(0, 3) as unknown as Place) : null,
      ...counted,
    };
  }

  #groups(labels: readonly (readonly number[])[]): Group[] {
    // Each is the end of the table; both in one would go through it.
    const endOf = (end: 'min' | 'max') =>
      this.all<[number]>(`SELECT ${end}(document) FROM search_documents`, [])[0]![0];
    const [first, last] = [endOf('min'), endOf('max')];
    this.#blocks = { oldest: Math.floor(first / block.size), newest: Math.floor(last / block.size) };
    const words = this.query.words.map((word) => this.#range(word));
    // Labels are of interest as far as they may be rarer than the words.
    const rarest = Math.min(countedRows, ...words.map(({ rows }) => rows + 1));
    return [...words, ...labels.map((numbers) => this.#anyOf(numbers, rarest))];
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
  #source(groups: readonly Group[], blocks = this.#blocks): Sql {
    const needsOwner = this.#sort === 'reputation' || this.query.minReputation !== undefined;
    const owners = needsOwner ? ' JOIN search_owners o ON o.owner = d.owner' : '';
    if (groups.length === 0) return sql(`(SELECT 0 AS relevance) m CROSS JOIN search_documents d${owners}`);
    const [driver, ...others] = [...groups].sort((a, b) => a.rows - b.rows) as [Group, ...Group[]];
    // Labels that don't lead are read off the document.
    // One beside the other: SQLite reads no deep nesting.
    const steps = [this.#documentsOf(driver, blocks)];
    for (const group of others.filter(({ isWord }) => isWord)) {
      steps.push(this.#withWord(`f${steps.length - 1}`, { driver, group, blocks }));
    }
    const named = joined(
      steps.map(({ text, values }, index) => sql(`f${index} AS (${text})`, ...values)),
      ', ',
    );
    const found = `(WITH ${named.text} SELECT * FROM f${steps.length - 1}) m`;
    return sql(`${found} CROSS JOIN search_documents d ON d.document = m.document${owners}`, ...named.values);
  }

  /** The index's rows of some words, the newest blocks first. */
  #termsOf(words: Sql, { newest, oldest }: Blocks): Sql {
    const blocks = `(WITH RECURSIVE b(block) AS (SELECT CAST(? AS INTEGER) UNION ALL
      SELECT block - 1 FROM b WHERE block > ?) SELECT block FROM b)`;
    const among = `t.block = b.block AND t.word IN (${words.text})`;
    return sql(`${blocks} b CROSS JOIN search_terms t ON ${among}`, newest, oldest, ...words.values);
  }

  /** The documents of a group, each once. */
  #documentsOf({ isWord, words, wordCount }: Group, blocks: Blocks): Sql {
    const weight = isWord ? 'weight' : '0';
    const { text, values } = this.#termsOf(words, blocks);
    const document = `${block.document('t.block', 't.place')} AS document`;
    if (wordCount === 1) return sql(`SELECT ${document}, ${weight} AS relevance FROM ${text}`, ...values);
    // Newest first, so that a sort seldom has to take back what it took.
    const each = `SELECT ${document}, sum(${weight}) AS relevance FROM ${text} GROUP BY 1`;
    return sql(`SELECT * FROM (${each}) ORDER BY document DESC LIMIT -1`, ...values);
  }

  /** Of the documents found so far those that have another word as well: looked up one by one, where that is less work. */
  #withWord(found: string, { driver, group, blocks }: Joined): Sql {
    const { words, wordCount, rows } = group;
    if (driver.rows * wordCount > 4 * rows) {
      const { text, values } = this.#documentsOf(group, blocks);
      return sql(
        `SELECT f.document, f.relevance + g.relevance AS relevance FROM ${found} f
         CROSS JOIN (${text}) g ON g.document = f.document`,
        ...values,
      );
    }
    const its = `t.block = ${block.of('f.document')} AND t.place = ${block.place('f.document')}`;
    const weight = `SELECT sum(weight) FROM search_terms t WHERE ${its} AND t.word IN (${words.text})`;
    return sql(
      `SELECT document, relevance + more AS relevance FROM (
         SELECT f.document, f.relevance, (${weight}) AS more FROM ${found} f LIMIT -1) WHERE more IS NOT NULL`,
      ...words.values,
    );
  }

  #range(word: string): Group {
    const words =
      [...word].length === 1
        ? sql('SELECT word FROM search_words WHERE text = ?', initialText(word))
        : sql('SELECT word FROM search_words WHERE text >= ? AND text < ?', word, word + last);
    const numbers = this.all<[number]>(`${words.text} LIMIT ${namedWords + 1}`, words.values);
    // A few are named: one of them needs no sum.
    const few = numbers.length <= namedWords ? someOf(numbers.map(([number]) => number)) : words;
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

  #rowsOf(words: Sql, most = countedRows): number {
    const { text, values } = this.#termsOf(words, this.#blocks);
    return this.all<[number]>(`SELECT count(*) FROM (SELECT 1 FROM ${text} LIMIT ?)`, [...values, most])[0]![0];
  }

  /** What follows the cursor, if there is one. */
  #seek(number: string): Sql {
    if (!this.after) return sql('');
    if (number === '0') return sql(' AND (d.created_at, d.id) < (?, ?)', this.after[1], this.after[2]);
    return sql(` AND (${number}, d.created_at, d.id) < (?, ?, ?)`, ...this.after);
  }

  /** The places of the page, and one more. */
  #sorted(source: Sql): Found[] {
    const { page } = this.query;
    const number = numberOf(this.#sort);
    const { text, values } = joined([source, this.#seek(number)], '');
    return this.all(
      `SELECT ${number}, d.created_at, d.id, d.resource FROM ${text}
       ORDER BY ${number === '0' ? '' : `${number} DESC, `}d.created_at DESC, d.id DESC LIMIT ? OFFSET ?`,
      [...values, page.limit + 1, this.after ? 0 : page.offset],
    );
  }

  /** What matches is gone through once, for the page and for what is counted. */
  #atOnce(source: Sql): SearchRows {
    const { page, facets } = this.query;
    const number = numberOf(this.#sort);
    const seek = this.#seek('n').text.replaceAll('d.', '');
    const labels = facets.length > 0 ? 'd.labels' : 'NULL';
    const [counted, ...found] = this.all<Found | readonly [null, total: number, labels: string | null, null]>(
      `WITH found AS MATERIALIZED (
         SELECT ${number} AS n, d.created_at, d.id, d.resource, ${labels} AS labels FROM ${source.text})
       SELECT NULL, count(*), group_concat(labels, ''), NULL FROM found UNION ALL
       SELECT * FROM (SELECT n, created_at, id, resource FROM found WHERE 1 ${seek}
         ORDER BY n DESC, created_at DESC, id DESC LIMIT ? OFFSET ?)`,
      [...source.values, ...(this.after ?? []), page.limit + 1, this.after ? 0 : page.offset],
    );
    const [, total, text] = counted!;
    return this.#page(found as Found[], { total, facets: this.#facetsOf(countIn(text ?? '', new Map())) });
  }

  /** Each shelf is in the order of age: SQLite merges them and stops at the limit. */
  #newest(shelves: readonly Shelf[]): Found[] {
    const { page, time } = this.query;
    const start = this.after ? { offset: 0 } : startOf(this.all, shelves, page.offset, time);
    const ranges = shelves.map(({ shelf, part }) => {
      const conditions = [
        sql(`d.shelf = ${shelf}`),
        partOf[part](time),
        ...(start.before === undefined ? [] : [sql('d.created_at < ?', start.before)]),
      ];
      const { text, values } = joined([joined(conditions, ' AND '), this.#seek('0')], '');
      return sql(`SELECT 0, d.created_at, d.id, d.document FROM search_documents d WHERE ${text}`, ...values);
    });
    const { text, values } = joined(ranges, ' UNION ALL ');
    const found = this.all<[...Place, number]>(`${text} ORDER BY 2 DESC, 3 DESC LIMIT ? OFFSET ?`, [
      ...values,
      page.limit + 1,
      start.offset,
    ]);
    // The index of ages tells the document; its resource is read for the page alone.
    const resource = 'SELECT resource FROM search_documents WHERE document = ?';
    return found.map(([number, createdAt, id, document]) => {
      return [number, createdAt, id, this.all<[number]>(resource, [document])[0]![0]];
    });
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

  #counted(parts: readonly Sql[]): Counted {
    const counts = new Map<number, number>();
    let total = 0;
    for (const { text, values } of parts) {
      const counted = `SELECT count(*), group_concat(d.labels, '') FROM ${text}`;
      const [count, labels] = this.all<[number, string | null]>(counted, values)[0]!;
      total += count;
      countIn(labels ?? '', counts);
    }
    return { total, facets: this.#facetsOf(counts) };
  }

  #totalOf({ text, values }: Sql): number {
    return this.all<[number]>(`SELECT count(*) FROM ${text}`, values)[0]![0];
  }

  #facetsOf(counts: ReadonlyMap<number, number>): SearchRows['facets'] {
    if (this.query.facets.length === 0) return {};
    const read = 'SELECT word, text FROM search_words WHERE word IN (SELECT value FROM json_each(?))';
    const names = this.all<[number, string]>(read, [JSON.stringify([...counts.keys()])]);
    const labels = names.map(([word, label]) => [label.slice(1), counts.get(word)!] as const);
    return facetsOf(this.query.facets, labels);
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

/** As SQL: a sort's number, see sortNumber. */
function numberOf(sort: Sort): string {
  const by = sortColumn[sort];
  if (!by) return '0';
  const table = by.column === 'relevance' ? 'm' : by.column === 'reputation' ? 'o' : 'd';
  return `${by.sign === 1 ? '' : '-'}ifnull(${table}.${by.column}, ${by.missing})`;
}

const comma = ','.charCodeAt(0);
const zero = '0'.charCodeAt(0);

/** Counts how often each number comes in a text of numbers between commas. */
function countIn(text: string, counts: Map<number, number>): Map<number, number> {
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
