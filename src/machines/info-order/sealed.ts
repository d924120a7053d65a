/**
 * Schemas of encrypted content and wrapped keys (docs/reference/markets.md#content). core/sealing.ts encrypts and
 * decrypts them.
 */
import * as is from '../../core/schema/scalar.js';
import * as a from '../../core/schema/shape.js';
import { cipher, type Wrapped, wrapping } from '../../core/sealing.js';

/** Bytes of the largest content that comes with its listing. */
export const inlineBytes = 750 * 1024;

export interface Sealed {
  readonly keyEnvelope?: Wrapped | undefined;
  readonly accessTokenEnvelope?: Wrapped | undefined;
  readonly accessUrlEnvelope?: Wrapped | undefined;
}

/** `SHA-256-SALTED` hashes a salt, which is derived from the content's key, followed by the content. */
export const hashAlgorithms = ['SHA-256', 'SHA-256-SALTED'] as const;
export type HashAlgorithm = (typeof hashAlgorithms)[number];

export type Package = {
  readonly algorithm: string;
  /** Hash of the plaintext. */
  readonly contentHash: string;
  /** The algorithm of `contentHash`; absent in listings of the first release: SHA-256 of the content alone. */
  readonly hashAlgorithm?: HashAlgorithm;
  /** Size of the plaintext in bytes. */
  readonly size: number;
  /** The encoding in which `data` was given. */
  readonly encoding: string;
  readonly nonceHex: string;
  readonly tagHex: string;
  /** SHA-256 of the ciphertext, which is stored next to the journal. */
  readonly ciphertextHash: string;
  readonly keptKey: Wrapped;
};

const hex = (pattern: RegExp) => is.pattern(pattern, 'lower-case hexadecimal digits');
const hexOf16 = hex(/^[0-9a-f]{32}$/);
const hexOf12 = hex(/^[0-9a-f]{24}$/);
const hexOf32 = hex(/^[0-9a-f]{64}$/);
const someHex = hex(/^([0-9a-f]{2})*$/);

/** Bytes of the longest secret that a delivery may seal: the credentials of a lease. */
const longestSecret = 20_000;

export const envelope: is.Scalar<Wrapped> = is.object({
  algorithm: is.described(
    is.oneOf(wrapping),
    'X25519-HKDF-SHA256-AES-256-GCM: the AES key is HKDF-SHA256 (no salt, info `svc:key-envelope:v1`, 32 bytes) of ' +
      'what the X25519 keys of sender and receiver agree on.',
  ),
  senderPublicKeyHex: is.described(hexOf32, 'X25519 public key, made for this envelope.'),
  nonceHex: is.described(hexOf12, '12 bytes.'),
  ciphertextHex: is.described(is.atMostBytes(someHex, 2 * longestSecret), 'The secret, encrypted.'),
  tagHex: is.described(hexOf16, '16 bytes.'),
});

export const envelopeSchema = a.named('KeyEnvelope', a.outgoing(envelope.schema));

export const sealed: is.Scalar<Sealed> = is.described(
  is.object({
    keyEnvelope: is.optional(envelope, 'The key of the content.'),
    accessTokenEnvelope: is.optional(envelope, 'The access token.'),
    accessUrlEnvelope: is.optional(envelope, 'The access URL.'),
  }),
  'The secrets of the delivery, each encrypted for the buyer’s X25519 key.',
);

export const contentPackage: is.Scalar<Package> = is.described(
  is.object({
    algorithm: is.described(is.oneOf(cipher), 'AES-256-GCM.'),
    contentHash: is.described(is.hash, 'Hash of the plaintext.'),
    hashAlgorithm: is.described(is.oneOf('SHA-256-SALTED'), 'Algorithm of `contentHash`.'),
    size: is.described(is.integer(0, inlineBytes), 'Bytes of the plaintext.'),
    encoding: is.described(is.oneOf('utf8', 'base64', 'hex'), 'The encoding in which `data` was given.'),
    nonceHex: is.described(hexOf12, '12 bytes.'),
    tagHex: is.described(hexOf16, '16 bytes.'),
    ciphertextHash: is.described(is.hash, 'SHA-256 of the ciphertext, which is stored next to the journal.'),
    keptKey: is.described(envelope, 'The key of the content, encrypted for the seller.'),
  }),
  'The content, encrypted; absent where the listing was published without `content.data`.',
);
