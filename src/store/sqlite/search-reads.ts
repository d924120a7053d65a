/**
 * Searches the database (schema.ts, searchIndex). The rarest word or label group selects documents, the others are
 * looked up for those. Only ids are sorted, and bodies are joined for the page alone.
 */
import { fitting, textLength } from '../fitting.js';
import type { FacetCount, SearchQuery, SortPlace } from '../search.js';
import { facetsOf, type Sort, sortColumn, sortOf } from '../search.js';
import type { SnapshotRow } from './rows.js';
import { type Blocks, partsOfAges, partsOfBlocks, startOf } from './search-skip.js';
import { type All, type IndexPartition, joinedSql, type Sql, sql } from './search-sql.js';
import { block, initialText, labelText } from './search-terms.js';

export interface SearchRows {
  readonly rows: readonly SnapshotRow[];
  readonly total: number;
  /** Sort position of the last row, where more follow. */
  readonly last: SortPlace | null;
  readonly places?: readonly SortPlace[];
  readonly facets: { readonly [name: string]: readonly FacetCount[] };
}

type SearchCounts = Pick<SearchRows, 'total' | 'facets'>;

export interface SearchSource {
  readonly all: All;
  readonly snapshot: (resource: number) => SnapshotRow;
}

type FoundRow = readonly [...SortPlace, resource: number];

type HiddenRow = readonly [document: number, createdAt: number];

type PartitionRow = readonly [partition: number, market: string, visibility: string, status: string, count: number];

/** A condition that selects documents: a word prefix, or one of some labels. */
interface TermGroup {
  readonly isWord: boolean;
  readonly words: Sql;
  readonly wordCount: number;
  /** Rows in the index, counted up to a bound. */
  readonly rows: number;
}

interface Joined {
  readonly driver: TermGroup;
  readonly group: TermGroup;
  readonly blocks: Blocks;
}

/** Bound of the count that finds the rarest group. */
const countedRows = 20_000;
/** Most words of a prefix that a query lists one by one. */
const namedWords = 64;
/** Sorts after every text with the same prefix. */
const last = '\u{10ffff}';
const noOwner = -1;

const partOf = {
  all: () => sql('1'),
  fresh: (time: number) => sql('(d.expires_at IS NULL OR d.expires_at > ?)', time),
  expired: (time: number) => sql('d.expires_at <= ?', time),
} as const;

export function searchRows(reading: SearchSource, query: SearchQuery, after: SortPlace | undefined): SearchRows {
  return new SearchReading(reading, query, after).answer();
}

class SearchReading {
  readonly #sort: Sort;
  #blocks: Blocks = { newest: 0, oldest: 0 };

  private readonly all: All;
  private readonly snapshot: SearchSource['snapshot'];

  constructor(
    { all, snapshot }: SearchSource,
    private readonly query: SearchQuery,
    private readonly after: SortPlace | undefined,
  ) {
    this.all = all;
    this.snapshot = snapshot;
    this.#sort = sortOf(query);
  }

  answer(): SearchRows {
    const { query } = this;
    const partitions = this.#partitions();
    const labels = query.labels.map((group) => this.#numbersOf(group));
    const groups = partitions.length === 0 ? [] : this.#groups(labels);
    if (partitions.length === 0 || groups.some(({ rows }) => rows === 0)) {
      return { rows: [], total: 0, last: null, ...(query.isPart ? { places: [] } : {}), facets: facetsOf(query, []) };
    }
    const conditions = [this.#inPartitions(partitions), ...labels.map(carriesOne), ...this.#bounds()];
    const isPlain = groups.length === 0 && conditions.length === 1 && partitions.every(({ own }) => !own);
    const hidden = this.#hidden(partitions);
    const where = joinedSql([...conditions, ...without(hidden)], ' AND ');
    const parts = (): Sql[] => (query.facets.length > 0 ? this.#parts(groups, partitions, where) : []);
    if (isPlain && this.#sort === 'newest') {
      // The counts of the partitions are enough.
      const total = this.#countOf(partitions) - hidden.length;
      return this.#page(this.#newest(partitions, hidden), { ...this.#counted(parts()), total });
    }
    const source = joinedSql([this.#source(groups), where], ' WHERE ');
    // Materialising the matches costs less than looking several words or a prefix up twice.
    const isCheap = ({ rows }: TermGroup) => rows < countedRows;
    const isKept = query.words.length > 1 || groups.some((group) => isCheap(group) || group.wordCount > namedWords);
    if (isKept) return this.#atOnce(source);
    const counted = query.facets.length > 0 ? this.#counted(parts()) : { total: this.#totalOf(source), facets: {} };
    return this.#page(this.#sorted(source), counted);
  }

  /** The matches in parts (search-parts.ts). */
  #parts(groups: readonly TermGroup[], partitions: readonly IndexPartition[], where: Sql): Sql[] {
    const part = (source: Sql, ...more: readonly Sql[]) =>
      joinedSql([source, joinedSql([where, ...more], ' AND ')], ' WHERE ');
    if (groups.length > 0) {
      return partsOfBlocks(this.#blocks).map((blocks) => part(this.#source(groups, blocks)));
    }
    const source = this.#source(groups);
    // One owner's documents are few and not read in the order of age.
    if (this.query.owner !== undefined || partitions.some(({ own }) => own)) return [part(source)];
    return partsOfAges(this.all, partitions).map((age) => part(source, age));
  }

  #page(found: readonly FoundRow[], counted: SearchCounts): SearchRows {
    const { limit, characters } = this.query.page;
    const read = ([, , , resource]: FoundRow) => this.snapshot(resource);
    const rows = fitting(found.slice(0, limit), read, { lengthOf: textLength, most: characters });
    return {
      rows,
      last: found.length > rows.length ? sortPlaceOf(found[rows.length - 1]!) : null,
      ...(this.query.isPart ? { places: found.slice(0, rows.length).map(sortPlaceOf) } : {}),
      ...counted,
    };
  }

  #groups(labels: readonly (readonly number[])[]): TermGroup[] {
    // Two queries, because min and max in one would scan the table.
    const endOf = (end: 'min' | 'max') =>
      this.all<[number]>(`SELECT ${end}(document) FROM search_documents`, [])[0]![0];
    const [first, last] = [endOf('min'), endOf('max')];
    this.#blocks = { oldest: Math.floor(first / block.size), newest: Math.floor(last / block.size) };
    const words = this.query.words.map((word) => this.#range(word));
    // Labels are counted only as far as they may be rarer than the words.
    const rarest = Math.min(countedRows, ...words.map(({ rows }) => rows + 1));
    return [...words, ...labels.map((numbers) => this.#anyOf(numbers, rarest))];
  }

  #partitions(): IndexPartition[] {
    const { markets, visibility, statuses, reader } = this.query;
    const rows = this.all<PartitionRow>('SELECT shelf, market, visibility, status, count FROM search_shelves', []);
    const expired = statuses.includes('expired');
    return rows.flatMap(([partition, market, seen, status, count]) => {
      const own = seen !== 'public';
      if (markets && !markets.includes(market)) return [];
      if (!visibility.includes(seen as 'public') || (own && reader === undefined)) return [];
      const fresh = statuses.includes(status);
      if (!fresh && !expired) return [];
      return [{ partition, count, own, part: fresh && expired ? 'all' : fresh ? 'fresh' : 'expired' } as const];
    });
  }

  #inPartitions(partitions: readonly IndexPartition[]): Sql {
    const reader = this.query.reader === undefined ? noOwner : this.#ownerOf(this.query.reader);
    const kinds = new Map<string, IndexPartition[]>();
    for (const partition of partitions) {
      const kind = `${partition.part}/${partition.own}`;
      kinds.set(kind, [...(kinds.get(kind) ?? []), partition]);
    }
    const conditions = [...kinds.values()].map((alike) => {
      const [{ part, own }] = alike as [IndexPartition];
      const among = sql(`d.shelf IN (${alike.map(({ partition }) => partition).join(', ')})`);
      return joinedSql([among, partOf[part](this.query.time), ...(own ? [sql('d.owner = ?', reader)] : [])], ' AND ');
    });
    const { text, values } = joinedSql(conditions, ' OR ');
    return { text: `(${text})`, values };
  }

  /** The hidden documents of these partitions. */
  #hidden(partitions: readonly IndexPartition[]): readonly HiddenRow[] {
    const { hidden = [] } = this.query;
    if (hidden.length === 0) return [];
    const { text, values } = this.#inPartitions(partitions);
    const found = `SELECT d.document, d.created_at FROM json_each(?) h CROSS JOIN search_documents d ON d.id = h.value`;
    return this.all<HiddenRow>(`${found} WHERE ${text}`, [JSON.stringify(hidden), ...values]);
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

  /** SQL that joins documents `d` with their relevance, `m.relevance`. */
  #source(groups: readonly TermGroup[], blocks = this.#blocks): Sql {
    const needsOwner = this.#sort === 'reputation' || this.query.minReputation !== undefined;
    const owners = needsOwner ? ' JOIN search_owners o ON o.owner = d.owner' : '';
    if (groups.length === 0) return sql(`(SELECT 0 AS relevance) m CROSS JOIN search_documents d${owners}`);
    const [driver, ...others] = [...groups].sort((a, b) => a.rows - b.rows) as [TermGroup, ...TermGroup[]];
    // The other labels are read from the document. The steps are a flat list, because SQLite limits nesting.
    const steps = [this.#documentsOf(driver, blocks)];
    for (const group of others.filter(({ isWord }) => isWord)) {
      steps.push(this.#withWord(`f${steps.length - 1}`, { driver, group, blocks }));
    }
    const named = joinedSql(
      steps.map(({ text, values }, index) => sql(`f${index} AS (${text})`, ...values)),
      ', ',
    );
    const found = `(WITH ${named.text} SELECT * FROM f${steps.length - 1}) m`;
    return sql(`${found} CROSS JOIN search_documents d ON d.document = m.document${owners}`, ...named.values);
  }

  #termsOf(words: Sql, { newest, oldest }: Blocks): Sql {
    const blocks = `(WITH RECURSIVE b(block) AS (SELECT CAST(? AS INTEGER) UNION ALL
      SELECT block - 1 FROM b WHERE block > ?) SELECT block FROM b)`;
    const among = `t.block = b.block AND t.word IN (${words.text})`;
    return sql(`${blocks} b CROSS JOIN search_terms t ON ${among}`, newest, oldest, ...words.values);
  }

  #documentsOf({ isWord, words, wordCount }: TermGroup, blocks: Blocks): Sql {
    const weight = isWord ? 'weight' : '0';
    const { text, values } = this.#termsOf(words, blocks);
    const document = `${block.document('t.block', 't.place')} AS document`;
    if (wordCount === 1) return sql(`SELECT ${document}, ${weight} AS relevance FROM ${text}`, ...values);
    // Newest first, so that the sort rarely replaces what it holds.
    const each = `SELECT ${document}, sum(${weight}) AS relevance FROM ${text} GROUP BY 1`;
    return sql(`SELECT * FROM (${each}) ORDER BY document DESC LIMIT -1`, ...values);
  }

  /** Keeps the found documents that also have another word, looked up one by one where that is cheaper. */
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

  #range(word: string): TermGroup {
    const words =
      [...word].length === 1
        ? sql('SELECT word FROM search_words WHERE text = ?', initialText(word))
        : sql('SELECT word FROM search_words WHERE text >= ? AND text < ?', word, word + last);
    const numbers = this.all<[number]>(`${words.text} LIMIT ${namedWords + 1}`, words.values);
    // Lists the words if they are few; a single one needs no sum.
    const few = numbers.length <= namedWords ? someOf(numbers.map(([number]) => number)) : words;
    return { isWord: true, words: few, wordCount: numbers.length, rows: this.#rowsOf(few) };
  }

  #anyOf(numbers: readonly number[], most: number): TermGroup {
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

  #seek(number: string): Sql {
    if (!this.after) return sql('');
    if (number === '0') return sql(' AND (d.created_at, d.id) < (?, ?)', this.after[1], this.after[2]);
    return sql(` AND (${number}, d.created_at, d.id) < (?, ?, ?)`, ...this.after);
  }

  #sorted(source: Sql): FoundRow[] {
    const { page } = this.query;
    const number = numberOf(this.#sort);
    const { text, values } = joinedSql([source, this.#seek(number)], '');
    return this.all(
      `SELECT ${number}, d.created_at, d.id, d.resource FROM ${text}
       ORDER BY ${number === '0' ? '' : `${number} DESC, `}d.created_at DESC, d.id DESC LIMIT ? OFFSET ?`,
      [...values, page.limit + 1, this.after ? 0 : page.offset],
    );
  }

  /** Scans the matches once, for the page and the counts. */
  #atOnce(source: Sql): SearchRows {
    const { page, facets } = this.query;
    const number = numberOf(this.#sort);
    const seek = this.#seek('n').text.replaceAll('d.', '');
    const labels = facets.length > 0 ? 'd.labels' : 'NULL';
    const [counted, ...found] = this.all<FoundRow | readonly [null, total: number, labels: string | null, null]>(
      `WITH found AS MATERIALIZED (
         SELECT ${number} AS n, d.created_at, d.id, d.resource, ${labels} AS labels FROM ${source.text})
       SELECT NULL, count(*), group_concat(labels, ''), NULL FROM found UNION ALL
       SELECT * FROM (SELECT n, created_at, id, resource FROM found WHERE 1 ${seek}
         ORDER BY n DESC, created_at DESC, id DESC LIMIT ? OFFSET ?)`,
      [...source.values, ...(this.after ?? []), page.limit + 1, this.after ? 0 : page.offset],
    );
    const [, total, text] = counted!;
    return this.#page(found as FoundRow[], { total, facets: this.#facetsOf(countIn(text ?? '', new Map())) });
  }

  /** Each partition is sorted by age: SQLite merges them and stops at the limit. */
  #newest(partitions: readonly IndexPartition[], hidden: readonly HiddenRow[]): FoundRow[] {
    const { page, time } = this.query;
    const skip = { offset: page.offset, time, hidden: hidden.map(([, createdAt]) => createdAt) };
    const start = this.after ? { offset: 0 } : startOf(this.all, partitions, skip);
    const ranges = partitions.map(({ partition, part }) => {
      const conditions = [
        sql(`d.shelf = ${partition}`),
        partOf[part](time),
        ...without(hidden),
        ...(start.before === undefined ? [] : [sql('d.created_at < ?', start.before)]),
      ];
      const { text, values } = joinedSql([joinedSql(conditions, ' AND '), this.#seek('0')], '');
      return sql(`SELECT 0, d.created_at, d.id, d.document FROM search_documents d WHERE ${text}`, ...values);
    });
    const { text, values } = joinedSql(ranges, ' UNION ALL ');
    const found = this.all<[...SortPlace, number]>(`${text} ORDER BY 2 DESC, 3 DESC LIMIT ? OFFSET ?`, [
      ...values,
      page.limit + 1,
      start.offset,
    ]);
    // The index has the document; its resource is read for the page alone.
    const resource = 'SELECT resource FROM search_documents WHERE document = ?';
    return found.map(([number, createdAt, id, document]) => {
      return [number, createdAt, id, this.all<[number]>(resource, [document])[0]![0]];
    });
  }

  /** The sum of the partition counts, minus expired documents whose alarm has not been handled yet. */
  #countOf(partitions: readonly IndexPartition[]): number {
    const expired = 'SELECT count(*) FROM search_documents WHERE shelf = ? AND expires_at <= ?';
    return partitions.reduce((sum, { partition, count, part }) => {
      if (part === 'all') return sum + count;
      const over = this.all<[number]>(expired, [partition, this.query.time])[0]![0];
      return sum + (part === 'fresh' ? count - over : over);
    }, 0);
  }

  #counted(parts: readonly Sql[]): SearchCounts {
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
    return facetsOf(this.query, labels);
  }
}

const sortPlaceOf = (row: FoundRow): SortPlace => row.slice(0, 3) as unknown as SortPlace;
const someOf = (numbers: readonly number[]): Sql => sql(numbers.map(() => '?').join(', ') || 'NULL', ...numbers);

const without = (hidden: readonly HiddenRow[]): Sql[] =>
  hidden.length === 0
    ? []
    : [sql('d.document NOT IN (SELECT value FROM json_each(?))', JSON.stringify(hidden.map(([document]) => document)))];

function carriesOne(numbers: readonly number[]): Sql {
  const { text, values } = joinedSql(
    numbers.map((number) => sql('instr(d.labels, ?) > 0', `,${number},`)),
    ' OR ',
  );
  return { text: `(${text || '0'})`, values };
}

/** SQL of a sort's number, see sortNumber. */
function numberOf(sort: Sort): string {
  const by = sortColumn[sort];
  if (!by) return '0';
  const table = by.column === 'relevance' ? 'm' : by.column === 'reputation' ? 'o' : 'd';
  return `${by.sign === 1 ? '' : '-'}ifnull(${table}.${by.column}, ${by.missing})`;
}

const comma = ','.charCodeAt(0);
const zero = '0'.charCodeAt(0);

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
