/**
 * Reads that may scan many rows: lists, histories, pages of the journal, sums. They run on the reader thread and
 * return rows, which are cheaper to send than objects.
 */
import { unwatched } from '../../core/threads.js';
import { feeAccount, supplyAccount } from '../../machines/kernel/ledger.js';
import { type HistoryType, historyTypes } from '../../machines/kernel/posting.js';
import { fitting, textLength } from '../fitting.js';
import type { DecodedPage, PageRows } from '../page.js';
import type { SearchQuery, SortPlace } from '../search.js';
import { type EventQuery, type FindQuery, type Selection, StoreDamaged, type StoreReader } from '../store.js';
import type { SqliteConnection, Value } from './connection.js';
import { EntryRows } from './entry-rows.js';
import { type AscendingNumbers, intersection } from './index-intersection.js';
import type { SegmentName } from './job.js';
import { leadingTo } from './journal-search.js';
import { countSql, listSql } from './list-search.js';
import { partOf, type RowBatch } from './row-batch.js';
import { type AccountColumns, accountColumns, type EntryRow, type SnapshotRow } from './rows.js';
import { writeSegment } from './sealing.js';
import { type SearchRows, type SearchSource, searchRows } from './search-reads.js';
import { indexTables } from './secondary-index.js';
import { Snapshots } from './snapshots.js';

export type HistoryRow = readonly [type: number, move: number, ...EntryRow];
type TotalsRow = readonly [supply: number, fees: number, available: number, reserved: number, escrowed: number];

/** Builds a page from one row more than the limit, which tells whether more follow. */
function page<T>(rows: T[], total: number, limit: number): PageRows<T> {
  return { rows: rows.slice(0, limit), total, more: rows.length > limit };
}

/** Like `page`, for keys whose rows are read until the text bound is reached. */
function readPage<K, T extends readonly unknown[]>(
  keys: K[],
  total: number,
  { limit, characters }: DecodedPage,
  read: (key: K) => T,
): PageRows<T> {
  const rows = fitting(keys.slice(0, limit), read, { lengthOf: textLength, most: characters });
  return { rows, total, more: keys.length > rows.length };
}

type ResourceName = readonly [kind: string, id: string];

export class SlowReads {
  readonly #entries: EntryRows;
  readonly #snapshots: Snapshots;

  constructor(private readonly connection: SqliteConnection) {
    this.#entries = new EntryRows(connection);
    this.#snapshots = new Snapshots(connection, this.#entries);
  }

  totals(): TotalsRow {
    const sums = 'SELECT sum(available) a, sum(reserved) r, sum(escrowed) e FROM accounts';
    const system = 'SELECT -sum(supply) s, sum(fees) f FROM house'; // A single row; a damaged database may have none.
    return this.#all<TotalsRow>(
      `SELECT ifnull(s, 0), ifnull(f, 0), ifnull(a, 0), ifnull(r, 0), ifnull(e, 0) FROM (${system}), (${sums})`,
    )[0]!;
  }

  census(): [string, string, number][] {
    return this.#all('SELECT kind, state, count FROM census WHERE count > 0 ORDER BY kind, state');
  }

  accounts({ limit, offset, start }: DecodedPage): PageRows<AccountColumns> {
    const ofDids = 'FROM accounts WHERE did NOT IN (?, ?)';
    const systemAccounts = [supplyAccount, feeAccount];
    const balance = 'available + reserved + escrowed';
    const after = start ? `AND (${balance}, did) < (?, ?)` : '';
    return this.#atOnce(() => {
      const rows = this.#all<AccountColumns>(
        `SELECT ${accountColumns} ${ofDids} ${after} ORDER BY ${balance} DESC, did DESC LIMIT ? OFFSET ?`,
        ...systemAccounts,
        ...(start ?? []),
        limit + 1,
        offset,
      );
      return page(rows, this.#all<[number]>(`SELECT count(*) ${ofDids}`, ...systemAccounts)[0]![0], limit);
    });
  }

  find(query: Omit<FindQuery, 'page'>, cut: DecodedPage): PageRows<SnapshotRow> {
    return this.#atOnce(() => this.#find(query, cut));
  }

  /** The end of the range sorts after every id with the prefix, because ids are ASCII. */
  named(kinds: readonly string[], prefix: string, most: Parameters<StoreReader['named']>[2]): SnapshotRow[] {
    const sql = 'SELECT resource FROM resources WHERE kind = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?';
    return this.#atOnce(() => {
      const found = kinds.flatMap((kind) => this.#all<[number]>(sql, kind, prefix, `${prefix}\u007f`, most.limit));
      const read = ([resource]: [number]) => this.#snapshots.numbered(resource);
      return fitting(found, read, { lengthOf: textLength, most: most.characters });
    });
  }

  history(did: string, type: HistoryType | undefined, cut: DecodedPage): PageRows<HistoryRow> {
    return this.#atOnce(() => this.#history(did, type, cut));
  }

  entries(query: EventQuery): EntryRow[] {
    const { limit, characters, issuer, resource, type, before } = query;
    const isPlain = issuer === undefined && resource === undefined && type === undefined;
    if (isPlain && characters === undefined && before === undefined) return this.#entries.after(query.after, limit);
    return this.#atOnce(() => {
      const seqs = isPlain ? this.#next(query) : this.#leading(query);
      return fitting(seqs, (seq) => this.#entry(seq), { lengthOf: textLength, most: characters });
    });
  }

  /** All numbers up to the newest, because a journal has no gaps. */
  #next({ after, before, limit }: EventQuery): number[] {
    const [newest] = this.#all<[number]>('SELECT ifnull(max(seq), 0) FROM journal')[0]!;
    const last = before === undefined ? newest : Math.min(newest, before - 1);
    const length = Math.max(0, Math.min(limit, last - after));
    return Array.from({ length }, (_, index) => (before === undefined ? after + 1 + index : last - index));
  }

  #leading(query: EventQuery): number[] {
    const { after, before, limit } = query;
    const found: number[] = [];
    // For the newest first, numbers are negated, so that they ascend as well.
    const sign = before === undefined ? 1 : -1;
    for (const table of before === undefined ? indexTables : indexTables.toReversed()) {
      const rows = leadingTo(table, query).map(
        (leading): AscendingNumbers =>
          (from, most) => {
            const { sql, values } = leading(sign * from);
            return this.#all<[number]>(sql, ...values, most).map(([seq]) => sign * seq);
          },
      );
      found.push(...intersection(rows, before === undefined ? after : 0 - before, limit - found.length));
    }
    return before === undefined ? found : found.map((seq) => -seq).filter((seq) => seq > after);
  }

  /** The first batch of `find` and `entries` (row-batch.ts), with the keys of the rest. */
  findFirst(
    query: Omit<FindQuery, 'page'>,
    cut: DecodedPage,
  ): RowBatch<SnapshotRow, ResourceName> & Pick<PageRows<never>, 'total' | 'more'> {
    const { rows, total, more } = this.find(query, cut);
    const names = rows.map(([kind, id]): ResourceName => [kind, id]);
    return { ...partOf(names, (_, index) => rows[index]!), total, more };
  }

  snapshotsNamed(names: readonly ResourceName[]): RowBatch<SnapshotRow, ResourceName> {
    return partOf(names, ([kind, id]) => this.#snapshots.named(kind, id)!);
  }

  entriesFirst(query: EventQuery): RowBatch<EntryRow, number> {
    const rows = this.entries(query);
    return partOf(
      rows.map(([seq]) => seq),
      (_, index) => rows[index]!,
    );
  }

  entriesNumbered(seqs: readonly number[]): RowBatch<EntryRow, number> {
    return partOf(seqs, (seq) => this.#entry(seq));
  }

  search(query: SearchQuery, after: SortPlace | undefined): SearchRows {
    return this.#atOnce(() => searchRows(this.#reading, query, after));
  }

  searchRules(): string | undefined {
    return this.#all<[string]>('SELECT rules FROM search_rules')[0]?.[0];
  }

  writeSegment(entries: number): SegmentName {
    return writeSegment(this.connection, entries);
  }

  /** Copies the whole database at one point in time into an empty file. */
  copyInto(file: string): void {
    // SQLite treats this as a write.
    this.connection.exec('PRAGMA query_only = OFF');
    unwatched(() => this.connection.change('VACUUM INTO ?', file));
    this.connection.exec('PRAGMA query_only = ON');
  }

  readonly #reading: SearchSource = {
    all: (sql, values) => this.#all(sql, ...values),
    snapshot: (resource) => this.#snapshots.numbered(resource),
  };

  #find({ also = [], sort, ranges, ...first }: Omit<FindQuery, 'page'>, cut: DecodedPage) {
    const { limit, offset, start } = cut;
    const selected = [first, ...also].flatMap((each) => this.#carried(each));
    let total = 0;
    for (const each of selected) {
      const { sql, values } = countSql(each, ranges);
      total += this.#all<[number]>(sql, ...values)[0]![0];
    }
    // Doesn't search beyond the known total, because a search without result scans everything.
    const most = start ? limit + 1 : Math.min(limit + 1, total - offset);
    if (total === 0 || most <= 0) return page<SnapshotRow>([], total, limit);
    const { sql, values } = listSql(selected, { sort, ranges }, start);
    const found = this.#all<[number, string, number]>(sql, ...values, most, offset);
    return readPage(found, total, cut, ([, , resource]) => this.#snapshots.numbered(resource));
  }

  /** Drops labels that no resource has, to reduce merging. Empty if none is left. */
  #carried(selection: Selection): Selection[] {
    const { kind, anyLabel = [] } = selection;
    if (anyLabel.length === 0) return [selection];
    const some = 'SELECT 1 FROM labels WHERE kind = ? AND label = ? LIMIT 1';
    const carried = anyLabel.filter((label) => this.#all(some, kind, label).length > 0);
    return carried.length === 0 ? [] : [{ ...selection, anyLabel: carried }];
  }

  #history(did: string, type: HistoryType | undefined, cut: DecodedPage): PageRows<HistoryRow> {
    const { limit, offset, start } = cut;
    const wanted = type === undefined ? historyTypes : [type];
    const [account, total] = this.#all<[number, number]>(
      `SELECT account, ${wanted.join(' + ')} FROM accounts WHERE did = ?`,
      did,
    )[0] ?? [0, 0];
    const after = start ? 'AND (seq, move, way) < (?, ?, ?)' : '';
    // Each type is one index range per table. SQLite merges them in order and stops at the limit.
    const ranges = indexTables.flatMap((table) =>
      wanted.map((name) => {
        const way = historyTypes.indexOf(name);
        return `SELECT seq, move, way FROM ${table} WHERE way = ${way} AND what = ? ${after}`;
      }),
    );
    const lines = this.#all<[number, number, number]>(
      `${ranges.join(' UNION ALL ')} ORDER BY 1 DESC, 2 DESC, 3 DESC LIMIT ? OFFSET ?`,
      ...ranges.flatMap(() => [account, ...(start ?? [])]),
      limit + 1,
      offset,
    );
    return readPage(lines, total, cut, ([seq, move, way]): HistoryRow => [way, move, ...this.#entry(seq)]);
  }

  #entry(seq: number): EntryRow {
    const row = this.#entries.row(seq);
    if (!row) throw new StoreDamaged(`entry ${seq} is missing: svc-node audit says what is damaged`);
    return row;
  }

  /** Runs several queries in one transaction, so that a page and its total agree. */
  #atOnce<T>(read: () => T): T {
    this.connection.exec('BEGIN');
    try {
      return read();
    } finally {
      this.connection.exec('COMMIT');
    }
  }

  #all<T>(sql: string, ...values: readonly Value[]): T[] {
    return this.connection.rows(sql, ...values) as T[];
  }
}
