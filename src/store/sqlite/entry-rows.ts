/** Reads entries by their number: the newest are rows, and those before them lie in segments (segment.ts). */
import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { LRUCache } from 'lru-cache';
import { bounds } from '../../core/bounds.js';
import type { SqliteConnection } from './connection.js';
import type { SegmentName } from './job.js';
import { type Texts, unpacked } from './packing.js';
import { type EntryRow, entryColumns, entryRow, entryTables, type StoredEntryRow } from './rows.js';
import { damagedSegment, type LastBlock, Segment, segmentFile, segmentsFolder } from './segment.js';

/** Segments in the cache, with up to 16 KiB each. */
const kept = 256;

const nameColumns = 'last, chain_hash, sha256';
const select = `SELECT ${entryColumns} FROM ${entryTables} WHERE`;

export class EntryRows {
  readonly #segments = new LRUCache<number, Segment>({ max: kept });
  /** The segment that was read last: most reads are in order. */
  #segment: Segment | undefined;

  readonly #kept: LastBlock = {};

  constructor(private readonly connection: SqliteConnection) {}

  row(seq: number): EntryRow | undefined {
    const known = this.#known(seq);
    if (known) return known.row(seq);
    const row = this.connection.row<StoredEntryRow>(`${select} j.seq = ?`, seq);
    return row ? entryRow(row) : this.#holding(seq)?.row(seq);
  }

  /** The entries after that number, in order. */
  after(seq: number, limit: number): EntryRow[] {
    const found: EntryRow[] = [];
    let next = seq + 1;
    while (found.length < limit) {
      const segment = this.#holding(next);
      if (!segment) break;
      found.push(segment.row(next++));
    }
    if (found.length === limit) return found;
    const sql = `${select} j.seq >= ? ORDER BY j.seq LIMIT ?`;
    const rows = this.connection.rows<StoredEntryRow>(sql, next, limit - found.length).map(entryRow);
    const wereSealed = rows[0]?.[0] !== next && this.#holding(next) !== undefined;
    return wereSealed ? this.after(seq, limit) : found.concat(rows);
  }

  /** The texts that are stored with an entry. */
  texts(seq: number): Texts | undefined {
    const [bytes] = this.connection.row<[Uint8Array | null]>('SELECT packed FROM journal WHERE seq = ?', seq) ?? [];
    return bytes ? unpacked(bytes) : this.#holding(seq)?.texts(seq);
  }

  #holding(seq: number): Segment | undefined {
    const known = this.#known(seq);
    if (known) return known;
    const [name] = seq < 1 ? [] : segmentNames(this.connection, seq, 1);
    this.#segment = name && (this.#segments.get(name.last) ?? this.#opened(name));
    return this.#segment;
  }

  #opened(name: SegmentName): Segment {
    const file = join(segmentsFolder(this.connection.file), segmentFile(name));
    const segment = new Segment(file, sealedTo(this.connection, name.last) + 1, name, this.#kept);
    this.#segments.set(name.last, segment);
    return segment;
  }

  /** The segment without a query, if it was read last or has the usual place. */
  #known(seq: number): Segment | undefined {
    const size = bounds.segmentEntries;
    const usual = this.#segments.get(Math.ceil(seq / size) * size);
    return [this.#segment, usual].find((each) => each && each.first <= seq && seq <= each.last);
  }
}

/** The last entry in a segment, 0 for none. @param before the segments up to this entry don't count */
export const sealedTo = (connection: SqliteConnection, before = Number.MAX_SAFE_INTEGER): number =>
  connection.row<[number]>('SELECT ifnull(max(last), 0) FROM segments WHERE last < ?', before)![0];

/** @param from leaves out the segments that end before this entry @param most a negative number is no limit */
export const segmentNames = (connection: SqliteConnection, from = 0, most = -1): SegmentName[] =>
  connection
    .rows<[number, string, string]>(
      `SELECT ${nameColumns} FROM segments WHERE last >= ? ORDER BY last LIMIT ?`,
      from,
      most,
    )
    .map(([last, chainHash, sha256]) => ({ last, chainHash, sha256 }));

/**
 * The first segment whose file is missing.
 * @param whole also one of which a byte is not what was written
 * @param from leaves out the segments that end before this entry
 */
export function violationOfSegments(
  connection: SqliteConnection,
  { whole = false, from = 0 } = {},
): string | undefined {
  let first = sealedTo(connection, from) + 1;
  for (const name of segmentNames(connection, from)) {
    const file = join(segmentsFolder(connection.file), segmentFile(name));
    const flaw = statSync(file, { throwIfNoEntry: false })
      ? whole && hashOfFile(file) !== name.sha256 && 'it was changed'
      : 'it is missing';
    if (flaw) return damagedSegment({ file, first, last: name.last }, flaw).message;
    first = name.last + 1;
  }
  return undefined;
}

/** In pieces: a buffer for each of many files leaves memory that the process keeps. */
const piece = Buffer.allocUnsafeSlow(64 * 1024);

function hashOfFile(file: string): string {
  const [digest, handle] = [createHash('sha256'), openSync(file, 'r')];
  try {
    for (let read = readSync(handle, piece); read > 0; read = readSync(handle, piece))
      digest.update(piece.subarray(0, read));
  } finally {
    closeSync(handle);
  }
  return digest.digest('hex');
}
