/** Whether a delivery has content (docs/reference/markets.md#content-of-deliveries). Pure. */
import type { Json } from '../../core/canonical.js';

/** Null, a text of white space, or a list or object in which everything is blank. Numbers, truth values and leaves are content. */
export function isBlank(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.values(value).every(isBlank);
}

/** White space, format and control characters, fillers, and the empty Braille pattern. */
const unseen = /^[\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cf}\p{Cc}\u2800]*$/u;

/**
 * Blank, or texts of characters that leave no mark. Requests are held to this. The guards of the machines are not:
 * they don't see texts, and an entry must replay with every version of Node, though Unicode adds such characters.
 */
export function looksBlank(value: Json | undefined): boolean {
  if (typeof value === 'string') return unseen.test(value);
  if (typeof value === 'object' && value !== null) return Object.values(value).every(looksBlank);
  return isBlank(value);
}
