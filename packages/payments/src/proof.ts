/** Checks of a payment that need no node (docs/payments.md#what-a-seller-checks). */
import { paymentBounds } from '../../../src/core/bounds.js';
import { checkpointForm, isSignedCheckpoint, parseForm } from '../../../src/peers/checkpoint.js';
import { type PublishedEntry, violationInHashes } from '../../../src/verify/resource-proof.js';
import type { SignedEntry } from '../../client/src/index.js';
import { type BoundRequest, commitmentOf, networkIn, type PaymentProof, type PaymentTerms } from './messages.js';

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

/** @returns why a payment, whose entry is checked, does not pay for this request */
export function violationOfPayment(
  { entry, secret, lease }: PaymentProof['payload'],
  { terms, request }: { terms: PaymentTerms; request: BoundRequest },
): string | undefined {
  const { extra } = terms;
  const { memo, resource } = inputOf(entry);
  const [violation, text] =
    extra.by === 'lease'
      ? [violationOfCall(entry, lease, terms, extra.listing), resource]
      : [violationOfTransfer(entry, terms), memo];
  if (violation) return violation;
  return text === commitmentOf(request, extra.challenge, secret)
    ? undefined
    : 'it does not pay for this request, or the secret is not that of its payer';
}

function violationOfTransfer(entry: SignedEntry['entry'], { payTo, amount }: PaymentTerms): string | undefined {
  const { onward, onwardOf } = inputOf(entry);
  if (onward !== undefined || onwardOf !== undefined) return 'it asks for something in return';
  const { event, moves } = published(entry);
  const paid = moves.reduce(
    (sum, move) =>
      move.op === 'transfer' && move.from === event.issuer && move.to === payTo ? sum + move.amount : sum,
    0,
  );
  return paid < Number(amount) ? `it pays ${paid} to ${payTo}, and ${amount} are asked for` : undefined;
}

/**
 * The home accepts a call with a `cost` only if the budget of its lease, which is in escrow, is charged just that. Whose lease
 * it is stands in the entry that began it.
 */
function violationOfCall(
  entry: SignedEntry['entry'],
  lease: SignedEntry | undefined,
  terms: PaymentTerms,
  listing: string,
): string | undefined {
  const { cost } = inputOf(entry);
  if (entry.event.type !== 'lease.invoked') return 'it is no call of a lease';
  if (cost !== Number(terms.amount)) return `it costs ${cost}, and ${terms.amount} are asked for`;
  const violation = lease?.entry ? violationInSigned(lease, placeIn(terms)) : 'it is missing';
  if (violation) return `the lease: ${violation}`;
  const { payload, moves } = published(lease!.entry);
  if (lease!.entry.event.type !== 'lease.started' || payload?.id !== published(entry).payload?.id)
    return 'it is charged to another lease';
  const { listingId, plan } = inputOf(lease!.entry);
  const { endsAt = 0 } = (plan ?? {}) as { readonly endsAt?: number };
  if (!(endsAt <= lease!.entry.time + paymentBounds.leaseMs)) return 'the lease ends too late';
  const isOurs = listingId === listing && moves.some((move) => move.op === 'lock' && move.to === terms.payTo);
  return isOurs ? undefined : 'the lease is not of what this seller offers';
}

const published = (entry: SignedEntry['entry']): PublishedEntry => entry as unknown as PublishedEntry;

const inputOf = (entry: SignedEntry['entry']): { readonly [name: string]: unknown } =>
  (published(entry).payload?.input ?? {}) as { readonly [name: string]: unknown };

export const placeIn = (terms: PaymentTerms): { readonly home: string; readonly network: string } => ({
  home: terms.extra.home,
  network: networkIn(terms),
});
