/**
 * Unlocks key files with a passphrase.
 *
 * Implements docs/reference/identities.md#wrong-passphrases: a wrong passphrase, a missing key file, an unusable one
 * and an unknown DID each cost one KDF run and get the same refusal, so that a caller cannot find out which DIDs exist here.
 * Wrong passphrases are limited per 60 seconds for each (origin, DID) and for each DID, known or not. A guess is counted before
 * it is checked and uncounted when it was right, so that concurrent guesses cannot all pass before the first one fails.
 */

import type { Did } from '../core/codecs/did.js';
import type { Environment } from '../core/environment.js';
import { isRefusal, type Refusal, refuse } from '../core/refusal.js';
import type { SharedCounter } from '../core/shared-counter.js';
import { defaultKdfParams, type KdfGate } from './kdf.js';
import { type KeyFile, type KeyFolder, openSeed } from './keyfile.js';
import { saltBytes } from './new-key.js';
import { type SeedSigner, signerOf } from './signing.js';

/** One shared value, so that the refusals of all cases are identical. */
const wrongPassphrase: Refusal = refuse(
  'TRANSFER_NOT_ALLOWED',
  'the passphrase does not unlock a key of this DID in the keystore of this node',
);

export interface OpenedKey {
  /** Owned by the caller, who keeps or erases it. */
  readonly signer: SeedSigner;
  readonly file: KeyFile;
}

export interface KeyOpenerParts {
  readonly world: Environment;
  readonly folder: KeyFolder;
  readonly gate: KdfGate;
  readonly guesses: GuessLimits;
}

export class KeyOpener {
  readonly #decoySalt: Uint8Array;

  constructor(private readonly parts: KeyOpenerParts) {
    this.#decoySalt = parts.world.random(saltBytes);
  }

  /** @returns TRANSFER_NOT_ALLOWED, RATE_LIMITED, SERVICE_UNAVAILABLE */
  async open(did: Did, passphrase: string, origin: string): Promise<OpenedKey | Refusal> {
    const giveBack = this.parts.guesses.reserve(origin, did);
    if (isRefusal(giveBack)) return giveBack;
    let wrong = false;
    try {
      const opened = await this.#openFrom(did, passphrase, origin);
      wrong = opened === wrongPassphrase;
      return opened;
    } finally {
      if (!wrong) giveBack();
    }
  }

  async #openFrom(did: Did, passphrase: string, origin: string): Promise<OpenedKey | Refusal> {
    const { folder, gate } = this.parts;
    const file = await folder.read(did);
    if (!file) {
      const decoy = await gate.derive(passphrase, this.#decoySalt, defaultKdfParams, origin);
      return isRefusal(decoy) ? decoy : wrongPassphrase;
    }
    const signer = await this.openFile(file, passphrase, origin);
    if (isRefusal(signer)) return signer;
    if (signer.did === did) return { signer, file };
    signer.erase();
    folder.report(folder.pathOf(did), 'the key is not that of the did');
    return wrongPassphrase;
  }

  /** Decrypts a file; the caller compares the DID of the signer. @returns TRANSFER_NOT_ALLOWED, SERVICE_UNAVAILABLE */
  async openFile(file: KeyFile, passphrase: string, caller: string): Promise<SeedSigner | Refusal> {
    const { salt, ...params } = file.kdf;
    const key = await this.parts.gate.derive(passphrase, Buffer.from(salt, 'hex'), params, caller);
    if (isRefusal(key)) return key;
    const seed = openSeed(file, key);
    key.fill(0);
    if (!seed) return wrongPassphrase;
    const signer = signerOf(seed);
    seed.fill(0);
    return signer;
  }
}

const windowMs = 60_000;

export interface GuessLimitSizes {
  readonly failuresPerOrigin: number;
  readonly failuresPerDid: number;
  /** Origins and DIDs remembered. A failure costs a KDF run, so 60 s of them cannot fill the default. */
  readonly trackedFailures: number;
}

/** Times of each key's guesses in the last minute; keys in the order of their last guess. */
class GuessWindow {
  readonly #times = new Map<string, number[]>();

  constructor(
    private readonly most: number,
    private readonly capacity: number,
  ) {}

  /** Milliseconds until one more guess is allowed; 0 when it is allowed now. */
  wait(key: string, now: number): number {
    const recent = this.#recent(key, now);
    return recent.length < this.most ? 0 : recent[recent.length - this.most]! + windowMs - now;
  }

  add(key: string, now: number): void {
    const recent = this.#recent(key, now);
    this.#times.delete(key);
    this.#times.set(key, [...recent, now]);
    for (const [oldest, times] of this.#times) {
      if (this.#times.size <= this.capacity && times.at(-1)! > now - windowMs) break;
      this.#times.delete(oldest);
    }
  }

  /** Removes the newest guesses; their origin does not matter. */
  takeBack(key: string, count: number): void {
    const times = this.#times.get(key);
    times?.splice(Math.max(0, times.length - count));
    if (times?.length === 0) this.#times.delete(key);
  }

  giveBack(key: string, time: number): void {
    const times = this.#times.get(key);
    const at = times?.indexOf(time) ?? -1;
    if (at < 0) return;
    times!.splice(at, 1);
    if (times!.length === 0) this.#times.delete(key);
  }

  get size(): number {
    return this.#times.size;
  }

  #recent(key: string, now: number): number[] {
    return (this.#times.get(key) ?? []).filter((time) => time > now - windowMs);
  }
}

export class GuessLimits {
  readonly #perOrigin: GuessWindow;
  readonly #perDid: GuessWindow;

  constructor(
    private readonly world: Environment,
    sizes: GuessLimitSizes,
    /** Counter of the guesses at other processes. */
    private readonly elsewhere?: SharedCounter,
  ) {
    this.#perOrigin = new GuessWindow(sizes.failuresPerOrigin, sizes.trackedFailures);
    this.#perDid = new GuessWindow(sizes.failuresPerDid, sizes.trackedFailures);
    elsewhere?.hear((pair, count) => this.#hear(pair, count));
  }

  /** Counts a guess. @returns a function that uncounts it, or RATE_LIMITED */
  reserve(origin: string, did: Did): (() => void) | Refusal {
    const now = this.world.monotonic();
    const pair = `${did} ${origin}`;
    const waitMs = Math.max(this.#perOrigin.wait(pair, now), this.#perDid.wait(did, now));
    if (waitMs > 0) {
      return refuse('RATE_LIMITED', 'too many wrong passphrases', { retryAfter: Math.ceil(waitMs / 1000) });
    }
    this.#perOrigin.add(pair, now);
    this.#perDid.add(did, now);
    this.elsewhere?.tell(pair, 1);
    return () => {
      this.#perOrigin.giveBack(pair, now);
      this.#perDid.giveBack(did, now);
      this.elsewhere?.tell(pair, -1);
    };
  }

  #hear(pair: string, count: number): void {
    const did = pair.slice(0, pair.indexOf(' '));
    const now = this.world.monotonic();
    for (const [window, key] of [
      [this.#perOrigin, pair],
      [this.#perDid, did],
    ] as const) {
      for (let n = 0; n < count; n++) window.add(key, now);
      if (count < 0) window.takeBack(key, -count);
    }
  }

  /** Number of origins and DIDs in memory. */
  get size(): number {
    return this.#perOrigin.size + this.#perDid.size;
  }
}
