/**
 * Schemas of encrypted content and wrapped keys (docs/reference/markets.md#content). core/sealing.ts encrypts and
 * decrypts them.
 */
import * as a from '../../core/schema/shape.js';
import type { Wrapped } from '../../core/sealing.js';

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

const hex = { type: 'string', pattern: '^([0-9a-f]{2})*$' } as const;

export const envelopeSchema = a.named(
  'KeyEnvelope',
  a.object({
    algorithm: a.described(
      a.text,
      'X25519-HKDF-SHA256-AES-256-GCM: the AES key is HKDF-SHA256 (no salt, info `svc:key-envelope:v1`, 32 bytes) of ' +
        'what the X25519 keys of sender and receiver agree on.',
    ),
    senderPublicKeyHex: a.described(hex, 'X25519 public key, made for this envelope.'),
    nonceHex: a.described(hex, '12 bytes.'),
    ciphertextHex: a.described(hex, 'The secret, encrypted.'),
    tagHex: a.described(hex, '16 bytes.'),
  }),
);

export const sealedSchema = {
  description: 'The secrets of the delivery, each encrypted for the buyer’s X25519 key.',
  ...a.object(
    {},
    {
      keyEnvelope: a.described(envelopeSchema, 'The key of the content.'),
      accessTokenEnvelope: a.described(envelopeSchema, 'The access token.'),
      accessUrlEnvelope: a.described(envelopeSchema, 'The access URL.'),
    },
  ),
};

export const packageSchema = {
  description: 'The content, encrypted by the node; absent where the listing was published without `content.data`.',
  ...a.object({
    algorithm: a.described(a.text, 'AES-256-GCM.'),
    contentHash: a.described(a.hash, 'Hash of the plaintext.'),
    hashAlgorithm: a.described(a.oneOf(...hashAlgorithms), 'Algorithm of `contentHash`.'),
    size: a.described(a.count, 'Bytes of the plaintext.'),
    encoding: a.described(a.text, 'The encoding in which `data` was given.'),
    nonceHex: a.described(hex, '12 bytes.'),
    tagHex: a.described(hex, '16 bytes.'),
    ciphertextHash: a.described(a.hash, 'SHA-256 of the ciphertext, which is stored next to the journal.'),
    keptKey: a.described(envelopeSchema, 'The key of the content, encrypted for the seller.'),
  }),
};
