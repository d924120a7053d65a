/**
 * Salted hashes of confidential members (docs/reference/journal-format.md#confidential-members), so that a
 * public hash does not let anyone guess them.
 */
import { canonical, sha256Hex } from './canonical.js';

/**
 * The salt of one part of an entry, hex. Its readers get it: it reveals neither the entry's salt nor that of another part.
 * @param salt the entry's, hex
 * @param part `payload`, or `<kind>/<id>@<version>`
 */
export const saltFor = (salt: string, part: string): string => sha256Hex(`svc:salt:v1:${salt}:${part}`);

/** SHA-256, hex, of the salt of a part and the RFC 8785 form of its confidential members. */
export const sealedHash = (saltOfPart: string, members: unknown): string =>
  sha256Hex(`svc:sealed:v1:${saltOfPart}:${canonical(members)}`);
