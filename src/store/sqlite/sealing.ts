/**
 * Writes old entries to a segment. Their rows are deleted afterwards (journal.ts): a crash leaves the rows, or the file
 * that counts.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256Hex } from '../../core/canonical.js';
import { makeFolder } from '../../core/durable-file.js';
import { StoreDamaged } from '../store.js';
import type { SqliteConnection } from './connection.js';
import { settle, syncDirectory } from './durable.js';
import { sealedTo, violationOfSegments } from './entry-rows.js';
import type { SegmentName } from './job.js';
import { type Texts, unpacked } from './packing.js';
import { type EntryRow, entryColumns, entryTables, type StoredEntryRow } from './rows.js';
import { Segment, segmentFile, segmentOf, segmentsFolder } from './segment.js';

/** Characters of a segment's texts, after which it has no further entry. */
const mostCharacters = 16 * 1024 * 1024;

/** Rows that are read at once. */
const readAtOnce = 32;

/**
 * Writes the next segment, without changing the database.
 * @param entries how many it has, unless they are long
 * @throws StoreDamaged if one of them is, or if the file of the segment before is missing, as where a disk is not mounted
 */
export function writeSegment(connection: SqliteConnection, entries: number): SegmentName {
  const { first, rows } = nextRows(connection, entries);
  const bytes = segmentOf(rows);
  const folder = segmentsFolder(connection.file);
  if (first === 1) {
    makeFolder(folder);
    syncDirectory(dirname(folder));
  }
  if (bytes) {
    const [last, , , chainHash] = rows.at(-1)![0];
    const name = { last, chainHash, sha256: sha256Hex(bytes) };
    const file = join(folder, segmentFile(name));
    const partial = `${file}.partial`;
    try {
      rmSync(partial, { force: true });
      writeFileSync(partial, bytes, { flag: 'wx', mode: 0o600 });
      const segment = new Segment(partial, first, name);
      if (rows.every(([row, texts]) => isSame(segment.row(row[0]), row) && isSame(segment.texts(row[0]), texts))) {
        settle(partial, file);
        return name;
      }
    } finally {
      rmSync(partial, { force: true });
    }
  }
  throw new StoreDamaged(`the entries from ${first} on can't be sealed: svc-node audit says what is damaged`);
}

type SealedRow = readonly [row: EntryRow, texts: Texts];

/** The next rows to seal, as of one point in time: none if one of them is missing. */
function nextRows(
  connection: SqliteConnection,
  entries: number,
): { readonly first: number; readonly rows: readonly SealedRow[] } {
  connection.exec('BEGIN');
  try {
    const sealed = sealedTo(connection);
    const flaw = violationOfSegments(connection, { from: sealed });
    if (flaw !== undefined) throw new StoreDamaged(flaw);
    return { first: sealed + 1, rows: rowsOf(connection, sealed + 1, entries) };
  } finally {
    connection.exec('COMMIT');
  }
}

function rowsOf(connection: SqliteConnection, first: number, entries: number): SealedRow[] {
  const rows: SealedRow[] = [];
  const select = `SELECT ${entryColumns} FROM ${entryTables} WHERE j.seq >= ? ORDER BY j.seq LIMIT ?`;
  for (let characters = 0; rows.length < entries && characters < mostCharacters; ) {
    const most = Math.min(readAtOnce, entries - rows.length);
    const found = connection.rows<StoredEntryRow>(select, first + rows.length, most);
    if (found.length === 0) return [];
    for (const row of found) {
      const [seq, entryHash, prevEntry, chainHash, core, payload, packed] = row;
      if (seq !== first + rows.length) return [];
      const texts: Texts = packed === null ? [core, payload, ''] : unpacked(packed);
      rows.push([[seq, entryHash, prevEntry, chainHash, texts[0], texts[1]], texts]);
      characters += texts[0].length + texts[1].length + texts[2].length;
    }
  }
  return rows;
}

const isSame = <T extends EntryRow | Texts>(some: T, other: T): boolean =>
  some.every((each, index) => each === other[index]);
