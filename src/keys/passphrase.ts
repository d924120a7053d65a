/**
 * What may be a passphrase (decisions, 'DIDs, keys, addresses': keystore).
 *
 * The NFKC form is what unlocks, so that a passphrase typed on another keyboard or system is the same one.
 */
import { invalid, type Refusal } from '../machines/kernel/refusal.js';

/** Code points, of the normalised form. */
const shortestPassphrase = 12;
/** Bytes of UTF-8, of the normalised form. */
export const longestPassphraseBytes = 1024;
/** Looked at before any work is done; no text this long in UTF-16 units is worth normalising. */
const longestText = 4 * longestPassphraseBytes;

/** The form that unlocks. @returns or INVALID_REQUEST naming the field */
export function normalisePassphrase(passphrase: string, field = 'passphrase'): string | Refusal {
  if (passphrase.length > longestText) return tooLong(field);
  if (!passphrase.isWellFormed()) return invalid(field, 'is not well-formed Unicode');
  const normalised = passphrase.normalize('NFKC');
  return Buffer.byteLength(normalised) > longestPassphraseBytes ? tooLong(field) : normalised;
}

/** As normalisePassphrase, for one that is going to lock a key. */
export function normaliseNewPassphrase(passphrase: string, field = 'passphrase'): string | Refusal {
  const normalised = normalisePassphrase(passphrase, field);
  if (typeof normalised !== 'string') return normalised;
  return [...normalised].length < shortestPassphrase
    ? invalid(field, `needs at least ${shortestPassphrase} characters`)
    : normalised;
}

const tooLong = (field: string): Refusal => invalid(field, `is longer than ${longestPassphraseBytes} bytes`);
