/**
 * The pieces of a journal that a home gives to its mirrors (docs/reference/mirrors.md#pieces): ranges of entries, and each
 * content. Each is compressed, and encrypted for the home alone.
 */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import type { Environment } from '../../core/environment.js';
import { deriveKey, type Signer } from '../../keys/signing.js';
import type { ErasureInput } from '../../machines/leaf/leaf.js';
import { entryOf, type NumberedEntry } from '../../store/entry.js';
import type { JournalHead } from '../../store/store.js';

/** A piece as a mirror has it. */
export interface SealedPiece {
  readonly name: string;
  readonly bytes: Uint8Array;
}

/** A piece with the entries `first` to `last`, whose chain hash at `last` is `chainHash`. */
export interface JournalPiece {
  readonly name: string;
  /** It replaces pieces of the tail, and is never replaced. */
  readonly isSegment: boolean;
  readonly first: number;
  readonly last: number;
  readonly chainHash: string;
}

const saltBytes = 24;
const tagBytes = 16;
const algorithm = 'aes-256-gcm';
/** A key encrypts one piece only. */
const nonce = new Uint8Array(12);

const numberOf = (seq: number): string => String(seq).padStart(15, '0');

export const journalPieceName = (isSegment: boolean, first: number, { seq, chainHash }: JournalHead): string =>
  `${isSegment ? 's' : 't'}${numberOf(first)}-${numberOf(seq)}-${chainHash}`;

const journalForm = /^([st])(\d{15})-(\d{15})-([0-9a-f]{64})$/;
const contentForm = /^b[0-9a-f]{64}$/;

export function journalPieceOf(name: string): JournalPiece | undefined {
  const [, sort, first, last, chainHash] = journalForm.exec(name) ?? [];
  if (sort === undefined || Number(first) === 0 || Number(first) > Number(last)) return undefined;
  return { name, isSegment: sort === 's', first: Number(first), last: Number(last), chainHash: chainHash! };
}

export const isOfJournal = (name: string): boolean => journalPieceOf(name) !== undefined;

/** Names come from other nodes and become names of files. */
export const isPieceName = (name: unknown): name is string =>
  typeof name === 'string' && (contentForm.test(name) || isOfJournal(name));

const compressed = promisify<Uint8Array, Buffer>(deflateRaw);
const decompressed = promisify<Uint8Array, Buffer>(inflateRaw);

/** Seals and opens pieces with keys that only the holder of the home's key can derive. */
export class PieceCipher {
  readonly #secret: Uint8Array;
  readonly #nameKey: Uint8Array;
  readonly #context: string;

  constructor(
    signer: Signer,
    network: string,
    private readonly random: Environment['random'],
  ) {
    this.#context = `svc:mirror:v1:${network}`;
    this.#secret = deriveKey(signer, this.#context);
    this.#nameKey = deriveKey(signer, `svc:mirror-names:v1:${network}`);
    this.home = signer.did;
  }

  readonly home: string;

  /** The name of a content's piece, against which no one else can test a guess of the content. */
  contentPiece(hash: string): string {
    return `b${createHmac('sha256', this.#nameKey).update(hash).digest('hex')}`;
  }

  async seal(name: string, plaintext: Uint8Array): Promise<SealedPiece> {
    const salt = this.random(saltBytes);
    const cipher = createCipheriv(algorithm, this.#keyOf(salt), nonce).setAAD(this.#associated(name));
    const body = [cipher.update(await compressed(plaintext)), cipher.final()];
    return { name, bytes: Buffer.concat([salt, ...body, cipher.getAuthTag()]) };
  }

  /** @returns undefined if the bytes are not what this home has sealed under this name */
  async open(name: string, bytes: Uint8Array): Promise<Buffer | undefined> {
    if (bytes.length < saltBytes + tagBytes) return undefined;
    const decipher = createDecipheriv(algorithm, this.#keyOf(bytes.subarray(0, saltBytes)), nonce)
      .setAAD(this.#associated(name))
      .setAuthTag(bytes.subarray(-tagBytes));
    try {
      return await decompressed(
        Buffer.concat([decipher.update(bytes.subarray(saltBytes, -tagBytes)), decipher.final()]),
      );
    } catch {
      // The tag does not fit: the result is undefined.
      return undefined;
    }
  }

  #keyOf = (salt: Uint8Array): Uint8Array => new Uint8Array(hkdfSync('sha256', this.#secret, salt, this.#context, 32));

  #associated = (name: string): Buffer => Buffer.from(`${this.#context}:${this.home}:${name}`, 'utf8');
}

/** The plaintext of a piece of the journal: one line for each entry. */
export const linesOf = (entries: readonly NumberedEntry[]): Buffer =>
  Buffer.from(
    entries
      .map(({ seq, prevEntry, chainHash, entryHash, coreText, payloadText }) =>
        JSON.stringify([seq, prevEntry, chainHash, entryHash, coreText, payloadText]),
      )
      .join('\n'),
    'utf8',
  );

/** The plaintext of the piece of a text that was erased. */
export const erasurePlaintext = (erasure: ErasureInput): Buffer => Buffer.from(JSON.stringify(erasure), 'utf8');

/** @param bytes of a content's piece that was opened, which are not the content */
export const erasureIn = (bytes: Buffer): ErasureInput => JSON.parse(bytes.toString('utf8')) as ErasureInput;

/** @param lines of a piece that was opened */
export const entriesIn = (lines: Buffer): readonly NumberedEntry[] =>
  lines
    .toString('utf8')
    .split('\n')
    .map((line) => {
      const [seq, prevEntry, chainHash, entryHash, coreText, payloadText] = JSON.parse(line) as [
        number,
        ...[string, string, string, string, string],
      ];
      return { ...entryOf(coreText, payloadText, entryHash), seq, prevEntry, chainHash };
    });
