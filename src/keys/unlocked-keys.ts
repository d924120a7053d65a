/**
 * A cache of unlocked keys, looked up by DID and passphrase.
 *
 * It stores an HMAC-SHA256 of the passphrase under a key of this process (docs/reference/identities.md#unlocked-keys), so a
 * hit costs one HMAC. A key expires a fixed time after its KDF run, used or not, which bounds how long an old passphrase
 * works here after another process changed it.
 */
import { createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Did } from '../core/codecs/did.js';
import type { Environment, Timer } from '../core/environment.js';
import type { SeedSigner } from './signing.js';

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
