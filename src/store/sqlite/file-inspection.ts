/** Checks a database file: pages, indexes, tables, and the hashes of rows that are not derived from entries. */
import type { SqliteConnection } from './connection.js';
import { violationOfSegments } from './entry-rows.js';
import { isRowHash } from './row-hash.js';
import { schemaVersion, violationOfLayout } from './schema.js';

/** Takes some seconds per gigabyte. */
export function violationOfFile(connection: SqliteConnection): string | undefined {
  return (
    violationOfLayout(connection, schemaVersion) ??
    violationOfPages(connection) ??
    violationOfSegments(connection, { whole: true }) ??
    violationOfKept(connection)
  );
}

function violationOfPages(connection: SqliteConnection): string | undefined {
  const verdict = String(connection.value('PRAGMA integrity_check(1)'));
  if (verdict === 'ok') return undefined;
  const text = verdict.replace(/^\*{3} in database main \*{3}\n/, '');
  const [, root] = /^Tree (\d+) /.exec(text) ?? [];
  const tree = root && connection.row<[string]>('SELECT name FROM sqlite_schema WHERE rootpage = ?', Number(root));
  return `the file is damaged${tree ? ` in ${tree[0]}` : ''}: ${text}`;
}

export type LocalRow = readonly [name: string, id: string, revision: number, value: string, hash: Uint8Array | null];
export type OwnerRow = readonly [owner: number, did: string, reputation: number | null, hash: Uint8Array | null];

type Looked<Row> = Generator<readonly [row: Row, flaw: string | undefined]>;

export function* recordsIn(connection: SqliteConnection): Looked<LocalRow> {
  const next = `SELECT name, id, revision, value, hash FROM local WHERE (name, id) > (?, ?) ORDER BY name, id LIMIT ${pageSize}`;
  for (const row of paged<LocalRow>((last) => connection.rows(next, last?.[0] ?? '', last?.[1] ?? ''))) {
    const [name, id, revision, value, hash] = row;
    const isSound = isRowHash(hash, name, id, revision, value);
    yield [row, isSound ? undefined : `the record ${name}/${id} is not what was written`];
  }
}

/** Owners with the reputation by which their listings are ranked. */
export function* ownersIn(connection: SqliteConnection): Looked<OwnerRow> {
  const next = `SELECT owner, did, reputation, hash FROM search_owners WHERE owner > ? ORDER BY owner LIMIT ${pageSize}`;
  for (const row of paged<OwnerRow>((last) => connection.rows(next, last?.[0] ?? 0))) {
    const [, did, reputation, hash] = row;
    const isSound = reputation === null ? hash === null : isRowHash(hash, did, reputation);
    yield [row, isSound ? undefined : `the reputation by which ${did} is ranked is not what was written`];
  }
}

/** Checks the hashes of rows that are not derived from entries. */
function violationOfKept(connection: SqliteConnection): string | undefined {
  for (const [, flaw] of recordsIn(connection)) if (flaw !== undefined) return flaw;
  for (const [, flaw] of ownersIn(connection)) if (flaw !== undefined) return flaw;
  return undefined;
}

/** Rows that are in memory at once: a record of the index of hashes has some six KiB. */
const pageSize = 50;

function* paged<T>(next: (last?: T) => T[]): Generator<T> {
  for (let page = next(); page.length > 0; page = next(page.at(-1))) yield* page;
}
