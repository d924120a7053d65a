/**
 * The rules for passphrases (docs/reference/identities.md#keystore).
 *
 * Passphrases are normalised to NFKC, so that different keyboards and systems give the same bytes.
 */
import { invalid, type Refusal } from '../core/refusal.js';

/** In code points, after normalisation. */
const shortestPassphrase = 12;
/** In bytes of UTF-8, after normalisation. */
export const longestPassphraseBytes = 1024;
/** Limit in UTF-16 units, checked before normalisation. */
const longestText = 4 * longestPassphraseBytes;

/** Normalises a passphrase. @returns INVALID_REQUEST naming the field when it is too long or malformed */
export function normalisePassphrase(passphrase: string, field = 'passphrase'): string | Refusal {
  if (passphrase.length > longestText) return tooLong(field);
  if (!passphrase.isWellFormed()) return invalid(field, 'is not well-formed Unicode');
  const normalised = passphrase.normalize('NFKC');
  return Buffer.byteLength(normalised) > longestPassphraseBytes ? tooLong(field) : normalised;
}

/** Normalises a new passphrase, which must also meet the minimum length. */
export function normaliseNewPassphrase(passphrase: string, field = 'passphrase'): string | Refusal {
  const normalised = normalisePassphrase(passphrase, field);
  if (typeof normalised !== 'string') return normalised;
  return [...normalised].length < shortestPassphrase
    ? invalid(field, `needs at least ${shortestPassphrase} characters`)
    : normalised;
}

const tooLong = (field: string): Refusal => invalid(field, `is longer than ${longestPassphraseBytes} bytes`);
