/** Checks of a payment that need no node (docs/payments.md#what-a-seller-checks). */
import { checkpointForm, isSignedCheckpoint, parseForm } from '../../../src/peers/checkpoint.js';
import { type PublishedEntry, violationInHashes } from '../../../src/verify/resource-proof.js';
import type { SignedEntry } from '../../client/src/index.js';
import { type BoundRequest, commitmentOf, networkIn, type PaymentTerms } from './messages.js';

/** @returns why the entry is not shown to be in the journal of this home; undefined if it is */
export function violationInSigned(
  { entry, checkpoint }: SignedEntry,
  place: { readonly home: string; readonly network: string },
): string | undefined {
  const stated = parseForm(checkpointForm, checkpoint);
  if (typeof stated === 'string') return `checkpoint: ${stated}`;
  if (stated.home !== place.home || stated.network !== place.network)
    return 'the checkpoint is of another home or network';
  if (stated.seq !== entry.seq || stated.chainHash !== entry.chainHash) return 'the checkpoint is of another entry';
  const violation = violationInHashes(entry as unknown as PublishedEntry);
  if (violation) return violation;
  return isSignedCheckpoint(stated) ? undefined : 'the home has not signed the checkpoint';
}

/** What a transfer of a checked entry has paid for; a sentence if not for this request. */
export function violationOfTransfer(
  entry: SignedEntry['entry'],
  { terms, request, secret }: { terms: PaymentTerms; request: BoundRequest; secret: string },
): string | undefined {
  const { event, moves, payload } = entry as unknown as PublishedEntry;
  const { memo, onward, onwardOf } = (payload?.input ?? {}) as { [name: string]: unknown };
  if (onward !== undefined || onwardOf !== undefined) return 'it asks for something in return';
  const paid = moves.reduce(
    (sum, move) =>
      move.op === 'transfer' && move.from === event.issuer && move.to === terms.payTo ? sum + move.amount : sum,
    0,
  );
  if (paid < Number(terms.amount)) return `it pays ${paid} to ${terms.payTo}, and ${terms.amount} are asked for`;
  const isFor = memo === commitmentOf(request, terms.extra.challenge, secret);
  return isFor ? undefined : 'it does not pay for this request, or the secret is not that of its payer';
}

export const placeIn = (terms: PaymentTerms): { readonly home: string; readonly network: string } => ({
  home: terms.extra.home,
  network: networkIn(terms),
});
