/**
 * Keys that stay unlocked for a while, each found again by its DID and the passphrase that opened it.
 *
 * The passphrase is not kept, only its HMAC-SHA256 under a key of this process (decisions, 'DIDs, keys,
 * addresses'); a hit costs that HMAC and nothing else. A key is let go a fixed time after the KDF run that
 * opened it, used or not: that bounds how long a passphrase changed by another process goes on working here.
 */
import { timingSafeEqual } from 'node:crypto';
import type { Timer, World } from '../world.js';
import type { Did } from './did.js';
import { Hmac } from './hmac.js';
import { longestPassphraseBytes } from './passphrase.js';
import type { SeedSigner } from './signing.js';

interface Entry {
  readonly mac: Buffer;
  readonly signer: SeedSigner;
  /** On the monotonic clock. */
  readonly untilMs: number;
}

export class UnlockedKeys {
  /** Every entry has the same lifetime, so the order of insertion is the order of expiry. */
  readonly #entries = new Map<Did, Entry>();
  readonly #hmac: Hmac;
  #timer: Timer | undefined;

  constructor(
    private readonly world: World,
    private readonly lifetimeMs: number,
    private readonly capacity: number,
  ) {
    this.#hmac = new Hmac(world.random(32), longestPassphraseBytes);
  }

  macOf(passphrase: string): Buffer {
    return this.#hmac.of(passphrase);
  }

  find(did: Did, mac: Buffer): SeedSigner | undefined {
    const entry = this.#entries.get(did);
    if (!entry || entry.untilMs <= this.world.monotonic() || !timingSafeEqual(entry.mac, mac)) return undefined;
    return entry.signer;
  }

  /** Keeps a key for its time; one without any is let go before this returns. */
  keep(did: Did, mac: Buffer, signer: SeedSigner): void {
    this.#entries.delete(did);
    this.#entries.set(did, { mac, signer, untilMs: this.world.monotonic() + this.lifetimeMs });
    this.#sweep();
  }

  /** Lets go of a key. Whoever was given its signer before may finish with it. */
  drop(did: Did): void {
    this.#entries.delete(did);
  }

  /** Erases every key: signers given out stop signing. */
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
