/**
 * Writes old entries to a segment. Their rows are deleted afterwards (journal.ts): a crash leaves the rows, or the file
 * that counts.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../core/durable-file.js';
import { StoreDamaged } from '../store.js';
import type { SqliteConnection } from './connection.js';
import { settle, syncDirectory } from './durable.js';
import { sealedTo } from './entry-rows.js';
import type { SegmentName } from './job.js';
import { type Texts, unpacked } from './packing.js';
import { type EntryRow, entryColumns, entryTables, type StoredEntryRow } from './rows.js';
import { Segment, segmentFile, segmentOf, segmentsFolder } from './segment.js';

/** Characters of a segment's texts, after which it has no further entry. */
const mostCharacters = 16 * 1024 * 1024;

/** Rows that are read at once. */
const readAtOnce = 32;

/** Segments that are written at once, which delays the thread's other reads. */
const mostAtOnce = 8;

/**
 * @param entries how many a segment has, unless they are long
 * @param to number of the last entry that may be in one
 */
export function writeSegments(connection: SqliteConnection, entries: number, to: number): SegmentName[] {
  const written: SegmentName[] = [];
  for (let last = sealedTo(connection); last + entries <= to && written.length < mostAtOnce; ) {
    const name = writeSegment(connection, last + 1, entries);
    written.push(name);
    last = name.last;
  }
  return written;
}

function writeSegment(connection: SqliteConnection, first: number, entries: number): SegmentName {
  const rows = rowsOf(connection, first, entries);
  const bytes = segmentOf(rows);
  const [last, , , chainHash] = rows.at(-1)?.[0] ?? [first, '', '', ''];
  const name = { last, chainHash };
  const folder = segmentsFolder(connection.file);
  if (makeFolder(folder) !== undefined) syncDirectory(dirname(folder));
  const file = join(folder, segmentFile(name));
  if (bytes) {
    const partial = `${file}.partial`;
    rmSync(partial, { force: true });
    writeFileSync(partial, bytes, { flag: 'wx', mode: 0o600 });
    settle(partial, file);
    const segment = new Segment(file, first, name);
    if (rows.every(([row]) => isSame(segment.row(row[0]), row))) return name;
  }
  throw new StoreDamaged(`the entries ${first} to ${last} can't be sealed: svc-node audit says what is damaged`);
}

function rowsOf(connection: SqliteConnection, first: number, entries: number): [row: EntryRow, texts: Texts][] {
  const rows: [EntryRow, Texts][] = [];
  const select = `SELECT ${entryColumns} FROM ${entryTables} WHERE j.seq >= ? ORDER BY j.seq LIMIT ?`;
  for (let characters = 0; rows.length < entries && characters < mostCharacters; ) {
    const found = connection.rows<StoredEntryRow>(
      select,
      first + rows.length,
      Math.min(readAtOnce, entries - rows.length),
    );
    for (const row of found) {
      const [seq, entryHash, prevEntry, chainHash, core, payload, packed] = row;
      if (seq !== first + rows.length) return rows;
      const texts: Texts = packed === null ? [core, payload, ''] : unpacked(packed);
      rows.push([[seq, entryHash, prevEntry, chainHash, texts[0], texts[1]], texts]);
      characters += texts[0].length + texts[1].length + texts[2].length;
    }
    if (found.length === 0) break;
  }
  return rows;
}

const isSame = (row: EntryRow, other: EntryRow): boolean => row.every((each, index) => each === other[index]);
