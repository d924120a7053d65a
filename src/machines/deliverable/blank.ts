/** Whether a delivery has content (docs/reference/markets.md#content-of-deliveries). Pure. */
import type { Json } from '../../core/canonical.js';
import { isUnseen } from '../../core/schema/scalar.js';

/** Null, a text of white space, or a list or object in which everything is blank. Numbers, truth values and leaves are content. */
export function isBlank(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.values(value).every(isBlank);
}

/**
 * Blank, or texts of characters that leave no mark. Requests are held to this. The guards of the machines are not:
 * they don't see texts, and an entry must replay with every version of Node, though Unicode adds such characters.
 */
export function looksBlank(value: Json | undefined): boolean {
  if (typeof value === 'string') return isUnseen(value);
  if (typeof value === 'object' && value !== null) return Object.values(value).every(looksBlank);
  return isBlank(value);
}
