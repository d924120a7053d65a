/**
 * Ed25519 private keys: by libsodium, which signs in half of OpenSSL's time, in memory that is locked, fenced and
 * left out of core dumps; where its package has no binary (musl), by node:crypto, in OpenSSL's memory. Both make the
 * same signatures (RFC 8032 leaves no choice), and no copy of a seed stays on the JavaScript heap.
 */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { createRequire } from 'node:module';

/** What is used of sodium-native. */
interface Sodium {
  sodium_malloc(bytes: number): Buffer;
  sodium_memzero(secret: Uint8Array): void;
  crypto_sign_seed_keypair(publicKey: Uint8Array, secretKey: Uint8Array, seed: Uint8Array): void;
  crypto_sign_detached(signature: Uint8Array, message: Uint8Array, secretKey: Uint8Array): void;
}

export interface PrivateKey {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** 64 bytes, the caller's own. */
  sign(message: Uint8Array): Buffer;
  /** 32 bytes, the caller's own to zeroise. */
  copySeed(): Buffer;
  /** The key is used no more. */
  erase(): void;
}

export const seedBytes = 32;
const signatureBytes = 64;
/** Seed and public key, as libsodium wants them. */
const secretKeyBytes = 64;
/** One page of memory: locked memory is scarce, and a page costs four with its fences. */
const slabBytes = 4096;

/** Places for secret keys: zeroised when a key is erased, and when nobody holds it any more. */
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

/** RFC 8410: what stands before the 32 bytes in a DER PrivateKeyInfo. */
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

  /** OpenSSL cleanses it once it is collected. */
  erase(): void {}
}

function loadSodium(): Sodium | undefined {
  try {
    return createRequire(import.meta.url)('sodium-native');
  } catch {
    return undefined;
  }
}

const sodium = loadSodium();
const places = sodium && new SecretPlaces(sodium);

/** Who signs here. */
export const signedBy = sodium ? 'libsodium' : 'OpenSSL';

/** @param seed 32 bytes, which stay the caller's to zeroise */
export const privateKeyOf = (seed: Uint8Array): PrivateKey =>
  sodium && places ? new SodiumKey(seed, sodium, places) : new OpensslKey(seed);
