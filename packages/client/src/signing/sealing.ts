/** Encrypts for a DID, and opens what was encrypted for one (docs/reference/markets.md#content). */
import { type Bytes, fromHex, hexOf, joined, randomBytes, sha256Hex, utf8 } from './bytes.js';
import type { AgreementKey } from './key.js';

/** A secret, encrypted for one X25519 key. */
export interface KeyEnvelopeMembers {
  readonly algorithm: string;
  readonly senderPublicKeyHex: string;
  readonly nonceHex: string;
  readonly ciphertextHex: string;
  readonly tagHex: string;
}

const tagBytes = 16;

async function derived(secret: Uint8Array, info: string): Promise<Bytes> {
  const base = await crypto.subtle.importKey('raw', secret as Bytes, 'HKDF', false, ['deriveBits']);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: utf8(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(how, base, 256));
}

const aes = (key: Uint8Array, use: 'encrypt' | 'decrypt') =>
  crypto.subtle.importKey('raw', key as Bytes, 'AES-GCM', false, [use]);

async function encrypted(key: Uint8Array, plain: Uint8Array) {
  const nonce = randomBytes(12);
  const sealed = new Uint8Array(
    await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, await aes(key, 'encrypt'), plain as Bytes),
  );
  return { nonce, ciphertext: sealed.slice(0, -tagBytes), tag: sealed.slice(-tagBytes) };
}

async function decrypted(key: Uint8Array, nonce: Bytes, sealed: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce }, await aes(key, 'decrypt'), sealed));
}

const wrappingInfo = 'svc:key-envelope:v1';

/** @param receiverHex X25519 public key */
export async function wrapped(secret: Uint8Array, receiverHex: string): Promise<KeyEnvelopeMembers> {
  const pair = (await crypto.subtle.generateKey('X25519', false, ['deriveBits'])) as CryptoKeyPair;
  const receiver = await crypto.subtle.importKey('raw', fromHex(receiverHex), 'X25519', false, []);
  const agreed = await crypto.subtle.deriveBits({ name: 'X25519', public: receiver }, pair.privateKey, 256);
  const { nonce, ciphertext, tag } = await encrypted(await derived(new Uint8Array(agreed), wrappingInfo), secret);
  const sender = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  return {
    algorithm: 'X25519-HKDF-SHA256-AES-256-GCM',
    senderPublicKeyHex: hexOf(sender),
    nonceHex: hexOf(nonce),
    ciphertextHex: hexOf(ciphertext),
    tagHex: hexOf(tag),
  };
}

/** @throws if it was encrypted for another key, or changed */
export async function unwrapped(envelope: KeyEnvelopeMembers, key: AgreementKey): Promise<Bytes> {
  const agreed = await key.agree(fromHex(envelope.senderPublicKeyHex));
  const sealed = joined(fromHex(envelope.ciphertextHex), fromHex(envelope.tagHex));
  return decrypted(await derived(agreed, wrappingInfo), fromHex(envelope.nonceHex), sealed);
}

/** A content encrypted under a new key, which is wrapped for its seller. @param receiverHex the seller's X25519 key */
export async function packaged(content: Bytes, encoding: string, receiverHex: string) {
  const key = randomBytes(32);
  const { nonce, ciphertext, tag } = await encrypted(key, content);
  const salt = await derived(key, 'svc:content-salt:v1');
  return {
    contentKeyHex: hexOf(key),
    ciphertext,
    package: {
      algorithm: 'AES-256-GCM',
      contentHash: await sha256Hex(joined(salt, content)),
      hashAlgorithm: 'SHA-256-SALTED',
      size: content.length,
      encoding,
      nonceHex: hexOf(nonce),
      tagHex: hexOf(tag),
      ciphertextHash: await sha256Hex(ciphertext),
      keptKey: { ...(await wrapped(key, receiverHex)) },
    },
  };
}
