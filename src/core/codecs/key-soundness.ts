/**
 * Checks whether 32 bytes are an acceptable public key (docs/reference/identities.md#dids).
 * Ed25519 libraries disagree on keys that are not canonical or of small order, and a small-order key accepts forged
 * signatures. Such keys are refused before a library verifies with them.
 */
import { Point } from '@noble/ed25519';
import { LRUCache } from 'lru-cache';

export const publicKeyBytes = 32;

/** A key's bytes as a compact text, used as a map key. */
export const keyText = (publicKey: Uint8Array): string =>
  Buffer.from(publicKey.buffer, publicKey.byteOffset, publicKey.byteLength).toString('latin1');

/** The points whose order is 1, 2, 4 or 8, in canonical encoding. */
const smallOrder: ReadonlySet<string> = new Set(
  [
    `01${'00'.repeat(31)}`,
    `ec${'ff'.repeat(30)}7f`,
    '00'.repeat(32),
    `${'00'.repeat(31)}80`,
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc85',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  ].map((hex) => keyText(Buffer.from(hex, 'hex'))),
);

/** Whether the bytes are the canonical encoding of a point of small order. */
export const isOfSmallOrder = (point: Uint8Array): boolean => smallOrder.has(keyText(point));

/** Caches the result, which costs about 70 µs of curve arithmetic. */
const verdicts = new LRUCache<string, boolean>({ max: 20_000 });

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
    // noble throws for each invalid encoding; the bytes come from outside.
    return false;
  }
}
