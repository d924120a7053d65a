/**
 * Capability credentials (docs/reference/identities.md#capability-credentials): W3C VC data model, with a Data
 * Integrity proof `eddsa-jcs-2022`. The node verifies a proof that is present, and otherwise adds one.
 */
import { createHash } from 'node:crypto';
import { canonical, isJsonObject, type Json, type JsonObject } from '../../core/canonical.js';
import { decodeBase58, encodeBase58 } from '../../core/codecs/base58.js';
import { parseDid, publicKeyOf } from '../../core/codecs/did.js';
import { verify } from '../../core/codecs/signature-check.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';

const flaw = (field: string, message: string): Refusal =>
  refuse('CAPABILITY_INVALID', `credential.${field}: ${message}`, {
    errors: [{ field: `credential.${field}`, message }],
  });

/** Epoch ms of a time with an offset; undefined if it is none. */
function timeOf(value: Json | undefined): number | undefined {
  const parsed = typeof value === 'string' ? is.parse(is.time, value) : undefined;
  return typeof parsed === 'number' ? parsed : undefined;
}

/** Why a member, if present, is not a time after `now`. */
function endFlaw(name: string, value: Json | undefined, now: number): Refusal | undefined {
  if (value === undefined) return undefined;
  const at = timeOf(value);
  if (at === undefined) return flaw(name, 'must be a time with an offset: 2030-01-01T00:00:00Z');
  return at <= now ? flaw(name, 'has passed already') : undefined;
}

/** The end of a credential in the data models 2.0 and 1.1. */
const ends = ['validUntil', 'expirationDate'] as const;

/** Whether a stored credential has expired, by itself or by its proof. */
export function isExpired(credential: JsonObject, now: number): boolean {
  const { proof } = credential;
  const times = [...ends.map((name) => credential[name]), isJsonObject(proof) ? proof.expires : undefined];
  return times.some((time) => (timeOf(time) ?? Number.POSITIVE_INFINITY) <= now);
}

export function credentialFlaw(did: string, credential: JsonObject, now: number): Refusal | undefined {
  const { type, issuer, credentialSubject } = credential;
  const types = Array.isArray(type) ? (type as readonly Json[]) : [];
  if (!types.every((each) => typeof each === 'string')) return flaw('type', 'must be a list of strings');
  for (const needed of ['VerifiableCredential', 'CapabilityCredential']) {
    if (!types.includes(needed)) return flaw('type', `must contain ${needed}`);
  }
  const issuerId = isJsonObject(issuer) ? issuer.id : issuer;
  if (typeof issuerId !== 'string' || parseDid(issuerId) !== did)
    return flaw('issuer', 'must be the DID that the credential is for');
  if (!isJsonObject(credentialSubject)) return flaw('credentialSubject', 'must be an object');
  const subject = credentialSubject.id;
  if (subject !== undefined && (typeof subject !== 'string' || parseDid(subject) !== did)) {
    return flaw('credentialSubject.id', 'must be the DID that the credential is for');
  }
  return ends.map((name) => endFlaw(name, credential[name], now)).find((each) => each !== undefined);
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest();

/** The bytes that an eddsa-jcs-2022 proof signs: the hashes of its configuration and of the unsecured document. */
export function proofBytes(unsecured: JsonObject, proof: JsonObject): Uint8Array {
  const { proofValue: _, ...configuration } = proof;
  return Buffer.concat([sha256(canonical(configuration)), sha256(canonical(unsecured))]);
}

const verificationMethodOf = (did: string): string => `${did}#${did.slice('did:svc:'.length)}`;

/** The configuration of a proof that the node creates for the holder. */
export const proofConfiguration = (did: string, credential: JsonObject, created: number): JsonObject => ({
  type: 'DataIntegrityProof',
  cryptosuite: 'eddsa-jcs-2022',
  created: new Date(created).toISOString().replace(/\.\d+Z$/, 'Z'),
  verificationMethod: verificationMethodOf(did),
  proofPurpose: 'assertionMethod',
  ...(credential['@context'] === undefined ? {} : { '@context': credential['@context'] }),
});

/** The `proofValue` of a signature: multibase base58btc. @param signature base64url */
export const proofValueOf = (signature: string): string => `z${encodeBase58(Buffer.from(signature, 'base64url'))}`;

/** Whether it is the one key of the DID, in either spelling: `<DID>#<key>`. */
function isMethodOf(did: string, method: Json | undefined): boolean {
  const [holder = '', key = '', ...more] = typeof method === 'string' ? method.split('#') : [];
  return more.length === 0 && parseDid(holder) === did && parseDid(`did:svc:${key}`) === did;
}

/** Verifies the proof over the credential as it was received. */
export function proofFlaw(did: string, credential: JsonObject, now: number): Refusal | undefined {
  const { proof, ...unsecured } = credential;
  if (!isJsonObject(proof)) return flaw('proof', 'must be one Data Integrity proof');
  if (proof.type !== 'DataIntegrityProof' || proof.cryptosuite !== 'eddsa-jcs-2022') {
    return flaw('proof', 'must be a DataIntegrityProof of eddsa-jcs-2022');
  }
  if (proof.proofPurpose !== 'assertionMethod') return flaw('proof.proofPurpose', 'must be assertionMethod');
  if (!isMethodOf(did, proof.verificationMethod))
    return flaw('proof.verificationMethod', 'must be a key of the issuer');
  if (proof.created !== undefined && timeOf(proof.created) === undefined) {
    return flaw('proof.created', 'must be a time with an offset: 2026-01-01T00:00:00Z');
  }
  const expired = endFlaw('proof.expires', proof.expires, now);
  if (expired) return expired;
  const context = proof['@context'];
  if (context !== undefined && canonical(context) !== canonical(unsecured['@context'] ?? null)) {
    return flaw('proof.@context', 'must be that of the credential');
  }
  const value = proof.proofValue;
  if (typeof value !== 'string' || !value.startsWith('z'))
    return flaw('proof.proofValue', 'must be base58btc with its z');
  return verify(publicKeyOf(did), proofBytes(unsecured, proof), decodeBase58(value.slice(1)))
    ? undefined
    : flaw('proof.proofValue', 'does not verify');
}
