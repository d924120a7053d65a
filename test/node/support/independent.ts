/**
 * The promises of docs/reference computed without any code of the node: base58btc, RFC 8785, Ed25519, DIDs, addresses. It shows
 * a mistake that the node's signer and verifier share.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import type { Body } from './client.js';

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

export function base58(bytes: Uint8Array): string {
  let value = BigInt(`0x0${Buffer.from(bytes).toString('hex')}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = alphabet[Number(value % 58n)] + text;
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}

export function fromBase58(text: string): Buffer {
  let value = 0n;
  for (const letter of text) value = value * 58n + BigInt(alphabet.indexOf(letter));
  const hex = value === 0n ? '' : value.toString(16);
  const zeros = /^1*/.exec(text)![0].length;
  return Buffer.concat([Buffer.alloc(zeros), Buffer.from(hex.length % 2 ? `0${hex}` : hex, 'hex')]);
}

/** RFC 8785 for values from JSON.parse: members sorted by UTF-16, no white space. */
export function jcs(value: Body): string {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`;
  const members = Object.keys(value)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${jcs(value[name])}`);
  return `{${members.join(',')}}`;
}

export const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();
export const hex = (data: string | Uint8Array): string => sha256(data).toString('hex');

/** The 32 bytes of the key in a DID with multicodec bytes. */
export const keyIn = (did: string): Buffer => fromBase58(did.slice('did:svc:z'.length)).subarray(2);

export const didWith = (key: Uint8Array): string => `did:svc:z${base58(Buffer.concat([Buffer.from([0xed, 1]), key]))}`;

/** The other spelling of a DID that is accepted in requests. */
export const bareDid = (did: string): string => `did:svc:z${base58(keyIn(did))}`;

export function addressWith(key: Uint8Array): string {
  return `svc${base58(Buffer.concat([Buffer.from([0]), key, sha256(key).subarray(0, 4)]))}`;
}

const spkiHeader = Buffer.from('302a300506032b6570032100', 'hex');
const pkcs8Header = Buffer.from('302e020100300506032b657004220420', 'hex');

export const verifies = (key: Uint8Array, message: string | Uint8Array, signature: Uint8Array): boolean =>
  verify(
    null,
    Buffer.from(message),
    createPublicKey({ key: Buffer.concat([spkiHeader, key]), format: 'der', type: 'spki' }),
    signature,
  );

/** A key that the test generates. */
export class OwnKey {
  private constructor(private readonly key: KeyObject) {}

  static fresh(): OwnKey {
    return new OwnKey(generateKeyPairSync('ed25519').privateKey);
  }

  static of(seed: Uint8Array): OwnKey {
    return new OwnKey(
      createPrivateKey({ key: Buffer.concat([pkcs8Header, Buffer.from(seed)]), format: 'der', type: 'pkcs8' }),
    );
  }

  get publicKey(): Buffer {
    return createPublicKey(this.key).export({ format: 'der', type: 'spki' }).subarray(-32);
  }

  get did(): string {
    return didWith(this.publicKey);
  }

  sign(message: string | Uint8Array): Buffer {
    return sign(null, Buffer.from(message), this.key);
  }
}

/** The signed data of an eddsa-jcs-2022 proof (W3C Data Integrity EdDSA Cryptosuites, 3.3). */
export function proofInput(credential: Body, proof: Body): Buffer {
  const { proof: _, ...unsecured } = credential;
  const { proofValue: __, ...configuration } = proof;
  return Buffer.concat([sha256(jcs(configuration)), sha256(jcs(unsecured))]);
}

/** An entry with another event and new hashes: what a home can make without the signer's key. */
export function withEvent(entry: Body, event: Body, prevEntry: string): Body {
  const { seq, receipt, home, time, law, versions, reads, accounts, moves, postings, idem } = entry;
  const core = { event, home, time, law, versions, reads, accounts, moves, postings, idem };
  const entryHash = hex(jcs({ v: 2, ...core }));
  const chainHash = hex(`svc:journal:v1:${seq}:${prevEntry}:${entryHash}`);
  return { ...core, seq, receipt, entryHash, prevEntry, chainHash };
}

/** An event with a change, signed again with the issuer's key. */
export function signedAnew(key: OwnKey, { hash: _, sig: __, ...event }: Body, change: Body): Body {
  // JSON drops members that are undefined.
  const body = JSON.parse(JSON.stringify({ ...event, ...change }));
  return { ...body, hash: hex(jcs(body)), sig: key.sign(`svc:event:v3:${jcs(body)}`).toString('base64url') };
}
