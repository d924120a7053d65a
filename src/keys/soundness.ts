/**
 * Which 32 bytes are a public key at all (decisions, 'DIDs, keys, addresses'; design, Peers).
 *
 * Ed25519 libraries disagree on keys that are not canonical or of small order, and a small-order key accepts
 * signatures that nobody made. Such keys are refused before any library is asked to verify with them.
 */
import { Point } from '@noble/ed25519';
import { BoundedCache } from './bounded-cache.js';

export const publicKeyBytes = 32;

/** A verdict costs about 70 µs of curve arithmetic. */
const verdicts = new BoundedCache<string, boolean>(20_000);

/** A key's bytes as a short text, to look it up by. */
export const keyText = (publicKey: Uint8Array): string =>
  Buffer.from(publicKey.buffer, publicKey.byteOffset, publicKey.byteLength).toString('latin1');

/**
 * Whether the bytes are the one canonical encoding (RFC 8032, 5.1.3: y < p, no -0) of a curve point whose
 * order is not 1, 2, 4 or 8.
 */
export function isSoundKey(publicKey: Uint8Array): boolean {
  if (publicKey.length !== publicKeyBytes) return false;
  const key = keyText(publicKey);
  let verdict = verdicts.get(key);
  if (verdict === undefined) {
    verdict = judge(publicKey);
    verdicts.set(key, verdict);
  }
  return verdict;
}

function judge(publicKey: Uint8Array): boolean {
  try {
    return !Point.fromBytes(publicKey, false).isSmallOrder();
  } catch {
    // noble throws for every encoding that RFC 8032 refuses, and the bytes are a stranger's.
    return false;
  }
}
