/** Converts Ed25519 keys to X25519 for key agreement (RFC 7748, 4.1: the curves are birationally equivalent). */
import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject } from 'node:crypto';
import { etc, Point } from '@noble/ed25519';
import { type Did, publicKeyOf } from './did.js';

export const x25519Bytes = 32;
const { p } = Point.CURVE();
/** The DER prefix before the 32 bytes (RFC 8410). */
const spkiHeader = Buffer.from('302a300506032b656e032100', 'hex');
const pkcs8Header = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** The public key of a DID: u = (1 + y) / (1 - y), 32 bytes, little-endian. */
export function x25519PublicKey(did: Did): Buffer {
  const key = publicKeyOf(did);
  key[31]! &= 0x7f;
  const y = BigInt(`0x${Buffer.from(key).reverse().toString('hex')}`);
  // y is never 1: that point is of small order, and no DID has it.
  const u = etc.mod((1n + y) * etc.invert(1n - y, p), p);
  return Buffer.from(u.toString(16).padStart(64, '0'), 'hex').reverse();
}

/** An X25519 private key from 32 bytes, which the caller must zeroise. */
export function x25519Key(bytes: Uint8Array): KeyObject {
  const der = Buffer.concat([pkcs8Header, bytes]);
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  der.fill(0);
  return key;
}

export const x25519PublicBytes = (key: KeyObject): Buffer =>
  createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-x25519Bytes);

/** The public keys of small order: 0, 1, two of order 8, and -1; and 0 and 1 once more, because p and p + 1 fit into 255 bits. */
const smallOrder = new Set([
  '00'.repeat(32),
  `01${'00'.repeat(31)}`,
  'e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800',
  '5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157',
  ...['ec', 'ed', 'ee'].map((first) => `${first}${'ff'.repeat(30)}7f`),
]);

/** Whether secrets can be agreed with this public key: it is not of small order. Its highest bit does not count. */
export function isAgreeable(publicBytes: Uint8Array): boolean {
  const key = Buffer.from(publicBytes);
  key[x25519Bytes - 1]! &= 0x7f;
  return !smallOrder.has(key.toString('hex'));
}

/** The shared secret; undefined for a public key of small order, with which the secret would be known to anyone. */
export function agreement(privateKey: KeyObject, publicBytes: Uint8Array): Buffer | undefined {
  const key = Buffer.concat([spkiHeader, publicBytes]);
  try {
    const secret = diffieHellman({
      privateKey,
      publicKey: createPublicKey({ key, format: 'der', type: 'spki' }),
    });
    return secret.some((byte) => byte !== 0) ? secret : undefined;
  } catch {
    // OpenSSL fails for such a key; the bytes come from outside.
    return undefined;
  }
}
