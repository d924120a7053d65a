/**
 * An identity as its holder has stated it, computed from the inputs of signed events alone (docs/reference/feeds.md#cards).
 * The inputs come from elsewhere: those that a request could not have are left alone.
 */
import { type Statement, statedAs } from '../listing/stated.js';
import { capabilityInput, emptyIdentity, type IdentityContext, maxCapabilities, updateInput } from './identity.js';

/** @param before undefined if nothing was shown; the document that an update replaces need not be known */
export function statedIdentity(
  before: IdentityContext | undefined,
  action: string,
  statement: Statement,
): IdentityContext | undefined {
  const known = before ?? emptyIdentity;
  if (action === 'update') {
    const input = statedAs(updateInput, statement);
    return input && { ...known, document: input.document as IdentityContext['document'] };
  }
  const input = statedAs(capabilityInput, statement);
  if (!input || known.capabilities.length >= maxCapabilities) return undefined;
  return { ...known, capabilities: [...known.capabilities, input.credential as IdentityContext['capabilities'][0]] };
}
