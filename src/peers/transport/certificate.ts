/**
 * The certificate by which a node proves its DID to peers: X.509 v3, self-signed with the node's Ed25519 key (RFC
 * 8410). It is deterministic: one key has exactly one certificate. A peer's certificate is therefore not parsed, but
 * compared with the one for its key.
 */
import { type KeyObject, verify as verifyBytes, type X509Certificate } from 'node:crypto';
import { type Did, didOf, publicKeyOf } from '../../core/codecs/did.js';
import { isSoundKey, publicKeyBytes } from '../../core/codecs/key-soundness.js';
import { peerIdOf } from '../../core/codecs/peer-id.js';
import { assert } from '../../core/refusal.js';
import { SeedSigner, type Signer } from '../../keys/signing.js';

const signatureBytes = 64;

/** Encodes DER: tag, length, content. No content here is longer than 65,535 bytes. */
function der(tag: number, ...content: readonly Uint8Array[]): Buffer {
  const length = content.reduce((sum, { length }) => sum + length, 0);
  const head = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Uint8Array.from([tag, ...head]), ...content]);
}

const sequence = (...content: readonly Uint8Array[]): Buffer => der(0x30, ...content);
const set = (...content: readonly Uint8Array[]): Buffer => der(0x31, ...content);
const explicit = (number: number, content: Uint8Array): Buffer => der(0xa0 + number, content);
const integer = (value: number): Buffer => der(0x02, Uint8Array.of(value));
const oid = (hex: string): Buffer => der(0x06, Buffer.from(hex, 'hex'));
const text = (value: string): Buffer => der(0x0c, Buffer.from(value, 'utf8'));
const utcTime = (value: string): Buffer => der(0x17, Buffer.from(value, 'ascii'));
const generalizedTime = (value: string): Buffer => der(0x18, Buffer.from(value, 'ascii'));
/** @param unused bits at the end of the last byte */
const bits = (bytes: Uint8Array, unused = 0): Buffer => der(0x03, Uint8Array.of(unused), bytes);
const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes);
const yes = der(0x01, Uint8Array.of(0xff));

const ed25519 = sequence(oid('2b6570'));
const commonName = oid('550403');
/** 2000 to 9999, because only the key matters and it does not expire. */
const validity = sequence(utcTime('000101000000Z'), generalizedTime('99991231235959Z'));

const extensions = sequence(
  // Basic constraints: no authority.
  sequence(oid('551d13'), yes, octets(sequence())),
  // Key usage: digital signature.
  sequence(oid('551d0f'), yes, octets(bits(Uint8Array.of(0x80), 7))),
  // Extended key usage: server and client.
  sequence(oid('551d25'), octets(sequence(oid('2b06010505070301'), oid('2b06010505070302')))),
);

/** The part of the certificate that the key signs. */
function unsigned(did: Did): Buffer {
  const name = sequence(set(sequence(commonName, text(peerIdOf(did)))));
  const key = sequence(ed25519, bits(publicKeyOf(did)));
  return sequence(explicit(0, integer(2)), integer(1), ed25519, name, validity, name, key, explicit(3, extensions));
}

const withSignature = (body: Buffer, signature: Uint8Array): Buffer => sequence(body, ed25519, bits(signature));

/** The DER bytes of the certificate of the signer's DID. */
export function certificateOf(signer: Signer): Buffer {
  const body = unsigned(signer.did);
  return withSignature(body, Buffer.from(signer.sign(body), 'base64url'));
}

/** The DID that a certificate proves; undefined for a certificate of any other form. Costs one signature check. */
export function didOfCertificate(certificate: X509Certificate): Did | undefined {
  const publicKey = keyIn(certificate);
  if (publicKey?.asymmetricKeyType !== 'ed25519') return undefined;
  const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-publicKeyBytes);
  if (!isSoundKey(key)) return undefined;
  const did = didOf(key);
  const body = unsigned(did);
  const signature = certificate.raw.subarray(-signatureBytes);
  if (!certificate.raw.equals(withSignature(body, signature))) return undefined;
  return verifyBytes(null, body, publicKey, signature) ? did : undefined;
}

function keyIn(certificate: X509Certificate): KeyObject | undefined {
  try {
    return certificate.publicKey;
  } catch {
    return undefined; // OpenSSL cannot decode the key
  }
}

const base64 = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/', 'ascii');
const pemHead = Buffer.from('-----BEGIN PRIVATE KEY-----\n', 'ascii');
const pemEnd = Buffer.from('\n-----END PRIVATE KEY-----\n', 'ascii');
/** PrivateKeyInfo before the 32 bytes of the seed (RFC 8410); with them 48 bytes, 64 characters of base64 without padding. */
const privateKeyHead = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The certificate as node:tls takes it. */
export const pemOf = (certificate: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${certificate.toString('base64').replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

/**
 * Passes the private key as PEM to a synchronous function, and erases it afterwards. PEM, because node:tls takes no key
 * object; a buffer, because a string cannot be erased.
 */
export function withPrivateKeyPem<T>(signer: Signer, use: (pem: Buffer) => T): T {
  assert(signer instanceof SeedSigner, 'TLS needs a signer that has a seed');
  return signer.withSeed((seed) => {
    const key = Buffer.concat([privateKeyHead, seed]);
    const pem = Buffer.alloc(pemHead.length + 64 + pemEnd.length);
    pemHead.copy(pem);
    pemEnd.copy(pem, pemHead.length + 64);
    try {
      for (let from = 0, to = pemHead.length; from < key.length; from += 3, to += 4) {
        const group = key.readUIntBE(from, 3);
        for (let n = 0; n < 4; n++) pem[to + n] = base64[(group >> (18 - 6 * n)) & 63]!;
      }
      return use(pem);
    } finally {
      key.fill(0);
      pem.fill(0);
    }
  });
}
