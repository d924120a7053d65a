/**
 * The unlocked keys: those unlocked by a passphrase for a while, and those that the operator holds unlocked.
 *
 * Implements docs/reference/identities.md#unlocked-keys. The cache stores an HMAC-SHA256 of the passphrase under a key of this
 * process, so a hit costs one HMAC. A key expires a fixed time after its KDF run, used or not, which bounds how long an old
 * passphrase works here after another process changed it.
 */

import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Did } from '../core/codecs/did.js';
import type { Environment, Timer } from '../core/environment.js';
import { isRefusal, type Refusal } from '../core/refusal.js';
import { normalisePassphrase } from './kdf.js';
import type { KeyOpener } from './key-opener.js';
import type { SeedSigner, Signer } from './signing.js';

interface Guess {
  readonly did: Did;
  readonly passphrase: string;
  readonly mac: Buffer;
  readonly origin: string;
}

export class Unlocking {
  readonly #held = new Map<Did, SeedSigner>();
  /** Unlocks in progress, by DID and HMAC of the passphrase. */
  readonly #runs = new Map<string, Promise<SeedSigner | Refusal>>();
  /** Counts changes of passphrases, so that an unlock which began before a change is not cached after it. */
  #changes = 0;
  #closed = false;

  constructor(
    private readonly opener: KeyOpener,
    private readonly keys: UnlockedKeys,
  ) {}

  /** See Keystore.listenUnlocked. */
  onUnlocked: (signer: Signer) => void = () => {};

  /** See Keystore.unlock. */
  unlock(did: Did, passphrase: string, origin: string): SeedSigner | Refusal | Promise<SeedSigner | Refusal> {
    const normalised = normalisePassphrase(passphrase);
    if (isRefusal(normalised)) return normalised;
    const mac = this.keys.macOf(normalised);
    return this.keys.find(did, mac) ?? this.#run({ did, passphrase: normalised, mac, origin });
  }

  /** See Keystore.unlocked. */
  unlocked(did: Did, passphrase: string): SeedSigner | undefined {
    const normalised = normalisePassphrase(passphrase);
    return isRefusal(normalised) ? undefined : this.keys.find(did, this.keys.macOf(normalised));
  }

  #run(guess: Guess): Promise<SeedSigner | Refusal> {
    const name = `${guess.did} ${guess.mac.toString('base64')}`;
    const underWay = this.#runs.get(name);
    if (underWay) return underWay;
    const run = this.#openAndKeep(guess).finally(() => {
      if (this.#runs.get(name) === run) this.#runs.delete(name);
    });
    this.#runs.set(name, run);
    return run;
  }

  async #openAndKeep({ did, passphrase, mac, origin }: Guess): Promise<SeedSigner | Refusal> {
    const changes = this.#changes;
    const opened = await this.opener.open(did, passphrase, origin);
    if (isRefusal(opened)) return opened;
    if (this.#changes === changes && !this.#closed) this.keys.keep(did, mac, opened.signer);
    this.onUnlocked(opened.signer);
    return opened.signer;
  }

  /** See Keystore.hold. */
  async hold(did: Did, passphrase: string, origin: string): Promise<Refusal | undefined> {
    const signer = await this.unlock(did, passphrase, origin);
    if (isRefusal(signer)) return signer;
    if (!this.#closed) this.#held.set(did, signer);
    return undefined;
  }

  /** See Keystore.release. */
  release(did: Did): boolean {
    this.keys.drop(did);
    return this.#held.delete(did);
  }

  held(did: Did): Signer | undefined {
    return this.#held.get(did);
  }

  heldDids(): Did[] {
    return [...this.#held.keys()];
  }

  /** Forgets a key after its file changed: neither the cache nor a running unlock accepts the old passphrase. */
  forget(did: Did): void {
    this.#changes++;
    this.keys.drop(did);
    for (const name of this.#runs.keys()) if (name.startsWith(`${did} `)) this.#runs.delete(name);
  }

  /** Erases every key. */
  close(): void {
    this.#closed = true;
    this.keys.close();
    for (const signer of this.#held.values()) signer.erase();
    this.#held.clear();
  }
}

interface UnlockedKey {
  readonly mac: Buffer;
  readonly signer: SeedSigner;
  /** Expiry, monotonic ms. */
  readonly untilMs: number;
}

export class UnlockedKeys {
  /** Every entry has the same lifetime, so the order of insertion is the order of expiry. */
  readonly #entries = new Map<Did, UnlockedKey>();
  readonly #macKey: KeyObject;
  #timer: Timer | undefined;

  constructor(
    private readonly world: Environment,
    private readonly lifetimeMs: number,
    private readonly capacity: number,
  ) {
    this.#macKey = createSecretKey(world.random(32));
  }

  macOf(passphrase: string): Buffer {
    return createHmac('sha256', this.#macKey).update(passphrase).digest();
  }

  find(did: Did, mac: Buffer): SeedSigner | undefined {
    const entry = this.#entries.get(did);
    if (!entry || entry.untilMs <= this.world.monotonic() || !timingSafeEqual(entry.mac, mac)) return undefined;
    return entry.signer;
  }

  /** Caches a key for its lifetime; with a lifetime of 0 it is not cached. */
  keep(did: Did, mac: Buffer, signer: SeedSigner): void {
    this.#entries.delete(did);
    this.#entries.set(did, { mac, signer, untilMs: this.world.monotonic() + this.lifetimeMs });
    this.#sweep();
  }

  /** Removes a key. Signers that were handed out before keep working. */
  drop(did: Did): void {
    this.#entries.delete(did);
  }

  /** Erases every key; their signers stop working. */
  close(): void {
    this.#timer?.cancel();
    for (const { signer } of this.#entries.values()) signer.erase();
    this.#entries.clear();
  }

  get size(): number {
    return this.#entries.size;
  }

  #sweep(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    const now = this.world.monotonic();
    for (const [did, { untilMs }] of this.#entries) {
      if (this.#entries.size <= this.capacity && untilMs > now) {
        this.#timer = this.world.after(untilMs - now, () => this.#sweep());
        return;
      }
      this.#entries.delete(did);
    }
  }
}
