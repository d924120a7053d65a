/**
 * From a passphrase to the key that a key file is encrypted under, and how much of that runs at once.
 *
 * Implements decisions, 'DIDs, keys, addresses': argon2id with 19 MiB, t=2, p=1 or stronger, two runs at a
 * time. The work is done on libuv's threads, never on the event loop (design, Faults).
 */
import { type Algorithm, hashRaw } from '@node-rs/argon2';
import PQueue from 'p-queue';
import { type Refusal, refuse } from '../machines/kernel/refusal.js';

export interface KdfParams {
  readonly algorithm: 'argon2id';
  readonly memoryKiB: number;
  /** argon2's t */
  readonly passes: number;
  /** argon2's p */
  readonly lanes: number;
}

/** What new key files are made with, and what a run costs where there is no file. */
export const defaultKdfParams: KdfParams = { algorithm: 'argon2id', memoryKiB: 19_456, passes: 2, lanes: 1 };

/** [least, most]: weaker gives the passphrase away, stronger than this takes the node down. */
export const kdfBounds = { memoryKiB: [19_456, 262_144], passes: [2, 10], lanes: [1, 4], saltBytes: [16, 64] } as const;

/** Bytes of the derived key. */
const kdfKeyBytes = 32;

export interface Kdf {
  /** @param params within kdfBounds: whoever read them from a file has checked that @returns 32 bytes */
  derive(passphrase: string, salt: Uint8Array, params: KdfParams): Promise<Uint8Array>;
}

/** The package's enum is `const`, which isolated modules cannot read. */
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
  /** Runs at once: each takes its memory and one of libuv's four threads, which fsync needs too. */
  readonly kdfRuns: number;
  /** Runs that may wait behind them. */
  readonly kdfWaiting: number;
}

/** A waiting line that is full moves on within about this many seconds. */
const retryAfter = 2;

export class KdfGate {
  readonly #queue: PQueue;
  #closed = false;

  constructor(
    private readonly kdf: Kdf,
    private readonly limits: KdfLimits,
  ) {
    this.#queue = new PQueue({ concurrency: limits.kdfRuns });
  }

  /** @returns 32 bytes, the caller's to zeroise, or SERVICE_UNAVAILABLE: waiting line full, or gate closed */
  async derive(passphrase: string, salt: Uint8Array, params: KdfParams): Promise<Uint8Array | Refusal> {
    if (this.#closed) return closed();
    const { kdfRuns, kdfWaiting } = this.limits;
    if (this.#queue.pending + this.#queue.size >= kdfRuns + kdfWaiting) {
      return refuse('SERVICE_UNAVAILABLE', 'too many passphrases are being checked at once', { retryAfter });
    }
    const key = await this.#queue.add(() => this.kdf.derive(passphrase, salt, params));
    if (!this.#closed) return key;
    key.fill(0);
    return closed();
  }

  /** From now on nothing is derived, and what is being derived is thrown away. */
  close(): void {
    this.#closed = true;
  }
}

const closed = (): Refusal => refuse('SERVICE_UNAVAILABLE', 'the keystore is closed', { retryAfter: 10 });
