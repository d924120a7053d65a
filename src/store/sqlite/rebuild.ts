/**
 * Rebuilds a database from its journal in a new file, then replaces the old one. Rows that are not derived from entries
 * are copied after their hash was verified.
 */
import { copyFileSync, existsSync, linkSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { StoreRefused } from '../store.js';
import type { SqliteConnection } from './connection.js';
import {
  databaseFile,
  linkSegments,
  openWriting,
  prepareDirectory,
  retireLog,
  settle,
  syncDirectory,
} from './durable.js';
import { type KeptRecords, openRemains, type Remains } from './remains.js';
import { migrateSchema } from './schema.js';
import { segmentsFolder } from './segment.js';
import { SqliteStore } from './sqlite-store.js';

export interface RebuildFile {
  /** The database or a backup of one, not in use. */
  readonly file: string;
  /**
   * Fills the empty store.
   * @returns the rules of the search index, if the index was filled according to them
   */
  readonly fill: (source: Remains, target: SqliteStore) => Promise<{ readonly rules?: string }>;
  /** Verifies the result, in that data directory, before it replaces the old file. */
  readonly check: (dir: string) => Promise<void>;
  /** Whether rows that are not derived from entries are dropped if their hash doesn't match. */
  readonly dropDamaged: boolean;
}

export interface RebuiltFile {
  readonly dropped: readonly string[];
  readonly before: string;
}

/** @throws StoreRefused, with nothing changed, if rows that are not derived from entries are damaged */
export async function rebuildFile({ file, fill, check, dropDamaged }: RebuildFile): Promise<RebuiltFile> {
  const before = `${file}.before-rebuild`;
  if (existsSync(before)) throw new StoreRefused(`${before} is there from an earlier rebuild: move it away first`);
  const source = openRemains(file);
  const scratch = `${file}.rebuilding`;
  try {
    const kept = source.kept();
    if (kept.damaged.length > 0 && !dropDamaged) throw new StoreRefused(sentenceOf(kept));
    rmSync(scratch, { recursive: true, force: true });
    prepareDirectory(scratch);
    linkSegments(segmentsFolder(databaseFile(scratch)), resolve(segmentsFolder(file)));
    furnish(scratch, kept);
    const target = await SqliteStore.open({ dir: scratch, writer: 'inline' });
    const { rules } = await fill(source, target).finally(() => target.close());
    if (rules !== undefined)
      written(scratch, (connection) => connection.change('INSERT INTO search_rules VALUES (?)', rules));
    await check(scratch);
    source.close();
    retireLog(file);
    keepAs(before, file);
    settle(databaseFile(scratch), file);
    return { dropped: kept.damaged, before };
  } finally {
    source.close();
    rmSync(scratch, { recursive: true, force: true });
    syncDirectory(dirname(file));
  }
}

/**
 * Keeps the old database under another name. There is a database under the file's name at every moment, because a start
 * without one would create an empty one.
 */
function keepAs(before: string, file: string): void {
  try {
    linkSync(file, before);
  } catch {
    // The file system has no hard links.
    copyFileSync(file, before);
  }
}

const sentenceOf = ({ damaged }: KeptRecords): string =>
  `${damaged.slice(0, 3).join('; ')}${damaged.length > 3 ? `; and ${damaged.length - 3} more` : ''}. ` +
  'That follows from nothing else: restore a backup from before the damage, or leave it out with --drop-damaged';

/** Inserts owners first, so that they keep their numbers. */
function furnish(dir: string, { records, owners }: KeptRecords): void {
  const connection = openWriting(dir);
  migrateSchema(connection);
  connection.close();
  written(dir, (to) => {
    const addRecord = 'INSERT INTO local (name, id, revision, value, hash) VALUES (?,?,?,?,?)';
    for (const record of records) to.change(addRecord, ...record);
    const addOwner = 'INSERT INTO search_owners (owner, did, reputation, hash) VALUES (?,?,?,?)';
    for (const owner of owners) to.change(addOwner, ...owner);
  });
}

function written(dir: string, write: (connection: SqliteConnection) => void): void {
  const connection = openWriting(dir);
  try {
    connection.exec('BEGIN IMMEDIATE');
    write(connection);
    connection.exec('COMMIT');
    connection.value('PRAGMA wal_checkpoint(TRUNCATE)');
  } finally {
    connection.close();
  }
}
