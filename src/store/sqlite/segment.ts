/**
 * A segment: old entries of the journal in one file that never changes (docs/decisions/0041). Its first line is JSON.
 * Then follow the lengths of the blocks, the dictionary, and the blocks. A block has four entries: the chain's hashes
 * before the first and after each, and the texts, compressed with the dictionary.
 */
import { closeSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync, inflateSync } from 'node:zlib';
import { canonical, sha256Hex } from '../../core/canonical.js';
import { isMissing } from '../../core/durable-file.js';
import { messageOf } from '../../core/error-message.js';
import { assert } from '../../core/refusal.js';
import type { EntryCore } from '../entry.js';
import { StoreDamaged } from '../store.js';
import type { SegmentName } from './job.js';
import type { Texts } from './packing.js';
import type { EntryRow } from './rows.js';

/** Entries whose texts are compressed together: more save little, and cost each read more. */
const blockEntries = 4;
/** Core, payload and context (packing.ts), each one line. */
const linesOfEach = 3;
/** The first entry of each type is in the dictionary, up to this many bytes. */
const mostDictionary = 8 * 1024;
const deflating = { level: 6, memLevel: 5, windowBits: 14 };
/** Initial output buffer: the usual length of a block. */
const chunkSize = 8 * 1024;
/** Bounds the output, because a file may be foreign. */
const mostOutput = 64 * 1024 * 1024;
/** What is read to open a segment: all that precedes the blocks. */
const mostHead = 16 * 1024;
const [hashBytes, lengthBytes] = [32, 4];

interface SegmentHead extends Omit<SegmentName, 'sha256'> {
  readonly v: 1;
  readonly network: string;
  readonly home: string;
  readonly first: number;
  /** Bytes of the compressed dictionary. */
  readonly dictionary: number;
}

/** Segments lie beside their database, so that those of a backup lie beside the backup. */
export const segmentsFolder = (database: string): string => join(dirname(database), 'segments');

/** @throws StoreDamaged if that is no name: a foreign database could lead to files in other folders */
export function segmentFile({ last, sha256 }: SegmentName): string {
  if (Number.isSafeInteger(last) && last > 0 && /^[0-9a-f]{64}$/.test(sha256)) return `${last}-${sha256}.segment`;
  throw new StoreDamaged(`the database names a segment that can't be: the one up to entry ${last}`);
}

/** @param rows consecutive entries @returns undefined if there are none, or the first is damaged */
export function segmentOf(rows: readonly (readonly [row: EntryRow, texts: Texts])[]): Buffer | undefined {
  if (rows.length === 0) return undefined;
  const [first, entryHash, , , firstCore] = rows[0]![0];
  if (sha256Hex(firstCore) !== entryHash) return undefined;
  const [last, , , chainHash] = rows.at(-1)![0];
  const { event, home } = JSON.parse(firstCore) as EntryCore;
  const texts = rows.map(([, each]) => each.join('\n'));
  const dictionary = dictionaryOf(texts);
  const blocks = Array.from({ length: Math.ceil(rows.length / blockEntries) }, (_, index) => {
    const [from, to] = [index * blockEntries, (index + 1) * blockEntries];
    const held = rows.slice(from, to).map(([row]) => row);
    const hashes = [held[0]![2], ...held.map(([, , , hash]) => hash)];
    const text = deflateSync(texts.slice(from, to).join('\n'), { ...deflating, dictionary });
    return Buffer.concat([Buffer.from(hashes.join(''), 'hex'), text]);
  });
  const lengths = Buffer.alloc(blocks.length * lengthBytes);
  for (const [index, { length }] of blocks.entries()) lengths.writeUInt32BE(length, index * lengthBytes);
  const stored = deflateSync(dictionary, deflating);
  const head: SegmentHead = {
    ...{ v: 1, network: event.network, home, first, last, chainHash },
    dictionary: stored.length,
  };
  const body = Buffer.concat([lengths, stored, ...blocks]);
  const line = Buffer.from(`${canonical({ ...head })}\n`);
  assert(line.length + lengths.length + stored.length <= mostHead, 'what precedes the blocks is read at once');
  return Buffer.concat([line, body]);
}

function dictionaryOf(texts: readonly string[]): Buffer {
  const byType = new Map<string, string>();
  // The event is the first object of a core that has a type.
  for (const text of texts.toReversed()) byType.set(/"type":"([^"]+)"/.exec(text)?.[1] ?? '', text);
  return Buffer.from([...byType.values()].join('\n')).subarray(-mostDictionary);
}

interface SegmentBlock {
  readonly of: Segment;
  readonly index: number;
  /** The chain's, in hex, one after the other. */
  readonly hashes: string;
  readonly lines: readonly string[];
}

/** The block that was read last, because most reads are in order: one for all segments, because its texts may be long. */
export interface LastBlock {
  block?: SegmentBlock;
}

/** Reads a segment. Damage that this does not see changes an entry, which an audit compares with its hashes. */
export class Segment {
  /** Where each block begins, and where the last one ends. */
  readonly #places: number[];
  readonly #dictionary: Buffer;

  /** @throws StoreDamaged if the file is missing, damaged or that of other entries */
  constructor(
    private readonly file: string,
    readonly first: number,
    private readonly name: SegmentName,
    private readonly kept: LastBlock = {},
  ) {
    const entries = name.last - first + 1;
    const bytes = this.#read(0, mostHead);
    try {
      const end = bytes.indexOf('\n') + 1;
      const head = JSON.parse(bytes.toString('utf8', 0, end)) as SegmentHead;
      const isNamed = head.v === 1 && head.last === name.last && head.chainHash === name.chainHash;
      assert(isNamed && head.first === first, 'it has other entries');
      const dictionaryAt = end + Math.ceil(entries / blockEntries) * lengthBytes;
      const blocksAt = dictionaryAt + head.dictionary;
      this.#places = [blocksAt];
      for (let at = end; at < dictionaryAt; at += lengthBytes)
        this.#places.push(this.#places.at(-1)! + bytes.readUInt32BE(at));
      this.#dictionary = inflateSync(bytes.subarray(dictionaryAt, blocksAt), { maxOutputLength: mostDictionary });
    } catch (cause) {
      throw this.#damage(messageOf(cause), cause);
    }
  }

  get last(): number {
    return this.name.last;
  }

  row(seq: number): EntryRow {
    const [core, payload] = this.texts(seq);
    const at = ((seq - this.first) % blockEntries) * 2 * hashBytes;
    const { hashes } = this.#blockOf(seq);
    const [before, after] = [at, at + 2 * hashBytes].map((from) => hashes.slice(from, from + 2 * hashBytes));
    return [seq, sha256Hex(core), before!, after!, core, payload];
  }

  texts(seq: number): Texts {
    const from = ((seq - this.first) % blockEntries) * linesOfEach;
    const [core = '', payload = '', context = ''] = this.#blockOf(seq).lines.slice(from, from + linesOfEach);
    return [core, payload, context];
  }

  #blockOf(seq: number): SegmentBlock {
    const index = Math.floor((seq - this.first) / blockEntries);
    const { block } = this.kept;
    if (block?.of === this && block.index === index) return block;
    this.kept.block = { of: this, index, ...this.#blockAt(index) };
    return this.kept.block;
  }

  #blockAt(index: number): Pick<SegmentBlock, 'hashes' | 'lines'> {
    const [from, to] = [this.#places[index]!, this.#places[index + 1]!];
    const bytes = this.#read(from, to - from);
    const textAt = (1 + Math.min(blockEntries, this.last - this.first + 1 - index * blockEntries)) * hashBytes;
    try {
      const options = { dictionary: this.#dictionary, chunkSize, maxOutputLength: mostOutput };
      const lines = inflateSync(bytes.subarray(textAt), options).toString().split('\n');
      return { hashes: bytes.toString('hex', 0, textAt), lines };
    } catch (cause) {
      throw this.#damage(messageOf(cause), cause);
    }
  }

  /** Opens the file each time, so that many segments need no handles. */
  #read(from: number, most: number): Buffer {
    const handle = this.#open();
    try {
      const bytes = Buffer.allocUnsafe(most);
      return bytes.subarray(0, readSync(handle, bytes, 0, most, from));
    } finally {
      closeSync(handle);
    }
  }

  /** Other errors than a missing file are the machine's, and pass. */
  #open(): number {
    try {
      return openSync(this.file, 'r');
    } catch (cause) {
      throw isMissing(cause) ? this.#damage('it is missing', cause) : cause;
    }
  }

  #damage(what: string, cause: unknown): StoreDamaged {
    return damagedSegment({ file: this.file, first: this.first, last: this.last }, what, { cause });
  }
}

export const damagedSegment = (
  { file, first, last }: { readonly file: string; readonly first: number; readonly last: number },
  what: string,
  options?: ErrorOptions,
): StoreDamaged =>
  new StoreDamaged(
    `the segment ${file} with the entries ${first} to ${last} can't be read: ${what}. ` +
      'Copy the file of that name from the folder segments beside a backup',
    options,
  );
