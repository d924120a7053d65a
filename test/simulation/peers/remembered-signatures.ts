/**
 * Remembers what was signed, because all homes of a history check the same signatures. Any other signature is verified as ever.
 */
import { type Sodium, sodium } from '../../../src/core/codecs/libsodium.js';

type Signing = Pick<Sodium, 'crypto_sign_detached' | 'crypto_sign_verify_detached'>;

const publicKeyBytes = 32;

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');

/** A signature has one length, and so has a key. */
const keyOf = (signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): string =>
  latin1(signature) + latin1(publicKey) + latin1(message);

/** Runs a history. What it signs is remembered until it ends. */
export async function withRememberedSignatures<T>(run: () => Promise<T>): Promise<T> {
  if (!sodium) return run();
  const { crypto_sign_detached, crypto_sign_verify_detached } = sodium;
  const signed = new Set<string>();
  const remembering: Signing = {
    crypto_sign_detached(signature, message, secretKey) {
      crypto_sign_detached(signature, message, secretKey);
      // libsodium's secret key ends with the public one.
      signed.add(keyOf(signature, message, secretKey.subarray(-publicKeyBytes)));
    },
    crypto_sign_verify_detached: (signature, message, publicKey) =>
      signed.has(keyOf(signature, message, publicKey)) || crypto_sign_verify_detached(signature, message, publicKey),
  };
  Object.assign(sodium, remembering);
  try {
    return await run();
  } finally {
    Object.assign(sodium, { crypto_sign_detached, crypto_sign_verify_detached });
  }
}
