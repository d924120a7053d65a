/**
 * Account addresses: `svc` + base58btc(0x00 ‖ public key ‖ first 4 bytes of SHA-256(public key)), so `svc1…`.
 *
 * A DID and an address are two spellings of one account (docs/reference/identities.md#account-addresses).
 */
import { createHash } from 'node:crypto';
import bs58 from 'bs58';
import { LRUCache } from 'lru-cache';
import { type Did, didOf, parseDid, publicKeyOf } from './did.js';
import { isSoundKey, publicKeyBytes } from './key-soundness.js';

const prefix = 'svc';
const version = 0x00;
const checksumBytes = 4;
const addressBytes = 1 + publicKeyBytes + checksumBytes;
/** Each zero byte takes one character, and 37 arbitrary bytes at most 51. */
const shortestText = prefix.length + addressBytes;
const longestText = prefix.length + 51;

const addresses = new LRUCache<Did, string>({ max: 20_000 });
const parsed = new LRUCache<string, Did>({ max: 20_000 });

const checksumOf = (publicKey: Uint8Array): Uint8Array =>
  createHash('sha256').update(publicKey).digest().subarray(0, checksumBytes);

export function addressOf(did: Did): string {
  let address = addresses.get(did);
  if (address === undefined) {
    const publicKey = publicKeyOf(did);
    const bytes = new Uint8Array(addressBytes);
    bytes[0] = version;
    bytes.set(publicKey, 1);
    bytes.set(checksumOf(publicKey), 1 + publicKeyBytes);
    address = prefix + bs58.encode(bytes);
    addresses.set(did, address);
  }
  return address;
}

/** The account of an address, or undefined if it is malformed; routes then answer INVALID_REQUEST. */
export function parseAddress(text: string): Did | undefined {
  return parsed.get(text) ?? parseAfresh(text);
}

function parseAfresh(text: string): Did | undefined {
  if (text.length < shortestText || text.length > longestText || !text.startsWith(prefix)) return undefined;
  const bytes = bs58.decodeUnsafe(text.slice(prefix.length));
  if (!bytes || bytes.length !== addressBytes || bytes[0] !== version) return undefined;
  const publicKey = bytes.subarray(1, 1 + publicKeyBytes);
  const checksum = checksumOf(publicKey);
  if (!checksum.every((byte, i) => byte === bytes[1 + publicKeyBytes + i])) return undefined;
  if (!isSoundKey(publicKey)) return undefined;
  const did = didOf(publicKey);
  parsed.set(addressOf(did), did);
  return did;
}

/** The account of a DID or an address. The caller chooses the error code by how the text starts. */
export const parseAccount = (text: string): Did | undefined =>
  text.startsWith(prefix) ? parseAddress(text) : parseDid(text);
