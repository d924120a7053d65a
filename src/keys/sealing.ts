/**
 * Encryption of content and of keys (decisions.md, Markets: Content). AES-256-GCM throughout; what is for one receiver is
 * wrapped under a key that an X25519 key made for this one envelope and the receiver's agree on.
 */
import { createCipheriv, createDecipheriv, hkdfSync, type KeyObject } from 'node:crypto';
import { agreement, x25519Bytes, x25519Key, x25519PublicBytes } from './x25519.js';

export const cipher = 'AES-256-GCM';
export const wrapping = 'X25519-HKDF-SHA256-AES-256-GCM';
/** HKDF's info; its salt is empty. */
const wrappingInfo = 'svc:key-envelope:v1';
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

/** Undefined where the key is another, or a byte was changed. */
export function decrypt(key: Uint8Array, { nonce, ciphertext, tag }: Ciphertext): Buffer | undefined {
  if (key.length !== keyBytes || nonce.length !== nonceBytes || tag.length !== 16) return undefined;
  const aes = createDecipheriv('aes-256-gcm', key, nonce);
  aes.setAuthTag(tag);
  try {
    return Buffer.concat([aes.update(ciphertext), aes.final()]);
  } catch {
    // The tag does not fit: the caller is told so by what is missing.
    return undefined;
  }
}

/** What `wrap` gives: hex throughout. */
export type Wrapped = {
  readonly algorithm: string;
  readonly senderPublicKeyHex: string;
  readonly nonceHex: string;
  readonly ciphertextHex: string;
  readonly tagHex: string;
};

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Buffer => Buffer.from(text, 'hex');

/** For the holder of an X25519 key only; undefined where that key is of small order. @param receiver 32 bytes */
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

/** Undefined where it was wrapped for another key, or changed. */
export function unwrap(wrapped: Wrapped, receiver: KeyObject): Buffer | undefined {
  const key = wrappingKey(receiver, bytes(wrapped.senderPublicKeyHex));
  if (!key) return undefined;
  const { nonceHex, ciphertextHex, tagHex } = wrapped;
  return decrypt(key, { nonce: bytes(nonceHex), ciphertext: bytes(ciphertextHex), tag: bytes(tagHex) });
}

function wrappingKey(own: KeyObject, other: Uint8Array): Buffer | undefined {
  const secret = agreement(own, other);
  if (!secret) return undefined;
  const key = Buffer.from(hkdfSync('sha256', secret, Buffer.alloc(0), wrappingInfo, keyBytes));
  secret.fill(0);
  return key;
}
