/**
 * Ed25519 private keys. libsodium signs in half of OpenSSL's time and keeps keys in locked memory that is excluded
 * from core dumps. Where its package has no binary (musl), node:crypto is used. Both give the same signatures (RFC
 * 8032), and no seed stays on the JavaScript heap.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { type Sodium, sodium } from './libsodium.js';

export interface PrivateKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Returns 64 bytes, owned by the caller. */
  sign(message: Uint8Array): Buffer;
  /** Returns 32 bytes that the caller must zeroise. */
  copySeed(): Buffer;
  erase(): void;
}

export const seedBytes = 32;
const signatureBytes = 64;
/** Seed and public key, the form that libsodium takes. */
const secretKeyBytes = 64;
/** One page: locked memory is scarce, and each page needs guard pages. */
const slabBytes = 4096;

/** Slots for secret keys in locked memory. A slot is zeroised when its key is erased or garbage-collected. */
class SecretPlaces {
  readonly #free: Buffer[] = [];
  readonly #forgotten = new FinalizationRegistry((place: Buffer) => this.#giveBack(place));

  constructor(private readonly sodium: Sodium) {}

  takeFor(holder: object): Buffer {
    if (this.#free.length === 0) {
      const slab = this.sodium.sodium_malloc(slabBytes);
      for (let at = 0; at < slabBytes; at += secretKeyBytes) this.#free.push(slab.subarray(at, at + secretKeyBytes));
    }
    const place = this.#free.pop()!;
    this.#forgotten.register(holder, place, holder);
    return place;
  }

  giveBack(holder: object, place: Buffer): void {
    this.#forgotten.unregister(holder);
    this.#giveBack(place);
  }

  #giveBack(place: Buffer): void {
    this.sodium.sodium_memzero(place);
    this.#free.push(place);
  }
}

export class SodiumKey implements PrivateKey {
  readonly publicKey = Buffer.alloc(32);
  readonly #secret: Buffer;

  constructor(
    seed: Uint8Array,
    private readonly sodium: Sodium,
    private readonly places: SecretPlaces,
  ) {
    this.#secret = places.takeFor(this);
    sodium.crypto_sign_seed_keypair(this.publicKey, this.#secret, seed);
  }

  sign(message: Uint8Array): Buffer {
    const signature = Buffer.allocUnsafe(signatureBytes);
    this.sodium.crypto_sign_detached(signature, message, this.#secret);
    return signature;
  }

  copySeed(): Buffer {
    return Buffer.from(this.#secret.subarray(0, seedBytes));
  }

  erase(): void {
    this.places.giveBack(this, this.#secret);
  }
}

/** The DER prefix of a PrivateKeyInfo before the 32 bytes (RFC 8410). */
const pkcs8Header = Buffer.from('302e020100300506032b657004220420', 'hex');

export class OpensslKey implements PrivateKey {
  readonly publicKey: Uint8Array;
  readonly #key: KeyObject;

  constructor(seed: Uint8Array) {
    const der = Buffer.concat([pkcs8Header, seed]);
    this.#key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    der.fill(0);
    this.publicKey = createPublicKey(this.#key).export({ format: 'der', type: 'spki' }).subarray(-32);
  }

  sign(message: Uint8Array): Buffer {
    return sign(null, message, this.#key);
  }

  copySeed(): Buffer {
    return this.#key.export({ format: 'der', type: 'pkcs8' }).subarray(-seedBytes);
  }

  /** OpenSSL erases the key when it is garbage-collected. */
  erase(): void {}
}

const places = sodium && new SecretPlaces(sodium);

/** @param seed 32 bytes, which the caller must zeroise */
export const privateKeyOf = (seed: Uint8Array): PrivateKey =>
  sodium && places ? new SodiumKey(seed, sodium, places) : new OpensslKey(seed);
