/** Whether a delivery has content (docs/reference/markets.md#content). Pure. */
import type { Json } from '../../core/canonical.js';

/** Null, a text of white space, or a list or object in which everything is blank. Numbers and truth values are content. */
export function isBlank(value: Json | undefined): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'string') return value.trim() === '';
  return typeof value === 'object' && Object.values(value).every(isBlank);
}
