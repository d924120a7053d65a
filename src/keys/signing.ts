/**
 * Signers: whoever holds one can sign as its DID.
 *
 * Signatures are base58btc Ed25519 (decisions, 'Events and entries'), made by ed25519.ts.
 */
import { hkdfSync } from 'node:crypto';
import { assert } from '../machines/kernel/refusal.js';
import { encodeBase58 } from './base58.js';
import { type Did, didOf } from './did.js';
import { type PrivateKey, privateKeyOf, seedBytes } from './ed25519.js';

export interface Signer {
  readonly did: Did;
  /** base58btc of the 64 bytes. @param message a string stands for its UTF-8 bytes */
  sign(message: Uint8Array | string): string;
}

/** The `info` of the key that signs system entries, derived from the node's own (decisions, 'Events and entries'). */
export const systemKeyInfo = 'svc:system:v1';

export class SeedSigner implements Signer {
  readonly did: Did;
  #key: PrivateKey | undefined;

  /** @param seed 32 bytes, which stay the caller's to zeroise */
  constructor(seed: Uint8Array) {
    assert(seed.length === seedBytes, 'an Ed25519 seed has 32 bytes');
    this.#key = privateKeyOf(seed);
    this.did = didOf(this.#key.publicKey);
  }

  sign(message: Uint8Array | string): string {
    assert(this.#key, 'an erased signer signs nothing');
    return encodeBase58(this.#key.sign(typeof message === 'string' ? Buffer.from(message, 'utf8') : message));
  }

  /** Lends the 32-byte seed for the length of a synchronous call, and zeroises the copy behind it. */
  withSeed<T>(use: (seed: Uint8Array) => T): T {
    assert(this.#key, 'an erased signer has no seed');
    const seed = this.#key.copySeed();
    try {
      return use(seed);
    } finally {
      seed.fill(0);
    }
  }

  /** Lets go of the key for good: everyone who holds this signer can no longer sign. */
  erase(): void {
    this.#key?.erase();
    this.#key = undefined;
  }
}

/** @param seed 32 bytes, which stay the caller's to zeroise */
export const signerOf = (seed: Uint8Array): SeedSigner => new SeedSigner(seed);

/** HKDF-SHA256 without salt: 32 bytes that tell nothing about the seed. */
export const deriveSeed = (seed: Uint8Array, info: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', seed, new Uint8Array(0), info, seedBytes));

/**
 * A key of its own purpose that whoever can unlock the parent can make again.
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

/** 32 bytes for a key of another sort. The caller's to keep to itself. */
export function deriveKey(parent: Signer, info: string): Uint8Array {
  assert(parent instanceof SeedSigner, 'a key is derived from one that has a seed');
  return parent.withSeed((seed) => deriveSeed(seed, info));
}
