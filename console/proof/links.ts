/** Checks that one record follows another: entries in the journal, events of a signer. */
import type { Entry, Event } from '../api/types.ts';
import type { Check } from './check-entry.ts';

const noHash = '0'.repeat(64);

/** @param before the previous entry, if it is available; null: the entry is the first */
export function journalLink({ prevEntry }: Entry, before: Entry | null | undefined): Check {
  const name = 'Link';
  if (before === undefined) return { name, holds: undefined, says: 'the previous entry is not available' };
  if (before === null) return { name, holds: prevEntry === noHash, says: 'the first entry follows zeros' };
  return { name, holds: prevEntry === before.chainHash, says: `it follows entry ${before.seq} by its chain hash` };
}

/** @param before the signer’s previous event; null: the event is the first */
export function signerLink(event: Event, before: Event | null): Check {
  return {
    name: 'Link',
    holds: event.nonce === (before?.nonce ?? 0) + 1 && event.prev === (before?.hash ?? null),
    says: before ? `nonce ${event.nonce} follows ${before.nonce}, and prev is its hash` : 'the first: nonce 1, no prev',
  };
}

export const allHold = (checks: readonly Check[]): boolean => checks.every(({ holds }) => holds !== false);
