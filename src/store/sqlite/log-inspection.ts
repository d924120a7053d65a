/**
 * Checks the write-ahead log that a killed process left. SQLite applies a log up to its first damaged frame and
 * silently drops the rest, which is right for a transaction torn by a power cut: it was never acknowledged. But a
 * transaction begins only after the previous one is synced, so frames behind a broken transaction prove that it was on
 * disk and acknowledged. Format: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';

const headerBytes = 32;
const frameHeaderBytes = 24;
/** The last bit of the magic number selects the byte order of the checksums. */
const magic = 0x377f0682;

interface LogFrame {
  /** Whether its checksum continues that of the previous frame. */
  readonly isValid: boolean;
  readonly isCommit: boolean;
}

/**
 * Checks the log of a database that no process has open; it is next to `file`.
 * @returns the violation, or undefined. Damage in the last transaction looks like a torn write and isn't found.
 */
export function violationOfLog(file: string): string | undefined {
  const log = `${file}-wal`;
  if (!existsSync(log) || !existsSync(file)) return undefined;
  const pageSize = pageSizeOf(file);
  const descriptor = openSync(log, 'r');
  try {
    let number = 0;
    let broken: number | undefined;
    let isBehind = false;
    for (const { isValid, isCommit } of framesOf(descriptor, pageSize)) {
      number += 1;
      if (isBehind) {
        return (
          `its write-ahead log is damaged in frame ${broken}, and transactions that were acknowledged follow it, ` +
          'which SQLite would drop'
        );
      }
      if (broken === undefined && !isValid) broken = number;
      if (broken !== undefined && isCommit) isBehind = true;
    }
    return undefined;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Frames of the log's current generation: a restarted log still contains frames of the previous one, with other salts.
 */
function* framesOf(descriptor: number, databasePageSize: number | undefined): Generator<LogFrame> {
  const header = Buffer.alloc(headerBytes);
  if (readSync(descriptor, header, 0, headerBytes, 0) < headerBytes) return;
  const isBigEndian = (header.readUInt32BE(0) & 1) === 1;
  const read: WordReader = isBigEndian ? (bytes, at) => bytes.readUInt32BE(at) : (bytes, at) => bytes.readUInt32LE(at);
  let sum = checksum(read, header.subarray(0, 24), [0, 0]);
  let isValid = (header.readUInt32BE(0) & ~1) >>> 0 === magic && isSum(header, 24, sum);
  // An empty or damaged database file has no valid page size; the log's own header has one then.
  const pageSize = databasePageSize ?? validPageSize(header.readUInt32BE(8));
  if (pageSize === undefined) return;
  const frame = Buffer.alloc(frameHeaderBytes + pageSize);
  let salts = header.subarray(16, 24);
  for (let at = headerBytes; readSync(descriptor, frame, 0, frame.length, at) === frame.length; at += frame.length) {
    const own = frame.subarray(8, 16);
    if (!own.equals(salts)) {
      // One flipped bit in a salt is damage; more differing bits are another generation.
      if (bitsApart(own, salts) > 1) return;
      isValid = false;
      // If the log header's own salts are damaged, all frames have the same other salts.
      if (at === headerBytes) salts = Buffer.from(own);
    }
    sum = checksum(read, frame.subarray(frameHeaderBytes), checksum(read, frame.subarray(0, 8), sum));
    isValid &&= isSum(frame, 16, sum);
    yield { isValid, isCommit: frame.readUInt32BE(4) !== 0 };
  }
}

/** The page size in bytes 16 and 17 of a database file; undefined if it is not valid. */
function pageSizeOf(file: string): number | undefined {
  const descriptor = openSync(file, 'r');
  try {
    const stated = Buffer.alloc(2);
    if (readSync(descriptor, stated, 0, 2, 16) < 2) return undefined;
    const size = stated.readUInt16BE(0);
    // 65,536 does not fit into two bytes and is stored as 1.
    return validPageSize(size === 1 ? 65_536 : size);
  } finally {
    closeSync(descriptor);
  }
}

const pageSizes = [512, 1_024, 2_048, 4_096, 8_192, 16_384, 32_768, 65_536];

const validPageSize = (size: number): number | undefined => (pageSizes.includes(size) ? size : undefined);

type WordReader = (bytes: Buffer, at: number) => number;
type LogChecksum = readonly [first: number, second: number];

/** Fibonacci-weighted, 32 bits, over pairs of words. */
function checksum(read: WordReader, bytes: Buffer, [first, second]: LogChecksum): LogChecksum {
  let [a, b] = [first, second];
  for (let at = 0; at < bytes.length; at += 8) {
    a = (a + read(bytes, at) + b) >>> 0;
    b = (b + read(bytes, at + 4) + a) >>> 0;
  }
  return [a, b];
}

const isSum = (bytes: Buffer, at: number, [first, second]: LogChecksum): boolean =>
  bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second;

function bitsApart(left: Buffer, right: Buffer): number {
  let count = 0;
  for (let at = 0; at < left.length; at++) {
    for (let bits = left[at]! ^ right[at]!; bits > 0; bits &= bits - 1) count += 1;
  }
  return count;
}
