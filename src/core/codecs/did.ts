/**
 * DIDs: `did:svc:z` + base58btc(0xed 0x01 ‖ Ed25519 public key). Pure.
 * Implements docs/reference/identities.md#dids: the spelling without the two multicodec bytes is accepted on input and
 * normalised. A key that is not canonical or of small order makes the text invalid.
 */
import bs58 from 'bs58';
import { LRUCache } from 'lru-cache';
import { assert } from '../refusal.js';
import { isSoundKey, publicKeyBytes } from './key-soundness.js';

/** A normalised DID, as parseDid and didOf return it: equal accounts have equal strings. */
export type Did = string;

const prefix = 'did:svc:z';
const multicodec = [0xed, 0x01] as const;
/** The shortest and the longest text that can decode to a key: base58 of 32 zero bytes, and of 34 bytes. */
const shortestText = prefix.length + publicKeyBytes;
const longestText = prefix.length + 47;

const parsed = new LRUCache<string, Did>({ max: 20_000 });
const publicKeys = new LRUCache<Did, Uint8Array>({ max: 20_000 });
const publicKeyHexes = new LRUCache<Did, string>({ max: 20_000 });

/** The DID of a public key. @param publicKey 32 bytes, already checked to be a sound key */
export function didOf(publicKey: Uint8Array): Did {
  assert(publicKey.length === publicKeyBytes, 'a public key has 32 bytes');
  const bytes = new Uint8Array(multicodec.length + publicKeyBytes);
  bytes.set(multicodec);
  bytes.set(publicKey, multicodec.length);
  return prefix + bs58.encode(bytes);
}

/** The normalised DID, or undefined for an invalid text; routes then answer DID_INVALID. */
export function parseDid(text: string): Did | undefined {
  return parsed.get(text) ?? parseAfresh(text);
}

function parseAfresh(text: string): Did | undefined {
  if (text.length < shortestText || text.length > longestText || !text.startsWith(prefix)) return undefined;
  const bytes = bs58.decodeUnsafe(text.slice(prefix.length));
  const key = bytes && keyIn(bytes);
  if (!key || !isSoundKey(key)) return undefined;
  const did = didOf(key);
  // Caches a newly built string: the caller's may be a slice that keeps a whole request in memory.
  parsed.set(bytes.length === publicKeyBytes ? prefix + bs58.encode(bytes) : did, did);
  publicKeys.set(did, key);
  return did;
}

/** The key in the decoded bytes: all of them, or those after the multicodec prefix. */
function keyIn(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.length === publicKeyBytes) return bytes;
  if (bytes.length !== multicodec.length + publicKeyBytes) return undefined;
  return bytes[0] === multicodec[0] && bytes[1] === multicodec[1] ? bytes.slice(multicodec.length) : undefined;
}

export function publicKeyHexOf(did: Did): string {
  let hex = publicKeyHexes.get(did);
  if (hex === undefined) {
    hex = Buffer.from(publicKeyOf(did)).toString('hex');
    publicKeyHexes.set(did, hex);
  }
  return hex;
}

/** The public key of a normalised DID: 32 bytes, a new copy for each call. */
export function publicKeyOf(did: Did): Uint8Array {
  let key = publicKeys.get(did);
  if (key === undefined) {
    assert(parseAfresh(did) === did, 'publicKeyOf takes a normalised DID');
    key = publicKeys.get(did)!;
  }
  return key.slice();
}
