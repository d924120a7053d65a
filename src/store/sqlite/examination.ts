/** Examines the database file without changing it: owner, schema version, damage. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { openOrRefuse, SqliteConnection } from './connection.js';
import { databaseFile } from './durable.js';
import { segmentNames } from './entry-rows.js';
import { violationOfFileEnd } from './journal-end.js';
import { checkSchema, schemaVersion } from './schema.js';
import { segmentFile, segmentsFolder } from './segment.js';

export interface SqliteExamination {
  readonly file: string;
  /** The file's schema version, and the newest that this program knows. */
  readonly version: number;
  readonly newest: number;
  /** The first ten problems that SQLite's check reports. */
  readonly flaws: readonly string[];
  /** The violation at the journal's end. Not checked in a damaged file or one of an older version. */
  readonly ending: string | undefined;
  /** Files of segments that the database does not name, for the same: what is being sealed, or what a restore has left. */
  readonly unnamed: readonly string[];
}

const mostFlaws = 10;
/** More entries than a start checks. */
const entriesLookedAt = 100;
const cacheKiB = 16_384;

/**
 * @returns undefined if there is no database yet
 * @throws StoreRefused if it is foreign or newer than this program
 */
export function examineDatabase(dir: string): SqliteExamination | undefined {
  const file = databaseFile(dir);
  if (!existsSync(file)) return undefined;
  return openOrRefuse(file, () => examineFile(file));
}

function examineFile(file: string): SqliteExamination {
  const connection = new SqliteConnection(file, { cacheKiB, readOnly: true });
  try {
    const version = checkSchema(connection);
    const said = connection.rows<[string]>(`PRAGMA quick_check(${mostFlaws})`).map(([text]) => text);
    const flaws = said.filter((text) => text !== 'ok');
    const isReadable = flaws.length === 0 && version === schemaVersion;
    const ending = isReadable ? violationOfFileEnd(connection, entriesLookedAt) : undefined;
    const unnamed = isReadable ? unnamedSegments(connection) : [];
    return { file, version, newest: schemaVersion, flaws, ending, unnamed };
  } finally {
    connection.close();
  }
}

function unnamedSegments(connection: SqliteConnection): string[] {
  const folder = segmentsFolder(connection.file);
  const files = existsSync(folder) ? readdirSync(folder) : [];
  const named = new Set(segmentNames(connection).map(segmentFile));
  return files.filter((file) => !named.has(file)).map((file) => join(folder, file));
}
