/** libsodium from `sodium-native`, which has no binary for some platforms (musl). */
import { createRequire } from 'node:module';

/** The functions of sodium-native that are used. */
export interface Sodium {
  sodium_malloc(bytes: number): Buffer;
  sodium_memzero(secret: Uint8Array): void;
  crypto_sign_seed_keypair(publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array): void;
  crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void;
  crypto_sign_verify_detached(signature: Uint8Array, message: Uint8Array, publicKey: Uint8Array): boolean;
}

function load(): Sodium | undefined {
  try {
    return createRequire(import.meta.url)('sodium-native');
  } catch {
    return undefined;
  }
}

/** Undefined where the package has no binary. */
export const sodium = load();
