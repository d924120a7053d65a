/**
 * X25519: the form of an Ed25519 key with which two can agree on a secret (RFC 7748, 4.1: the curves are birationally
 * equivalent). What is wrapped for a DID is wrapped for this form of its key.
 */
import { createHash, createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto';
import { etc } from '@noble/ed25519';
import { assert } from '../machines/kernel/refusal.js';
import { type Did, publicKeyOf } from './did.js';
import { SeedSigner, type Signer } from './signing.js';

export const x25519Bytes = 32;
const p = 2n ** 255n - 19n;
/** RFC 8410: what stands before the 32 bytes in DER. */
const spkiHeader = Buffer.from('302a300506032b656e032100', 'hex');
const pkcs8Header = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** The public key of a DID: u = (1 + y) / (1 - y), 32 bytes, little-endian. */
export function x25519PublicOf(did: Did): Buffer {
  const key = publicKeyOf(did);
  key[31]! &= 0x7f;
  const y = BigInt(`0x${Buffer.from(key).reverse().toString('hex')}`);
  // y is never 1: that point is of small order, and no DID has it.
  const u = ((1n + y) * etc.invert((((1n - y) % p) + p) % p, p)) % p;
  return Buffer.from(u.toString(16).padStart(64, '0'), 'hex').reverse();
}

/** The private key of whoever can sign as the DID: the first half of SHA-512 of the seed, clamped when it is used. */
export function x25519KeyOf(signer: Signer): KeyObject {
  assert(signer instanceof SeedSigner, 'an agreement needs a signer that has a seed');
  return signer.withSeed((seed) => {
    const wide = createHash('sha512').update(seed).digest();
    const key = x25519Key(wide.subarray(0, x25519Bytes));
    wide.fill(0);
    return key;
  });
}

/** A private key of 32 bytes, which stay the caller's to zeroise. */
export function x25519Key(bytes: Uint8Array): KeyObject {
  const der = Buffer.concat([pkcs8Header, bytes]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  der.fill(0);
  return key;
}

export const x25519PublicBytes = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-x25519Bytes);

/** The shared secret; undefined for a public key of small order, which agrees with everybody. */
export function agreement(privateKey: KeyObject, publicBytes: Uint8Array): Buffer | undefined {
  const key = Buffer.concat([spkiHeader, publicBytes]);
  try {
    const secret = diffieHellman({
      privateKey,
      publicKey: createPublicKey({ key, format: 'der', type: 'spki' }),
    });
    return secret.some((byte) => byte !== 0) ? secret : undefined;
  } catch {
    // OpenSSL fails for such a key; the bytes are a stranger's.
    return undefined;
  }
}
