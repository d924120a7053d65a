/**
 * Unlocks key files with a passphrase, and encrypts keys under one.
 *
 * Implements docs/reference/identities.md#wrong-passphrases: a wrong passphrase, a missing key file, an unusable one
 * and an unknown DID each cost one KDF run and get the same refusal, so that a caller cannot find out which DIDs exist here.
 */

import { addressOf } from '../core/codecs/address.js';
import type { Did } from '../core/codecs/did.js';
import type { Environment } from '../core/environment.js';
import { isRefusal, type Refusal, refuse } from '../core/refusal.js';
import type { GuessLimits } from './guess-limits.js';
import { defaultKdfParams, type KdfGate } from './kdf.js';
import type { KeyFolder } from './key-folder.js';
import { type KeyFile, type KeyFileHeader, nonceBytes, openSeed, sealSeed } from './keyfile.js';
import { type SeedSigner, signerOf } from './signing.js';

/** One shared value, so that the refusals of all cases are identical. */
const wrongPassphrase: Refusal = refuse(
  'TRANSFER_NOT_ALLOWED',
  'the passphrase does not unlock a key of this DID in the keystore of this node',
);

const saltBytes = 32;

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

  /** Encrypts a key under the passphrase, with a new salt and nonce. @returns SERVICE_UNAVAILABLE */
  async seal(
    signer: SeedSigner,
    passphrase: string,
    origin: { readonly createdAt: number; readonly network?: string | undefined; readonly caller: string },
  ): Promise<KeyFile | Refusal> {
    const { world, gate } = this.parts;
    const salt = world.random(saltBytes);
    const key = await gate.derive(passphrase, salt, defaultKdfParams, origin.caller);
    if (isRefusal(key)) return key;
    const header: KeyFileHeader = {
      v: 1,
      did: signer.did,
      address: addressOf(signer.did),
      ...(origin.network === undefined ? {} : { network: origin.network }),
      createdAt: origin.createdAt,
      kdf: { ...defaultKdfParams, salt: Buffer.from(salt).toString('hex') },
      cipher: 'aes-256-gcm',
      nonce: Buffer.from(world.random(nonceBytes)).toString('hex'),
    };
    const file = signer.withSeed((seed) => sealSeed(seed, key, header));
    key.fill(0);
    return file;
  }
}
