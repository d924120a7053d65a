/**
 * Encrypts contents and keys with AES-256-GCM (docs/reference/markets.md#content). A key for one recipient is wrapped
 * under a secret that is agreed between a new X25519 key and the recipient's.
 */
import { createCipheriv, createDecipheriv, createHash, hkdfSync, type KeyObject } from 'node:crypto';
import { agreement, x25519Bytes, x25519Key, x25519PublicBytes } from './codecs/x25519.js';

export const cipher = 'AES-256-GCM';
export const wrapping = 'X25519-HKDF-SHA256-AES-256-GCM';
/** `info` of HKDF, whose salt is empty. */
const wrappingInfo = 'svc:key-envelope:v1';
/** `info` of HKDF for the salt of a content's hash. */
const saltInfo = 'svc:content-salt:v1';
export const keyBytes = 32;
const nonceBytes = 12;

export type Random = (bytes: number) => Uint8Array;

export interface Ciphertext {
  readonly nonce: Uint8Array;
  readonly ciphertext: Uint8Array;
  readonly tag: Uint8Array;
}

/** @param key 32 bytes */
export function encrypt(key: Uint8Array, plaintext: Uint8Array, random: Random): Ciphertext {
  const nonce = random(nonceBytes);
  const aes = createCipheriv('aes-256-gcm', key, nonce);
  const ciphertext = Buffer.concat([aes.update(plaintext), aes.final()]);
  return { nonce, ciphertext, tag: aes.getAuthTag() };
}

/** Undefined if the key is wrong or a byte was changed. */
export function decrypt(key: Uint8Array, { nonce, ciphertext, tag }: Ciphertext): Buffer | undefined {
  if (key.length !== keyBytes || nonce.length !== nonceBytes || tag.length !== 16) return undefined;
  const aes = createDecipheriv('aes-256-gcm', key, nonce);
  aes.setAuthTag(tag);
  try {
    return Buffer.concat([aes.update(ciphertext), aes.final()]);
  } catch {
    // The authentication tag doesn't match: the result is undefined.
    return undefined;
  }
}

/**
 * Derives the salt of a content's hash from the content's key. Without the key it is not possible to test guesses of
 * the content against the hash.
 */
export const contentSalt = (key: Uint8Array): Buffer =>
  Buffer.from(hkdfSync('sha256', key, Buffer.alloc(0), saltInfo, keyBytes));

export const saltedHash = (key: Uint8Array, content: Uint8Array): string =>
  createHash('sha256').update(contentSalt(key)).update(content).digest('hex');

export type Wrapped = {
  readonly algorithm: string;
  readonly senderPublicKeyHex: string;
  readonly nonceHex: string;
  readonly ciphertextHex: string;
  readonly tagHex: string;
};

export const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
export const hexBytes = (text: string): Buffer => Buffer.from(text, 'hex');

/**
 * Wraps a secret for one receiver; undefined if the receiver's key is of small order.
 * @param receiver 32 bytes
 */
export function wrap(secret: Uint8Array, receiver: Uint8Array, random: Random): Wrapped | undefined {
  const ephemeral = x25519Key(random(x25519Bytes));
  const key = wrappingKey(ephemeral, receiver);
  if (!key) return undefined;
  const { nonce, ciphertext, tag } = encrypt(key, secret, random);
  key.fill(0);
  return {
    algorithm: wrapping,
    senderPublicKeyHex: hex(x25519PublicBytes(ephemeral)),
    nonceHex: hex(nonce),
    ciphertextHex: hex(ciphertext),
    tagHex: hex(tag),
  };
}

/** Undefined if the secret was wrapped for another key, or changed. */
export function unwrap(wrapped: Wrapped, receiver: KeyObject): Buffer | undefined {
  const key = wrappingKey(receiver, hexBytes(wrapped.senderPublicKeyHex));
  if (!key) return undefined;
  const { nonceHex, ciphertextHex, tagHex } = wrapped;
  return decrypt(key, { nonce: hexBytes(nonceHex), ciphertext: hexBytes(ciphertextHex), tag: hexBytes(tagHex) });
}

function wrappingKey(own: KeyObject, other: Uint8Array): Buffer | undefined {
  const secret = agreement(own, other);
  if (!secret) return undefined;
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), wrappingInfo, keyBytes));
  secret.fill(0);
  return key;
}
