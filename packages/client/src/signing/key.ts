/** Keys that stay with the caller: Ed25519 to sign, X25519 to open what was encrypted for them. */
import { SigningError } from '../errors.js';
import { type Bytes, base58Of, concatenated, fromBase58, fromBase64, hexText } from './bytes.js';
import { type Argon2id, type KeyFileMembers, seedIn } from './key-file.js';

/** A key that never leaves its holder: in memory, in a key service, in hardware. */
export interface HeldKey {
  /** `did:svc:z6Mk…` of its public key. */
  readonly did: string;
  /** The 64 bytes of the Ed25519 signature. Messages have at most about 1 KiB. */
  sign(message: Uint8Array): Promise<Uint8Array> | Uint8Array;
  /** Opens what was encrypted for this DID; without it nothing encrypted can be bought. */
  readonly agreement?: AgreementKey;
}

export interface AgreementKey {
  /** X25519 public key, 32 bytes in hex. */
  readonly publicKeyHex: string;
  /** The 32 bytes that this key and another's public key agree on. */
  agree(publicKey: Uint8Array): Promise<Uint8Array> | Uint8Array;
}

/** Ed25519 and X25519, as WebCrypto has them. */
export interface KeyPairs {
  readonly signing: CryptoKeyPair;
  readonly agreement: CryptoKeyPair;
}

const ed25519Header = Uint8Array.of(0xed, 0x01);
/** The DER prefix of a private key before its 32 bytes (RFC 8410). */
const pkcs8 = (oid: number): Bytes =>
  Uint8Array.of(0x30, 0x2e, 0x02, 0x01, 0, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, oid, 0x04, 0x22, 0x04, 0x20);

export const didOfKey = (publicKey: Uint8Array): string =>
  `did:svc:z${base58Of(concatenated(ed25519Header, publicKey))}`;

/** The public key in a DID, 32 bytes. */
export const publicKeyIn = (did: string): Bytes =>
  fromBase58(did.slice('did:svc:z'.length)).slice(ed25519Header.length);

/** Whether this is the signature of the DID's key. @param sig base64url */
export async function isSignedBy(did: string, message: Bytes, sig: string): Promise<boolean> {
  const key = await crypto.subtle.importKey('raw', publicKeyIn(did), 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, fromBase64(sig), message);
}

const prime = 2n ** 255n - 19n;

/** The X25519 public key of a DID, hex: u = (1 + y) / (1 - y) (RFC 7748, 4.1). */
export function agreementKeyOf(did: string): string {
  const bytes = publicKeyIn(did);
  bytes[31]! &= 0x7f;
  const y = BigInt(`0x${hexText(bytes.reverse())}`);
  const u = ((1n + y) * power(mod(1n - y), prime - 2n)) % prime;
  return u.toString(16).padStart(64, '0').match(/../g)!.reverse().join('');
}

const mod = (value: bigint): bigint => ((value % prime) + prime) % prime;

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [square, rest] = [base, exponent]; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % prime;
    square = (square * square) % prime;
  }
  return result;
}

async function agreementFrom(privateKey: CryptoKey, publicKeyHex: string): Promise<AgreementKey> {
  return {
    publicKeyHex,
    async agree(publicKey) {
      const other = await crypto.subtle.importKey('raw', publicKey as Bytes, 'X25519', false, []);
      return new Uint8Array(await crypto.subtle.deriveBits({ name: 'X25519', public: other }, privateKey, 256));
    },
  };
}

const signerFrom = (did: string, key: CryptoKey, agreement: AgreementKey): HeldKey => ({
  did,
  agreement,
  sign: async (message) => new Uint8Array(await crypto.subtle.sign('Ed25519', key, message as Bytes)),
});

export const keys = {
  /** A new key. It lasts as long as the object. */
  generate: async (): Promise<HeldKey> => keys.fromPairs(await keys.pairs()),

  /** New keys whose secret bytes no script can read: a browser can keep them in IndexedDB. */
  async pairs(): Promise<KeyPairs> {
    const signing = (await crypto.subtle.generateKey('Ed25519', false, ['sign', 'verify'])) as CryptoKeyPair;
    const agreement = (await crypto.subtle.generateKey('X25519', false, ['deriveBits'])) as CryptoKeyPair;
    return { signing, agreement };
  },

  async fromPairs({ signing, agreement }: KeyPairs): Promise<HeldKey> {
    const raw = async (key: CryptoKey) => new Uint8Array(await crypto.subtle.exportKey('raw', key));
    const agreeing = await agreementFrom(agreement.privateKey, hexText(await raw(agreement.publicKey)));
    return signerFrom(didOfKey(await raw(signing.publicKey)), signing.privateKey, agreeing);
  },

  /** The key of a seed of 32 secret bytes: the same seed always gives the same DID. */
  async fromSeed(seed: Uint8Array): Promise<HeldKey> {
    if (seed.length !== 32) throw new SigningError('a seed has 32 bytes');
    const whole = concatenated(pkcs8(0x70), seed);
    const shown = await crypto.subtle.importKey('pkcs8', whole, 'Ed25519', true, ['sign']);
    const { x = '' } = await crypto.subtle.exportKey('jwk', shown);
    const key = await crypto.subtle.importKey('pkcs8', whole, 'Ed25519', false, ['sign']);
    const wide = new Uint8Array(await crypto.subtle.digest('SHA-512', seed as Bytes));
    const scalar = concatenated(pkcs8(0x6e), wide.subarray(0, 32));
    const agreeing = await crypto.subtle.importKey('pkcs8', scalar, 'X25519', false, ['deriveBits']);
    for (const secret of [whole, wide, scalar]) secret.fill(0);
    const did = didOfKey(fromBase64(x));
    return signerFrom(did, key, await agreementFrom(agreeing, agreementKeyOf(did)));
  },

  /** The key of a file that `svc-node key create` or `identity export` has written. */
  async fromFile(file: KeyFileMembers, passphrase: string, argon2id: Argon2id): Promise<HeldKey> {
    const seed = await seedIn(file, passphrase, argon2id);
    const key = await keys.fromSeed(seed);
    seed.fill(0);
    if (key.did !== file.did) throw new SigningError(`the key in the file is that of ${key.did}, not of ${file.did}`);
    return key;
  },
};
