/**
 * Reads that may walk many rows: lists, histories, pages of the journal, sums. They run on the reader thread and
 * answer with rows, which cross back cheaper than the objects made of them.
 */
import { feeAccount, supplyAccount } from '../../machines/kernel/ledger.js';
import type { HistoryType } from '../../machines/kernel/posting.js';
import type { Place, SearchQuery } from '../search/search.js';
import type { EventQuery, FindQuery, Selection } from '../store.js';
import type { Connection, Value } from './connection.js';
import { crossing, type Row } from './crossing.js';
import { leadingTo, nextEntries } from './journal-search.js';
import { historyTypes, leadTables } from './leads.js';
import { counted, listed } from './list-search.js';
import { type Part, partOf } from './parts.js';
import {
  type AccountColumns,
  accountColumns,
  type EntryRow,
  entryColumns,
  entryRow,
  entryTables,
  type SnapshotRow,
  type StoredEntryRow,
} from './rows.js';
import { type Reading, type SearchRows, searchRows } from './search-reads.js';
import { Snapshots } from './snapshots.js';

/** Rows of one page; `more` when others follow. */
export interface PageRows<T> {
  readonly rows: readonly T[];
  readonly total: number;
  readonly more: boolean;
}

/** A page whose cursor was decoded already. */
export interface Cut {
  readonly limit: number;
  readonly offset: number;
  readonly start?: readonly (string | number)[] | undefined;
}

export type HistoryRow = readonly [type: number, move: number, ...EntryRow];
type Totals = readonly [supply: number, fees: number, available: number, reserved: number, escrowed: number];

/** One row too many was asked for: it only says that there are more. */
function page<T>(rows: T[], total: number, limit: number): PageRows<T> {
  return { rows: rows.slice(0, limit), total, more: rows.length > limit };
}

type Named = readonly [kind: string, id: string];

const keptStatements = 100;

export class SlowReads {
  readonly #connection: Connection;
  readonly #snapshots: Snapshots;
  /** By text: the conditions of a query come in few combinations. */
  readonly #prepared = new Map<string, (values: readonly Value[]) => unknown[]>();

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#snapshots = new Snapshots(connection);
  }

  totals(): Totals {
    const sums = 'SELECT sum(available) a, sum(reserved) r, sum(escrowed) e FROM accounts';
    const house = 'SELECT -sum(supply) s, sum(fees) f FROM house'; // one row: an audit may find none
    return this.#all<Totals>(
      `SELECT ifnull(s, 0), ifnull(f, 0), ifnull(a, 0), ifnull(r, 0), ifnull(e, 0) FROM (${house}), (${sums})`,
      [],
    )[0]!;
  }

  census(): [string, string, number][] {
    return this.#all('SELECT kind, state, count FROM census WHERE count > 0 ORDER BY kind, state', []);
  }

  accounts({ limit, offset, start }: Cut): PageRows<AccountColumns> {
    const ofDids = 'FROM accounts WHERE did NOT IN (?, ?)';
    const house = [supplyAccount, feeAccount];
    const balance = 'available + reserved + escrowed';
    const after = start ? `AND (${balance}, did) < (?, ?)` : '';
    return this.#atOnce(() => {
      const rows = this.#all<AccountColumns>(
        `SELECT ${accountColumns} ${ofDids} ${after} ORDER BY ${balance} DESC, did DESC LIMIT ? OFFSET ?`,
        [...house, ...(start ?? []), limit + 1, offset],
      );
      return page(rows, this.#all<[number]>(`SELECT count(*) ${ofDids}`, house)[0]![0], limit);
    });
  }

  find(query: Omit<FindQuery, 'page'>, cut: Cut): PageRows<SnapshotRow> {
    return this.#atOnce(() => this.#find(query, cut));
  }

  history(did: string, type: HistoryType | undefined, cut: Cut): PageRows<HistoryRow> {
    return this.#atOnce(() => this.#history(did, type, cut));
  }

  entries(query: EventQuery): EntryRow[] {
    const { limit, issuer, resource, type } = query;
    if (issuer === undefined && resource === undefined && type === undefined) {
      const { sql, values } = nextEntries(query, limit);
      return this.#all<StoredEntryRow>(sql, values).map(entryRow);
    }
    return this.#atOnce(() => {
      const found: EntryRow[] = [];
      for (const table of leadTables) {
        const rows = leadingTo(table, query).map(
          (leading): Row =>
            (from, most) => {
              const { sql, values } = leading(from);
              return this.#all<[number]>(sql, [...values, most]).map(([seq]) => seq);
            },
        );
        for (const seq of crossing(rows, query.after, limit - found.length)) found.push(this.#entry(seq));
      }
      return found;
    });
  }

  /** The same as `find` and `entries`, as far as it crosses at once (parts.ts), and what is left of them. */
  findFirst(
    query: Omit<FindQuery, 'page'>,
    cut: Cut,
  ): Part<SnapshotRow, Named> & Pick<PageRows<never>, 'total' | 'more'> {
    const { rows, total, more } = this.find(query, cut);
    const names = rows.map(([kind, id]): Named => [kind, id]);
    return { ...partOf(names, (_, index) => rows[index]!), total, more };
  }

  snapshotsNamed(names: readonly Named[]): Part<SnapshotRow, Named> {
    return partOf(names, ([kind, id]) => this.#snapshots.named(kind, id)!);
  }

  entriesFirst(query: EventQuery): Part<EntryRow, number> {
    const rows = this.entries(query);
    return partOf(
      rows.map(([seq]) => seq),
      (_, index) => rows[index]!,
    );
  }

  entriesNumbered(seqs: readonly number[]): Part<EntryRow, number> {
    return partOf(seqs, (seq) => this.#entry(seq));
  }

  search(query: SearchQuery, after: Place | undefined): SearchRows {
    return this.#atOnce(() => searchRows(this.#reading, query, after));
  }

  searchRules(): string | undefined {
    return this.#all<[string]>('SELECT rules FROM search_rules', [])[0]?.[0];
  }

  /** Copies the whole database, as it stands now, into an empty file. */
  copyInto(file: string): void {
    // SQLite counts this as writing, although to another file.
    this.#connection.exec('PRAGMA query_only = OFF');
    this.#connection.change('VACUUM INTO ?')([file]);
    this.#connection.exec('PRAGMA query_only = ON');
  }

  readonly #reading: Reading = {
    all: (sql, values) => this.#all(sql, values),
    snapshot: (resource) => this.#snapshots.numbered(resource),
  };

  #find({ also = [], ...first }: Omit<FindQuery, 'page'>, { limit, offset, start }: Cut) {
    const selected = [first, ...also].flatMap((each) => this.#carried(each));
    let total = 0;
    for (const each of selected) {
      const { sql, values } = counted(each);
      total += this.#all<[number]>(sql, values)[0]![0];
    }
    // What is known not to be there is not looked for: to find nothing takes as long as to go through all.
    const most = start ? limit + 1 : Math.min(limit + 1, total - offset);
    if (total === 0 || most <= 0) return page<SnapshotRow>([], total, limit);
    const { sql, values } = listed(selected, start);
    const found = this.#all<[number, string, number]>(sql, [...values, most, offset]);
    const rows = found.map(([, , resource]) => this.#snapshots.numbered(resource));
    return page(rows, total, limit);
  }

  /** Without the labels that nothing carries: those that are left need less merging. None where nothing is left. */
  #carried(selection: Selection): Selection[] {
    const { kind, anyLabel = [] } = selection;
    if (anyLabel.length === 0) return [selection];
    const some = 'SELECT 1 FROM labels WHERE kind = ? AND label = ? LIMIT 1';
    const carried = anyLabel.filter((label) => this.#all(some, [kind, label]).length > 0);
    return carried.length === 0 ? [] : [{ ...selection, anyLabel: carried }];
  }

  #history(did: string, type: HistoryType | undefined, { limit, offset, start }: Cut): PageRows<HistoryRow> {
    const wanted = type === undefined ? historyTypes : [type];
    const [account, total] = this.#all<[number, number]>(
      `SELECT account, ${wanted.join(' + ')} FROM accounts WHERE did = ?`,
      [did],
    )[0] ?? [0, 0];
    const after = start ? 'AND (seq, move, way) < (?, ?, ?)' : '';
    // Each type is one range of each table, in order; SQLite merges them and stops at the limit.
    const ranges = leadTables.flatMap((table) =>
      wanted.map((name) => {
        const way = historyTypes.indexOf(name);
        return `SELECT seq, move, way FROM ${table} WHERE way = ${way} AND what = ? ${after}`;
      }),
    );
    const lines = this.#all<[number, number, number]>(
      `${ranges.join(' UNION ALL ')} ORDER BY 1 DESC, 2 DESC, 3 DESC LIMIT ? OFFSET ?`,
      [...ranges.flatMap(() => [account, ...(start ?? [])]), limit + 1, offset],
    );
    const rows = lines.map(([seq, move, way]): HistoryRow => [way, move, ...this.#entry(seq)]);
    return page(rows, total, limit);
  }

  #entry(seq: number): EntryRow {
    return entryRow(this.#all<StoredEntryRow>(`SELECT ${entryColumns} FROM ${entryTables} WHERE j.seq = ?`, [seq])[0]!);
  }

  /** One moment of the database for several queries, so that a page and its total agree. */
  #atOnce<T>(read: () => T): T {
    this.#connection.exec('BEGIN');
    try {
      return read();
    } finally {
      this.#connection.exec('COMMIT');
    }
  }

  #all<T>(sql: string, values: readonly Value[]): T[] {
    let prepared = this.#prepared.get(sql);
    if (!prepared) {
      if (this.#prepared.size >= keptStatements) this.#prepared.clear();
      prepared = this.#connection.rows(sql);
      this.#prepared.set(sql, prepared);
    }
    return prepared(values) as T[];
  }
}
