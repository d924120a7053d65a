/** New keys, and keys under a new passphrase: encrypted, as a key file has them. */
import { addressOf } from '../core/codecs/address.js';
import { seedBytes } from '../core/codecs/ed25519.js';
import type { Environment } from '../core/environment.js';
import { isRefusal, type Refusal } from '../core/refusal.js';
import { defaultKdfParams, type Kdf, normaliseNewPassphrase } from './kdf.js';
import { type KeyFile, type KeyFileHeader, nonceBytes, sealSeed } from './keyfile.js';
import { type SeedSigner, signerOf } from './signing.js';

export const saltBytes = 32;

type Derive = (...given: Parameters<Kdf['derive']>) => Promise<Uint8Array | Refusal>;

interface Sealing {
  readonly world: Pick<Environment, 'random' | 'now'>;
  readonly derive: Derive;
  readonly network?: string | undefined;
}

/** @returns INVALID_REQUEST naming `passphrase`, or the refusal of `derive` */
export async function newKey(passphrase: string, sealing: Sealing): Promise<KeyFile | Refusal> {
  const normalised = normaliseNewPassphrase(passphrase);
  if (isRefusal(normalised)) return normalised;
  const seed = sealing.world.random(seedBytes);
  const signer = signerOf(seed);
  seed.fill(0);
  const file = await sealed(signer, normalised, sealing);
  signer.erase();
  return file;
}

/** Encrypts a key under the passphrase, with a new salt and nonce. @param createdAt epoch ms @returns as `derive` */
export async function sealed(
  signer: SeedSigner,
  passphrase: string,
  { world, derive, network, createdAt = world.now() }: Sealing & { readonly createdAt?: number },
): Promise<KeyFile | Refusal> {
  const salt = world.random(saltBytes);
  const key = await derive(passphrase, salt, defaultKdfParams);
  if (isRefusal(key)) return key;
  const header: KeyFileHeader = {
    v: 1,
    did: signer.did,
    address: addressOf(signer.did),
    ...(network === undefined ? {} : { network }),
    createdAt,
    kdf: { ...defaultKdfParams, salt: Buffer.from(salt).toString('hex') },
    cipher: 'aes-256-gcm',
    nonce: Buffer.from(world.random(nonceBytes)).toString('hex'),
  };
  const file = signer.withSeed((seed) => sealSeed(seed, key, header));
  key.fill(0);
  return file;
}
