/**
 * The claim with which a party opens a dispute (docs/reference/contracts-and-disputes.md#disputes): a reason, and
 * evidence, each piece identified by a hash.
 */
import { hashOf, type Json, type JsonObject, sha256Hex } from '../../core/canonical.js';
import { isRefusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';

export const reasons = ['non_delivery', 'quality', 'deadline', 'other'] as const;
const mostEvidence = 50;

function evidenceFits(value: Json): true | string {
  if (typeof value === 'string') return true;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be a text or an object';
  const { hash } = value as JsonObject;
  return hash === undefined || !isRefusal(is.parse(is.hash, hash)) || 'must have a SHA-256 as its hash';
}

/** A piece of evidence as stored: with the given hash, or that of its content; what is none stays as it is. */
function fixed(piece: Json): Json {
  if (typeof piece === 'string') return { content: piece, hash: sha256Hex(piece) };
  if (typeof piece !== 'object' || piece === null || Array.isArray(piece)) return piece;
  const given = piece as JsonObject;
  return { ...given, hash: given.hash ?? hashOf(given) };
}

const evidence = is.described(
  is.converted(is.refined(is.atMostBytes(is.anything, 8_192), evidenceFits), fixed),
  'A text, or an object such as { uri, description, hash }; hash is the SHA-256 of the content at the URI.',
);

export const disputeFields = {
  reason: is.described(is.oneOf(...reasons), 'Subject of the dispute.'),
  description: is.optional(is.leaf(is.text(4_000)), 'Your description of the problem.'),
  evidence: is.optional(is.atMostBytes(is.list(is.leaf(evidence), 0, mostEvidence), 65_536), 'Pieces of evidence.'),
};

export const claim = is.object(disputeFields);
export type DisputeClaim = is.TypeOf<typeof claim>;

/** The members of an order that describe its dispute, open or closed. */
export interface OfDispute {
  readonly disputeId: string | null;
  readonly arbiter: string | null;
}
export const undisputed: OfDispute = { disputeId: null, arbiter: null };

export const ofDispute = ({ disputeId = null, arbiter = null }: Partial<OfDispute>): OfDispute => ({
  disputeId,
  arbiter,
});
