/**
 * Derives the encryption key of a key file from a passphrase: the rules for passphrases, and the derivation with a
 * limit on concurrent runs.
 * Implements docs/reference/identities.md#keystore: argon2id with 19 MiB, t=2, p=1 or stronger, two runs at a time. The
 * work is done on libuv's threads, never on the event loop (docs/reference/limits.md). Passphrases are compared in NFKC
 * form, so that keyboards and systems with other encodings give the same one.
 */
import { type Algorithm, hashRaw } from '@node-rs/argon2';
import { invalid, type Refusal, refuse } from '../core/refusal.js';

export interface KdfParams {
  readonly algorithm: 'argon2id';
  readonly memoryKiB: number;
  /** Number of iterations; argon2's t. */
  readonly passes: number;
  /** Degree of parallelism; argon2's p. */
  readonly lanes: number;
}

/** Parameters of new key files, and of the run that hides a missing file. */
export const defaultKdfParams: KdfParams = { algorithm: 'argon2id', memoryKiB: 19_456, passes: 2, lanes: 1 };

/** [minimum, maximum]: weaker parameters expose the passphrase, stronger ones exhaust the node. */
export const kdfBounds = { memoryKiB: [19_456, 262_144], passes: [2, 10], lanes: [1, 4], saltBytes: [16, 64] } as const;

/** Bytes of the derived key. */
const kdfKeyBytes = 32;

export interface Kdf {
  /** @param params within kdfBounds; the reader of a key file checks that @returns 32 bytes */
  derive(passphrase: string, salt: Uint8Array, params: KdfParams): Promise<Uint8Array>;
}

/** The package's enum is a `const enum`, which isolatedModules forbids to use. */
const argon2id = 2 as Algorithm;

export const argon2Kdf: Kdf = {
  async derive(passphrase, salt, params) {
    const password = Buffer.from(passphrase, 'utf8');
    try {
      return await hashRaw(password, {
        algorithm: argon2id,
        memoryCost: params.memoryKiB,
        timeCost: params.passes,
        parallelism: params.lanes,
        outputLen: kdfKeyBytes,
        salt,
      });
    } finally {
      password.fill(0);
    }
  },
};

export interface KdfLimits {
  /** Concurrent runs: each takes memory and one of libuv's four threads, which fsync needs too. */
  readonly kdfRuns: number;
  /** The most runs that wait. */
  readonly kdfWaiting: number;
}

/** Seconds after which a full queue has room again: the Retry-After of its refusal. */
const retryAfter = 2;

/** Ends a wait: true to start the run, false if it was displaced by another caller's. */
type Wake = (comes: boolean) => void;

export class KdfGate {
  #running = 0;
  #waiting = 0;
  /** Waiting runs by caller; callers in the order in which they are served. */
  readonly #lines = new Map<string, Wake[]>();
  #closed = false;

  constructor(
    private readonly kdf: Kdf,
    private readonly limits: KdfLimits,
  ) {}

  /**
   * @param caller the queue in which it waits: callers are served round-robin, however many runs each requests
   * @returns 32 bytes, which the caller must zeroise, or SERVICE_UNAVAILABLE if the queue is full or closed
   */
  async derive(passphrase: string, salt: Uint8Array, params: KdfParams, caller: string): Promise<Uint8Array | Refusal> {
    if (this.#closed) return closed();
    if (!(await this.#turn(caller))) {
      return refuse('SERVICE_UNAVAILABLE', 'too many passphrases are being checked at once', { retryAfter });
    }
    try {
      const key = await this.kdf.derive(passphrase, salt, params);
      if (!this.#closed) return key;
      key.fill(0);
      return closed();
    } finally {
      this.#next();
    }
  }

  #turn(caller: string): boolean | Promise<boolean> {
    if (this.#running < this.limits.kdfRuns) {
      this.#running += 1;
      return true;
    }
    const line = this.#lines.get(caller) ?? [];
    if (this.#waiting >= this.limits.kdfWaiting && !this.#makeRoomFor(line)) return false;
    this.#waiting += 1;
    this.#lines.set(caller, line);
    return new Promise((resolve) => line.push(resolve));
  }

  /** Displaces the newest run of the caller with the longest queue, in favour of a caller with a shorter one. */
  #makeRoomFor(own: readonly Wake[]): boolean {
    let longest = own;
    for (const line of this.#lines.values()) if (line.length > longest.length) longest = line;
    if (longest.length <= own.length + 1) return false;
    this.#waiting -= 1;
    (longest as Wake[]).pop()?.(false);
    return true;
  }

  #next(): void {
    const [caller, line = []] = this.#lines.entries().next().value ?? [];
    const wake = line.shift();
    if (caller === undefined || wake === undefined) {
      this.#running -= 1;
      return;
    }
    this.#waiting -= 1;
    this.#lines.delete(caller);
    if (line.length > 0) this.#lines.set(caller, line);
    wake(true);
  }

  /** Rejects further runs and discards the results of running ones. */
  close(): void {
    this.#closed = true;
  }
}

const closed = (): Refusal => refuse('SERVICE_UNAVAILABLE', 'the keystore is closed', { retryAfter: 10 });

/** In code points, after normalisation. */
const shortestPassphrase = 12;
/** In bytes of UTF-8, after normalisation. */
export const longestPassphraseBytes = 1024;
/** Limit in UTF-16 units, checked before normalisation. */
const longestText = 4 * longestPassphraseBytes;

/** Normalises a passphrase. @returns INVALID_REQUEST naming the field when it is too long or malformed */
export function normalisePassphrase(passphrase: string, field = 'passphrase'): string | Refusal {
  if (passphrase.length > longestText) return tooLong(field);
  if (!passphrase.isWellFormed()) return invalid(field, 'is not well-formed Unicode');
  const normalised = passphrase.normalize('NFKC');
  return Buffer.byteLength(normalised) > longestPassphraseBytes ? tooLong(field) : normalised;
}

/** Normalises a new passphrase, which must also meet the minimum length. */
export function normaliseNewPassphrase(passphrase: string, field = 'passphrase'): string | Refusal {
  const normalised = normalisePassphrase(passphrase, field);
  if (typeof normalised !== 'string') return normalised;
  return [...normalised].length < shortestPassphrase
    ? invalid(field, `needs at least ${shortestPassphrase} characters`)
    : normalised;
}

const tooLong = (field: string): Refusal => invalid(field, `is longer than ${longestPassphraseBytes} bytes`);
