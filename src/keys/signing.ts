/**
 * Signers: the holder of a signer can sign as its DID.
 *
 * Signatures are Ed25519 in base64url (docs/reference/journal-format.md#signatures), made by ed25519.ts.
 */
import { createHash, hkdfSync, type KeyObject } from 'node:crypto';
import { type Did, didOf } from '../core/codecs/did.js';
import { type PrivateKey, privateKeyOf, seedBytes } from '../core/codecs/ed25519.js';
import { signatureText } from '../core/codecs/signature-check.js';
import { x25519Bytes, x25519Key } from '../core/codecs/x25519.js';
import { assert } from '../core/refusal.js';

export interface Signer {
  readonly did: Did;
  /** base64url of the 64 bytes. @param message a string stands for its UTF-8 bytes */
  sign(message: Uint8Array | string): string;
}

/**
 * The `info` of the key that signs system entries, derived from the node's own
 * (docs/reference/journal-format.md#system-keys).
 */
export const systemKeyInfo = 'svc:system:v1';

export class SeedSigner implements Signer {
  readonly did: Did;
  #key: PrivateKey | undefined;

  /** @param seed 32 bytes, which the caller must zeroise */
  constructor(seed: Uint8Array) {
    assert(seed.length === seedBytes, 'an Ed25519 seed has 32 bytes');
    this.#key = privateKeyOf(seed);
    this.did = didOf(this.#key.publicKey);
  }

  sign(message: Uint8Array | string): string {
    assert(this.#key, 'an erased signer signs nothing');
    return signatureText(this.#key.sign(typeof message === 'string' ? Buffer.from(message, 'utf8') : message));
  }

  /** Passes the 32-byte seed to a synchronous function, and erases the copy after it. */
  withSeed<T>(use: (seed: Uint8Array) => T): T {
    assert(this.#key, 'an erased signer has no seed');
    const seed = this.#key.copySeed();
    try {
      return use(seed);
    } finally {
      seed.fill(0);
    }
  }

  /** Erases the key; this signer can no longer sign, wherever it is used. */
  erase(): void {
    this.#key?.erase();
    this.#key = undefined;
  }
}

/** @param seed 32 bytes, which the caller must zeroise */
export const signerOf = (seed: Uint8Array): SeedSigner => new SeedSigner(seed);

/** HKDF-SHA256 without salt: 32 bytes that reveal nothing about the seed. */
export const deriveSeed = (seed: Uint8Array, info: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', seed, new Uint8Array(0), info, seedBytes));

/**
 * Derives a signer for one purpose; the holder of the parent key can derive it again.
 * @example deriveSigner(nodeSigner, systemKeyInfo)
 */
export function deriveSigner(parent: Signer, info: string): SeedSigner {
  assert(parent instanceof SeedSigner, 'a signer is derived from one that has a seed');
  return parent.withSeed((seed) => {
    const derived = deriveSeed(seed, info);
    const signer = signerOf(derived);
    derived.fill(0);
    return signer;
  });
}

/** Derives 32 bytes for a key of another type. The caller keeps them secret. */
export function deriveKey(parent: Signer, info: string): Uint8Array {
  assert(parent instanceof SeedSigner, 'a key is derived from one that has a seed');
  return parent.withSeed((seed) => deriveSeed(seed, info));
}

/** The X25519 private key of a DID: the first half of SHA-512 of the seed, clamped when it is used. */
export function x25519KeyOf(signer: Signer): KeyObject {
  assert(signer instanceof SeedSigner, 'an agreement needs a signer that has a seed');
  return signer.withSeed((seed) => {
    const wide = createHash('sha512').update(seed).digest();
    const key = x25519Key(wide.subarray(0, x25519Bytes));
    wide.fill(0);
    return key;
  });
}
