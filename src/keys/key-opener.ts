/**
 * The one way from a passphrase to a key, and back.
 *
 * Implements decisions, 'DIDs, keys, addresses': a wrong passphrase, a missing key file, an unusable one and an
 * unknown DID cost one KDF run each and get the same refusal, so that nobody learns from it which DIDs are here.
 */
import { isRefusal, type Refusal, refuse } from '../machines/kernel/refusal.js';
import type { World } from '../world.js';
import { addressOf } from './address.js';
import type { Did } from './did.js';
import type { GuessLimits } from './guess-limits.js';
import { defaultKdfParams, type KdfGate } from './kdf.js';
import type { KeyFolder } from './key-folder.js';
import { type KeyFile, type KeyFileHeader, nonceBytes, openSeed, sealSeed } from './keyfile.js';
import { type SeedSigner, signerOf } from './signing.js';

/** One value, so that its text cannot differ between the cases. */
const wrongPassphrase: Refusal = refuse(
  'TRANSFER_NOT_ALLOWED',
  'the passphrase does not unlock a key of this DID in the keystore of this node',
);

const saltBytes = 32;

export interface OpenedKey {
  /** The caller's own, to keep or to erase. */
  readonly signer: SeedSigner;
  readonly file: KeyFile;
}

export interface KeyOpenerParts {
  readonly world: World;
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
      const opened = await this.#openFrom(did, passphrase);
      wrong = opened === wrongPassphrase;
      return opened;
    } finally {
      if (!wrong) giveBack();
    }
  }

  async #openFrom(did: Did, passphrase: string): Promise<OpenedKey | Refusal> {
    const { folder, gate } = this.parts;
    const file = await folder.read(did);
    if (!file) {
      const decoy = await gate.derive(passphrase, this.#decoySalt, defaultKdfParams);
      return isRefusal(decoy) ? decoy : wrongPassphrase;
    }
    const signer = await this.openFile(file, passphrase);
    if (isRefusal(signer)) return signer;
    if (signer.did === did) return { signer, file };
    signer.erase();
    folder.report(folder.pathOf(did), 'the key is not that of the did');
    return wrongPassphrase;
  }

  /** The signer in a file, whose DID the caller compares. @returns TRANSFER_NOT_ALLOWED, SERVICE_UNAVAILABLE */
  async openFile(file: KeyFile, passphrase: string): Promise<SeedSigner | Refusal> {
    const { salt, ...params } = file.kdf;
    const key = await this.parts.gate.derive(passphrase, Buffer.from(salt, 'hex'), params);
    if (isRefusal(key)) return key;
    const seed = openSeed(file, key);
    key.fill(0);
    if (!seed) return wrongPassphrase;
    const signer = signerOf(seed);
    seed.fill(0);
    return signer;
  }

  /** A file that opens with the passphrase, under a fresh salt and nonce. @returns SERVICE_UNAVAILABLE */
  async seal(
    signer: SeedSigner,
    passphrase: string,
    origin: { readonly createdAt: number; readonly network?: string | undefined },
  ): Promise<KeyFile | Refusal> {
    const { world, gate } = this.parts;
    const salt = world.random(saltBytes);
    const key = await gate.derive(passphrase, salt, defaultKdfParams);
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
