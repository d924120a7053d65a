/**
 * Reputation records (docs/reference/reputation.md): each is one immutable resource, about one DID. Scores are computed
 * when they are read, because they change with time: see scores.ts.
 */
import { sha256Hex } from '../../core/canonical.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { defineReducer } from '../kernel/definition.js';
import type { MachineEvent } from '../kernel/resource.js';

export const dimensions = ['transaction', 'fulfillment', 'quality', 'social', 'behavior'] as const;
export type Dimension = (typeof dimensions)[number];

export const highestScore = 1000;
/** Score per star; ratings go from 1 to 5. */
const scorePerStar = 200;

export const scoreOfRating = (rating: number): number => rating * scorePerStar;
export const ratingOfScore = (score: number): number => score / scorePerStar;

export const reviewInput = is.object({
  target: is.described(is.did, 'DID that the review is about.'),
  dimension: is.described(is.oneOf(...dimensions), 'Dimension of the review.'),
  score: is.described(is.integer(0, highestScore), '0 to 1000.'),
  ref: is.described(is.chosenId(), 'Id of the finished order or contract between both.'),
  comment: is.optional(is.leaf(is.text(2000)), 'Your comment.'),
  aspects: is.optional(is.leaf(is.atMostBytes(is.freeObject, 4096)), 'Further details, in members of your choice.'),
});
export type ReputationReviewInput = is.TypeOf<typeof reviewInput>;

const dealInput = is.object({
  issuer: is.did,
  target: is.did,
  dimension: is.oneOf('transaction', 'fulfillment'),
  score: is.integer(0, highestScore),
  ref: is.chosenId(),
});

export interface ReputationRecord extends ReputationReviewInput {
  /** The reviewer; for records of a trade, the other party. */
  readonly issuer: string;
  /** `deal`: from an order or contract that has ended; `review`: from a review. */
  readonly source: 'deal' | 'review';
}

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 128 bits of a hash in the form of a ULID, so that the same trade or review always gets the same id. */
function idOf(...of: readonly string[]): string {
  let bits = BigInt(`0x${sha256Hex(of.join('\n')).slice(0, 32)}`);
  let text = '';
  for (let i = 0; i < 26; i++, bits >>= 5n) text = crockford[Number(bits & 31n)] + text;
  return `rev-${text}`;
}

/** A signer may review each dimension of a trade once. */
export const reviewIdOf = (signer: string, ref: string, dimension: Dimension): string =>
  idOf('review', signer, ref, dimension);

export const dealRecordIdOf = (ref: string, dimension: Dimension, target: string): string =>
  idOf('deal', ref, dimension, target);

/** The label of all records about a DID, reviews included. */
export const aboutLabel = (did: string): string => `target:${did}`;
export const reviewsLabel = (did: string): string => `reviewed:${did}`;

/** `id` is reviewIdOf or dealRecordIdOf. */
export const reputation = defineReducer<ReputationRecord>({
  kind: 'reputation',
  revision: 1,
  roles: {},
  labels: ({ target, source }) => [aboutLabel(target), ...(source === 'review' ? [reviewsLabel(target)] : [])],
  actions: {
    review: {
      event: 'reputation.reviewed',
      who: ['anyone'],
      input: reviewInput,
      reduce(
        context,
        { id, input, signer }: MachineEvent<'review', ReputationReviewInput>,
      ): ReputationRecord | Refusal {
        const { ref, dimension } = input;
        const onlyId = reviewIdOf(signer, ref, dimension);
        if (id !== onlyId) return refuse('UNPROCESSABLE', `this review has the id ${onlyId}`);
        if (context) return refuse('CONFLICT', `this signer has reviewed ${dimension} of ${ref} already`);
        return { ...input, issuer: signer, source: 'review' };
      },
    },
    note: {
      event: 'reputation.noted',
      who: ['workflow'],
      input: dealInput,
      reduce: (
        context,
        { id, input }: MachineEvent<'note', is.TypeOf<typeof dealInput>>,
      ): ReputationRecord | Refusal =>
        context ? refuse('CONFLICT', `${id} was noted already`) : { ...input, source: 'deal' },
    },
  },
});
