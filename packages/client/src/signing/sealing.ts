/** Encrypts for a DID, and opens what was encrypted for one (docs/reference/markets.md#content). */
import { type Bytes, concatenated, fromHex, hashHex, hexText, utf8 } from './bytes.js';
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

export type DrawBytes = (bytes: number) => Bytes;

async function derived(secret: Uint8Array, info: string): Promise<Bytes> {
  const base = await crypto.subtle.importKey('raw', secret as Bytes, 'HKDF', false, ['deriveBits']);
  const how = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info: utf8(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(how, base, 256));
}

const aes = (key: Uint8Array, use: 'encrypt' | 'decrypt') =>
  crypto.subtle.importKey('raw', key as Bytes, 'AES-GCM', false, [use]);

async function encrypted(key: Uint8Array, plain: Uint8Array, random: DrawBytes) {
  const nonce = random(12);
  const sealed = new Uint8Array(
    await crypto.subtle.encrypt({ name: 'AES-GCM', iv: nonce }, await aes(key, 'encrypt'), plain as Bytes),
  );
  return { nonce, ciphertext: sealed.slice(0, -tagBytes), tag: sealed.slice(-tagBytes) };
}

export async function decrypted(key: Uint8Array, nonce: Bytes, sealed: Bytes): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-GCM', iv: nonce }, await aes(key, 'decrypt'), sealed));
}

/** Of the content's hash: without the key it is not possible to test guesses of the content. */
export const saltOf = (key: Uint8Array): Promise<Bytes> => derived(key, 'svc:content-salt:v1');

const wrappingInfo = 'svc:key-envelope:v1';

/** @param receiverHex X25519 public key */
export async function wrapped(secret: Uint8Array, receiverHex: string, random: DrawBytes): Promise<KeyEnvelopeMembers> {
  const pair = (await crypto.subtle.generateKey('X25519', false, ['deriveBits'])) as CryptoKeyPair;
  const receiver = await crypto.subtle.importKey('raw', fromHex(receiverHex), 'X25519', false, []);
  const agreed = await crypto.subtle.deriveBits({ name: 'X25519', public: receiver }, pair.privateKey, 256);
  const { nonce, ciphertext, tag } = await encrypted(
    await derived(new Uint8Array(agreed), wrappingInfo),
    secret,
    random,
  );
  const sender = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  return {
    algorithm: 'X25519-HKDF-SHA256-AES-256-GCM',
    senderPublicKeyHex: hexText(sender),
    nonceHex: hexText(nonce),
    ciphertextHex: hexText(ciphertext),
    tagHex: hexText(tag),
  };
}

/** @throws if it was encrypted for another key, or changed */
export async function unwrapped(envelope: KeyEnvelopeMembers, key: AgreementKey): Promise<Bytes> {
  const agreed = await key.agree(fromHex(envelope.senderPublicKeyHex));
  const sealed = concatenated(fromHex(envelope.ciphertextHex), fromHex(envelope.tagHex));
  return decrypted(await derived(agreed, wrappingInfo), fromHex(envelope.nonceHex), sealed);
}

/** A content encrypted under a new key, which is wrapped for its seller. @param receiverHex the seller's X25519 key */
export async function packaged(content: Bytes, encoding: string, receiverHex: string, random: DrawBytes) {
  const key = random(32);
  const { nonce, ciphertext, tag } = await encrypted(key, content, random);
  const salt = await saltOf(key);
  return {
    contentKeyHex: hexText(key),
    ciphertext,
    package: {
      algorithm: 'AES-256-GCM',
      contentHash: await hashHex(concatenated(salt, content)),
      hashAlgorithm: 'SHA-256-SALTED',
      size: content.length,
      encoding,
      nonceHex: hexText(nonce),
      tagHex: hexText(tag),
      ciphertextHash: await hashHex(ciphertext),
      keptKey: { ...(await wrapped(key, receiverHex, random)) },
    },
  };
}
