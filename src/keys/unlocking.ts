/**
 * The unlocked keys: those unlocked by a passphrase for a while, and those that the operator holds unlocked.
 *
 * Implements docs/reference/identities.md#unlocked-keys.
 */

import type { Did } from '../core/codecs/did.js';
import { isRefusal, type Refusal } from '../core/refusal.js';
import type { KeyOpener } from './key-opener.js';
import { normalisePassphrase } from './passphrase.js';
import type { SeedSigner, Signer } from './signing.js';
import type { UnlockedKeys } from './unlocked-keys.js';

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

  /** See Keystore.tellUnlocked. */
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
