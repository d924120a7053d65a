/**
 * The only function that verifies signatures, for API, peers and audit (docs/reference/identities.md#dids).
 * Signatures are Ed25519 in base64url (docs/reference/journal-format.md#signatures). The key is checked first. S >= L is
 * rejected and R is compared byte by byte, so only the signer can make a second valid signature of a message. An R of small
 * order is rejected: libsodium and OpenSSL of Node.js 24 do, that of Node.js 20 and 22 does not. libsodium is asked first
 * because it takes half the time; OpenSSL judges what it rejects (docs/decisions/0021).
 */
import { createPublicKey, type KeyObject, verify as verifyBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { isOfSmallOrder, isSoundKey, keyText, publicKeyBytes } from './key-soundness.js';
import { sodium } from './libsodium.js';

export { isSoundKey } from './key-soundness.js';

export const signatureBytes = 64;

/** The DER prefix of a SubjectPublicKeyInfo before the 32 bytes (RFC 8410). */
const spkiHeader = Buffer.from('302a300506032b6570032100', 'hex');

/** Caches OpenSSL's key objects, because creating one costs as much as verifying. Only checked keys are stored. */
const keyObjects = new LRUCache<string, KeyObject>({ max: 10_000 });

const signatureForm = /^[A-Za-z0-9_-]{86}$/;

/** The 64 bytes in base64url, without padding: 86 characters. */
export const signatureText = ({ buffer, byteOffset, byteLength }: Uint8Array): string =>
  Buffer.from(buffer, byteOffset, byteLength).toString('base64url');

/** The bytes of a signature; undefined for any text but the one that encodes them. */
function signatureOf(text: string): Uint8Array | undefined {
  if (!signatureForm.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.toString('base64url') === text ? bytes : undefined;
}

/**
 * Whether `signature` is a signature of `message` by the holder of `publicKey`. Never throws on malformed input.
 * @param publicKey 32 bytes; the result is false for any other length
 * @param message a string stands for its UTF-8 bytes
 * @param signature base64url of 64 bytes, or the bytes
 */
export function verify(
  publicKey: Uint8Array,
  message: Uint8Array | string,
  signature: string | Uint8Array | undefined,
): boolean {
  const bytes = typeof signature === 'string' ? signatureOf(signature) : signature;
  if (bytes?.length !== signatureBytes) return false;
  if (!isSoundKey(publicKey)) return false;
  const text = typeof message === 'string' ? Buffer.from(message, 'utf8') : message;
  return (
    sodium?.crypto_sign_verify_detached(bytes, text, publicKey) ||
    (!isOfSmallOrder(bytes.subarray(0, publicKeyBytes)) && verifyBytes(null, text, keyObjectOf(publicKey), bytes))
  );
}

function keyObjectOf(publicKey: Uint8Array): KeyObject {
  const text = keyText(publicKey);
  const known = keyObjects.get(text);
  if (known) return known;
  const key = createPublicKey({ key: Buffer.concat([spkiHeader, publicKey]), format: 'der', type: 'spki' });
  keyObjects.set(text, key);
  return key;
}
