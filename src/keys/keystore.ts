/**
 * The local keystore: who presents a DID's passphrase gets its signer.
 *
 * Implements decisions, 'DIDs, keys, addresses' (keystore) and 'General' (who signs: keys that an operator
 * holds unlocked). Several processes may share one folder. Every `did` here is a normalised one. I/O errors
 * (a full disk, a folder without permission) are thrown as they are: no caller can cause them.
 */
import PQueue from 'p-queue';
import type { Tally } from '../counts.js';
import { invalid, isRefusal, type Refusal, refuse } from '../machines/kernel/refusal.js';
import type { World } from '../world.js';
import type { Did } from './did.js';
import { seedBytes } from './ed25519.js';
import { type GuessLimitSizes, GuessLimits } from './guess-limits.js';
import { argon2Kdf, type Kdf, KdfGate, type KdfLimits } from './kdf.js';
import { KeyFolder, type OnBadFile } from './key-folder.js';
import { KeyOpener } from './key-opener.js';
import { BadKeyFile, type KeyFile, parseKeyFile } from './keyfile.js';
import { normaliseNewPassphrase, normalisePassphrase } from './passphrase.js';
import { type Signer, signerOf } from './signing.js';
import { UnlockedKeys } from './unlocked-keys.js';
import { Unlocking } from './unlocking.js';

export interface KeystoreLimits extends KdfLimits, GuessLimitSizes {
  /** Keys kept unlocked at once; beyond that the longest unlocked is let go. */
  readonly unlockedKeys: number;
}

const defaultKeystoreLimits: KeystoreLimits = {
  kdfRuns: 2,
  kdfWaiting: 64,
  failuresPerOrigin: 5,
  failuresPerDid: 60,
  trackedFailures: 20_000,
  unlockedKeys: 10_000,
};

export interface KeystoreOptions {
  readonly dir: string;
  readonly world: World;
  readonly kdf?: Kdf;
  /** How long an unlocked key stays in memory; 0 = never. SVC_UNLOCK_SECONDS. */
  readonly unlockSeconds?: number;
  readonly limits?: Partial<KeystoreLimits>;
  /** Written into new key files. */
  readonly network?: string;
  readonly onBadFile?: OnBadFile;
  /** Wrong passphrases that other processes count. */
  readonly elsewhere?: Tally | undefined;
}

/** The account that a key file is for. */
export interface KeyName {
  readonly did: Did;
  readonly address: string;
}

interface Parts {
  readonly world: World;
  readonly folder: KeyFolder;
  readonly gate: KdfGate;
  readonly opener: KeyOpener;
  readonly unlocking: Unlocking;
  readonly network: string | undefined;
}

export class Keystore {
  /** Import and change of passphrase look before they write, so they take turns. */
  readonly #writes = new PQueue({ concurrency: 1 });

  private constructor(private readonly parts: Parts) {}

  /** Opens the folder, making it (0700) where it is missing. */
  static async open(options: KeystoreOptions): Promise<Keystore> {
    const { dir, world, kdf = argon2Kdf, unlockSeconds = 300, network, onBadFile = () => {} } = options;
    const limits = { ...defaultKeystoreLimits, ...options.limits };
    const folder = await KeyFolder.open(dir, onBadFile);
    const gate = new KdfGate(kdf, limits);
    const opener = new KeyOpener({ world, folder, gate, guesses: new GuessLimits(world, limits, options.elsewhere) });
    const unlocked = new UnlockedKeys(world, unlockSeconds * 1000, limits.unlockedKeys);
    return new Keystore({ world, folder, gate, opener, unlocking: new Unlocking(opener, unlocked), network });
  }

  /** Makes a key. @returns INVALID_REQUEST naming `passphrase`, SERVICE_UNAVAILABLE */
  async create(passphrase: string): Promise<KeyName | Refusal> {
    const normalised = normaliseNewPassphrase(passphrase);
    if (isRefusal(normalised)) return normalised;
    const { world, opener, folder, network } = this.parts;
    const seed = world.random(seedBytes);
    const signer = signerOf(seed);
    seed.fill(0);
    const file = await opener.seal(signer, normalised, { createdAt: world.now(), network });
    signer.erase();
    if (isRefusal(file)) return file;
    await folder.write(file);
    return { did: file.did, address: file.address };
  }

  /** The keys of the folder, oldest first (`createdAt` in epoch milliseconds); reads every file. */
  async list(): Promise<(KeyName & { readonly createdAt: number })[]> {
    const files = await this.parts.folder.list();
    return files.map(({ did, address, createdAt }) => ({ did, address, createdAt }));
  }

  /** Whether there is a key file for the DID that can be read; one that can't is reported. */
  async isUsable(did: Did): Promise<boolean> {
    return (await this.parts.folder.read(did)) !== undefined;
  }

  /** Whether there is a key file for the DID; whether it can be used, only unlocking tells. */
  has(did: Did): Promise<boolean> {
    return this.parts.folder.has(did);
  }

  /** When the DID's key was made, epoch ms; undefined where there is no usable key file. */
  async madeAt(did: Did): Promise<number | undefined> {
    return (await this.parts.folder.read(did))?.createdAt;
  }

  /**
   * The DID's signer: at once, for the price of an HMAC, while the key is unlocked under this passphrase;
   * otherwise after one KDF run, which everyone who asks for the same meanwhile shares.
   *
   * A passphrase changed, or a file removed, by another process goes on working here until the key's
   * `unlockSeconds` are over, because a hit does not look at the disk.
   * @param origin who asks: an API key's id or an address; wrong guesses are counted for it
   * @returns INVALID_REQUEST (too long), TRANSFER_NOT_ALLOWED, RATE_LIMITED, SERVICE_UNAVAILABLE
   */
  unlock(did: Did, passphrase: string, origin: string): Signer | Refusal | Promise<Signer | Refusal> {
    return this.parts.unlocking.unlock(did, passphrase, origin);
  }

  /**
   * Unlocks a key until `release` or `close`: the operator's act for a DID that is bound to an API key.
   * @returns undefined, or as unlock
   */
  hold(did: Did, passphrase: string, origin: string): Promise<Refusal | undefined> {
    return this.parts.unlocking.hold(did, passphrase, origin);
  }

  /** Locks a key, held or merely unlocked; what was authorised before may finish. Says whether it was held. */
  release(did: Did): boolean {
    return this.parts.unlocking.release(did);
  }

  /** From now on it is told of each key that its passphrase opens; not again while it stays unlocked. */
  tellUnlocked(listener: (signer: Signer) => void): void {
    this.parts.unlocking.onUnlocked = listener;
  }

  /** The signer of a DID that the operator holds unlocked. */
  held(did: Did): Signer | undefined {
    return this.parts.unlocking.held(did);
  }

  heldDids(): Did[] {
    return this.parts.unlocking.heldDids();
  }

  /** The encrypted file, as importKey takes it. @returns DID_NOT_FOUND, UNPROCESSABLE for a damaged file */
  async exportKey(did: Did): Promise<KeyFile | Refusal> {
    const file = await this.parts.folder.read(did);
    if (file) return file;
    return (await this.has(did))
      ? refuse('UNPROCESSABLE', 'the key file of this DID is damaged')
      : refuse('DID_NOT_FOUND', 'the keystore has no key of this DID');
  }

  /**
   * Takes in an exported key under the passphrase that it has.
   * @returns INVALID_REQUEST naming `file` or `passphrase`, CONFLICT, TRANSFER_NOT_ALLOWED, SERVICE_UNAVAILABLE
   */
  async importKey(file: unknown, passphrase: string): Promise<KeyName | Refusal> {
    const parsed = parseKeyFile(file);
    if (parsed instanceof BadKeyFile) return invalid('file', parsed.reason);
    const normalised = normaliseNewPassphrase(passphrase);
    if (isRefusal(normalised)) return normalised;
    return this.#writes.add(() => this.#import(parsed, normalised));
  }

  async #import(file: KeyFile, passphrase: string): Promise<KeyName | Refusal> {
    const { folder, opener } = this.parts;
    if (await folder.has(file.did)) return refuse('CONFLICT', 'the keystore has a key of this DID already');
    const signer = await opener.openFile(file, passphrase);
    if (isRefusal(signer)) return signer;
    signer.erase();
    if (signer.did !== file.did) return invalid('file', 'the key is not that of the did');
    await folder.write(file);
    return { did: file.did, address: file.address };
  }

  /**
   * Locks the key under another passphrase. The old one stops working in this process at once, in others when
   * their `unlockSeconds` are over. Wrong old ones count as wrong guesses, under an origin of their own.
   * @returns INVALID_REQUEST, TRANSFER_NOT_ALLOWED, RATE_LIMITED, SERVICE_UNAVAILABLE, CONFLICT (changed meanwhile)
   */
  async changePassphrase(did: Did, oldPassphrase: string, newPassphrase: string): Promise<Refusal | undefined> {
    const before = normalisePassphrase(oldPassphrase);
    if (isRefusal(before)) return before;
    const after = normaliseNewPassphrase(newPassphrase, 'newPassphrase');
    if (isRefusal(after)) return after;
    return this.#writes.add(() => this.#change(did, before, after));
  }

  async #change(did: Did, before: string, after: string): Promise<Refusal | undefined> {
    const { folder, opener, unlocking } = this.parts;
    const opened = await opener.open(did, before, 'passwd');
    if (isRefusal(opened)) return opened;
    const file = await opener.seal(opened.signer, after, opened.file);
    opened.signer.erase();
    if (isRefusal(file)) return file;
    const current = await folder.read(did);
    if (current?.tag !== opened.file.tag) return refuse('CONFLICT', 'the key file was changed meanwhile');
    try {
      await folder.write(file);
    } finally {
      unlocking.forget(did);
    }
    return undefined;
  }

  /** Zeroises what is unlocked. Signers given out stop signing, so this comes after everything in flight. */
  close(): void {
    this.parts.gate.close();
    this.parts.unlocking.close();
  }
}
