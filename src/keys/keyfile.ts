/**
 * The format of a key file: one Ed25519 seed under a passphrase (docs/reference/identities.md#keystore).
 *
 * AES-256-GCM under the derived key. The header, that is everything except ciphertext and tag, is its associated data
 * in RFC 8785 form, so that nothing can be changed without the passphrase.
 */
import { createCipheriv, createDecipheriv } from 'node:crypto';
import * as s from 'superstruct';
import { canonical } from '../core/canonical.js';
import { addressOf } from '../core/codecs/address.js';
import { type Did, parseDid } from '../core/codecs/did.js';
import { seedBytes } from '../core/codecs/ed25519.js';
import { type KdfParams, kdfBounds } from './kdf.js';

/** All members of a key file except the encrypted seed. Bytes are lower-case hex. */
export interface KeyFileHeader {
  readonly v: 1;
  readonly did: Did;
  readonly address: string;
  /** The network of its creation, for information only: the event states the network that a signature is valid on. */
  readonly network?: string;
  /** Epoch milliseconds. */
  readonly createdAt: number;
  readonly kdf: KdfParams & { readonly salt: string };
  readonly cipher: 'aes-256-gcm';
  readonly nonce: string;
}

export interface KeyFile extends KeyFileHeader {
  readonly ciphertext: string;
  readonly tag: string;
}

/** The reason why a file is unusable. It names members, never their values. */
export class BadKeyFile {
  constructor(readonly reason: string) {}
}

export const nonceBytes = 12;
const tagBytes = 16;

const hex = (least: number, most = least) => s.size(s.pattern(s.string(), /^(?:[0-9a-f]{2})*$/), 2 * least, 2 * most);
const within = ([least, most]: readonly [number, number]) => s.max(s.min(s.integer(), least), most);

const keyFileStruct = s.object({
  v: s.literal(1),
  did: s.string(),
  address: s.string(),
  network: s.optional(s.size(s.string(), 1, 64)),
  createdAt: s.min(s.integer(), 0),
  kdf: s.object({
    algorithm: s.literal('argon2id'),
    memoryKiB: within(kdfBounds.memoryKiB),
    passes: within(kdfBounds.passes),
    lanes: within(kdfBounds.lanes),
    salt: hex(...kdfBounds.saltBytes),
  }),
  cipher: s.literal('aes-256-gcm'),
  nonce: hex(nonceBytes),
  ciphertext: hex(seedBytes),
  tag: hex(tagBytes),
});

/** Checks everything that needs no passphrase, before the KDF allocates memory. */
export function parseKeyFile(value: unknown): KeyFile | BadKeyFile {
  const [failure, file] = s.validate(value, keyFileStruct);
  if (failure)
    return new BadKeyFile(failure.path.length === 0 ? 'no key file' : `bad member ${failure.path.join('.')}`);
  if (parseDid(file.did) !== file.did) return new BadKeyFile('bad member did');
  if (addressOf(file.did) !== file.address) return new BadKeyFile('the address is not that of the did');
  const { network, ...rest } = file;
  return { ...rest, kdf: { ...file.kdf }, ...(network === undefined ? {} : { network }) };
}

/** @param seed 32 bytes @param key 32 bytes, derived with the header's salt and parameters */
export function sealSeed(seed: Uint8Array, key: Uint8Array, header: KeyFileHeader): KeyFile {
  const cipher = createCipheriv(header.cipher, key, Buffer.from(header.nonce, 'hex'), { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(canonical(header)));
  const ciphertext = Buffer.concat([cipher.update(seed), cipher.final()]).toString('hex');
  return { ...header, ciphertext, tag: cipher.getAuthTag().toString('hex') };
}

/** The 32-byte seed, which the caller erases; undefined when the key is wrong or the file was modified. */
export function openSeed(file: KeyFile, key: Uint8Array): Uint8Array | undefined {
  const { ciphertext, tag, ...header } = file;
  const cipher = createDecipheriv(file.cipher, key, Buffer.from(file.nonce, 'hex'), { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(canonical(header)));
  cipher.setAuthTag(Buffer.from(tag, 'hex'));
  const seed = cipher.update(Buffer.from(ciphertext, 'hex'));
  try {
    cipher.final();
    return seed;
  } catch {
    // node:crypto reports a wrong tag with this error: the passphrase is wrong.
    seed.fill(0);
    return undefined;
  }
}
