/**
 * The local keystore: a DID's passphrase unlocks its signer.
 *
 * Implements docs/reference/identities.md#keystore and docs/reference/identities.md#unlocked-keys. Several processes
 * may share one folder. Every `did` here is a normalised one. I/O errors (a full disk, a folder without permission) are
 * thrown as they are: no caller can cause them.
 */
import PQueue from 'p-queue';
import type { Did } from '../core/codecs/did.js';
import type { Environment } from '../core/environment.js';
import { invalid, isRefusal, type Refusal, refuse } from '../core/refusal.js';
import type { SharedCounter } from '../core/shared-counter.js';
import { argon2Kdf, type Kdf, KdfGate, type KdfLimits, normaliseNewPassphrase, normalisePassphrase } from './kdf.js';
import { type GuessLimitSizes, GuessLimits, KeyOpener } from './key-opener.js';
import { BadKeyFile, type KeyFile, KeyFolder, type OnBadFile, parseKeyFile } from './keyfile.js';
import { newKey, sealed } from './new-key.js';
import type { Signer } from './signing.js';
import { UnlockedKeys, Unlocking } from './unlocking.js';

export interface KeystoreLimits extends KdfLimits, GuessLimitSizes {
  /** The most unlocked keys; beyond that the one unlocked first is locked. */
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
  readonly world: Environment;
  readonly kdf?: Kdf;
  /** How long an unlocked key stays in memory; 0 = never. SVC_UNLOCK_SECONDS. */
  readonly unlockSeconds?: number;
  readonly limits?: Partial<KeystoreLimits>;
  /** The network written into new key files. */
  readonly network?: string;
  readonly onBadFile?: OnBadFile;
  /** Shared counter of wrong passphrases at other processes. */
  readonly elsewhere?: SharedCounter | undefined;
}

/** DID and account address of a key file. */
export interface KeyName {
  readonly did: Did;
  readonly address: string;
}

/** The caller name in the KDF queue for work without a request. */
const operator = 'operator';

interface Parts {
  readonly world: Environment;
  readonly folder: KeyFolder;
  readonly gate: KdfGate;
  readonly opener: KeyOpener;
  readonly unlocking: Unlocking;
  readonly network: string | undefined;
}

export class Keystore {
  /** Serialises imports and changes of passphrases, because they read before they write. */
  readonly #writes = new PQueue({ concurrency: 1 });

  private constructor(private readonly parts: Parts) {}

  /** Opens the folder; creates a missing one with mode 0700. */
  static async open(options: KeystoreOptions): Promise<Keystore> {
    const { dir, world, kdf = argon2Kdf, unlockSeconds = 300, network, onBadFile = () => {} } = options;
    const limits = { ...defaultKeystoreLimits, ...options.limits };
    const folder = await KeyFolder.open(dir, onBadFile);
    const gate = new KdfGate(kdf, limits);
    const opener = new KeyOpener({ world, folder, gate, guesses: new GuessLimits(world, limits, options.elsewhere) });
    const unlocked = new UnlockedKeys(world, unlockSeconds * 1000, limits.unlockedKeys);
    return new Keystore({ world, folder, gate, opener, unlocking: new Unlocking(opener, unlocked), network });
  }

  /**
   * Creates a key. @param caller the KDF queue that it waits in @returns INVALID_REQUEST naming `passphrase`,
   * SERVICE_UNAVAILABLE
   */
  async create(passphrase: string, caller = operator): Promise<KeyName | Refusal> {
    const { world, folder, network } = this.parts;
    const file = await newKey(passphrase, { world, network, derive: this.#derive(caller) });
    if (isRefusal(file)) return file;
    await folder.write(file);
    return { did: file.did, address: file.address };
  }

  #derive(caller: string) {
    return (...given: Parameters<Kdf['derive']>) => this.parts.gate.derive(...given, caller);
  }

  /** The keys of the folder, oldest first (`createdAt` in epoch milliseconds); reads every file. */
  async list(): Promise<(KeyName & { readonly createdAt: number })[]> {
    const files = await this.parts.folder.list();
    return files.map(({ did, address, createdAt }) => ({ did, address, createdAt }));
  }

  /** Whether the DID has a readable key file; an unreadable one is reported. */
  async isUsable(did: Did): Promise<boolean> {
    return (await this.parts.folder.read(did)) !== undefined;
  }

  /** Whether the DID has a key file, usable or not. */
  has(did: Did): Promise<boolean> {
    return this.parts.folder.has(did);
  }

  /** Creation time of the DID's key, epoch ms; undefined without a usable key file. */
  async madeAt(did: Did): Promise<number | undefined> {
    return (await this.parts.folder.read(did))?.createdAt;
  }

  /**
   * The DID's signer. While the key is unlocked under this passphrase it costs one HMAC; otherwise one KDF run, which
   * concurrent calls with the same passphrase share.
   *
   * If another process changes the passphrase or removes the file, the old passphrase works here until `unlockSeconds` are
   * over, because an unlocked key needs no read from disk.
   * @param origin of the request: an API key's id or an address; wrong guesses are counted for it
   * @returns INVALID_REQUEST (too long), TRANSFER_NOT_ALLOWED, RATE_LIMITED, SERVICE_UNAVAILABLE
   */
  unlock(did: Did, passphrase: string, origin: string): Signer | Refusal | Promise<Signer | Refusal> {
    return this.parts.unlocking.unlock(did, passphrase, origin);
  }

  /** The DID's signer, if the key is unlocked under this passphrase; otherwise undefined. Never runs the KDF. */
  unlocked(did: Did, passphrase: string): Signer | undefined {
    return this.parts.unlocking.unlocked(did, passphrase);
  }

  /**
   * Unlocks a key until `release` or `close`: an operator's command for a DID that is bound to an API key.
   * @returns undefined, or as unlock
   */
  hold(did: Did, passphrase: string, origin: string): Promise<Refusal | undefined> {
    return this.parts.unlocking.hold(did, passphrase, origin);
  }

  /** Locks a key; writes that were authorised before may finish. @returns whether the operator held it unlocked */
  release(did: Did): boolean {
    return this.parts.unlocking.release(did);
  }

  /** Registers a listener, called with each key when it is unlocked; not again while it stays unlocked. */
  listenUnlocked(listener: (signer: Signer) => void): void {
    this.parts.unlocking.onUnlocked = listener;
  }

  /** The signer of a DID that the operator holds unlocked. */
  held(did: Did): Signer | undefined {
    return this.parts.unlocking.held(did);
  }

  heldDids(): Did[] {
    return this.parts.unlocking.heldDids();
  }

  /** The encrypted key file, in the form that importKey accepts. @returns DID_NOT_FOUND, UNPROCESSABLE for a damaged file */
  async exportKey(did: Did): Promise<KeyFile | Refusal> {
    const file = await this.parts.folder.read(did);
    if (file) return file;
    return (await this.has(did))
      ? refuse('UNPROCESSABLE', 'the key file of this DID is damaged')
      : refuse('DID_NOT_FOUND', 'the keystore has no key of this DID');
  }

  /**
   * Imports an exported key with its existing passphrase.
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
    const signer = await opener.openFile(file, passphrase, operator);
    if (isRefusal(signer)) return signer;
    signer.erase();
    if (signer.did !== file.did) return invalid('file', 'the key is not that of the did');
    await folder.write(file);
    return { did: file.did, address: file.address };
  }

  /**
   * Changes the passphrase of a key. The old one stops working at once in this process, and after `unlockSeconds` in others.
   * A wrong old passphrase counts as a wrong guess, under a separate origin.
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
    const { world, folder, opener, unlocking } = this.parts;
    const opened = await opener.open(did, before, 'passwd');
    if (isRefusal(opened)) return opened;
    const { network, createdAt } = opened.file;
    const derive = this.#derive(operator);
    const file = await sealed(opened.signer, after, { world, derive, network, createdAt });
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

  /** Erases unlocked keys. Their signers stop working, so call it after all requests have finished. */
  close(): void {
    this.parts.gate.close();
    this.parts.unlocking.close();
  }
}
