/**
 * How content and keys look once they are encrypted (docs/reference/markets.md#content). Shapes only: keys/sealing.ts
 * makes and opens them.
 */
import * as a from '../../core/schema/shape.js';

/** What only the holder of an X25519 key can open; hex throughout. */
export type Envelope = {
  readonly algorithm: string;
  /** The sender's key, made for this one envelope. */
  readonly senderPublicKeyHex: string;
  readonly nonceHex: string;
  readonly ciphertextHex: string;
  readonly tagHex: string;
};

/** What a delivery hands over, each wrapped for the buyer. */
export interface Sealed {
  readonly keyEnvelope?: Envelope | undefined;
  readonly accessTokenEnvelope?: Envelope | undefined;
  readonly accessUrlEnvelope?: Envelope | undefined;
}

/** `SHA-256-SALTED`: of the salt, which is derived from the content's key, and the content behind it. */
export const hashAlgorithms = ['SHA-256', 'SHA-256-SALTED'] as const;
export type HashAlgorithm = (typeof hashAlgorithms)[number];

/** The encrypted content of a listing, as its context names it. */
export type Package = {
  readonly algorithm: string;
  /** Of the content, in the clear. */
  readonly contentHash: string;
  /** How `contentHash` is made; absent, in listings of the first release: SHA-256 of the content alone. */
  readonly hashAlgorithm?: HashAlgorithm;
  /** Bytes of the content. */
  readonly size: number;
  /** How text stands for it: what `data` was given in. */
  readonly encoding: string;
  readonly nonceHex: string;
  readonly tagHex: string;
  /** SHA-256 of the ciphertext, which lies beside the journal. */
  readonly ciphertextHash: string;
  /** The content's key, wrapped for the seller. */
  readonly keptKey: Envelope;
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
    ciphertextHex: hex,
    tagHex: a.described(hex, '16 bytes.'),
  }),
);
