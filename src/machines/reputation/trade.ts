/**
 * Reputation records of both parties when an order or contract ends (docs/reference/reputation.md#records):
 * sub-commands for the workflow that ends it, or that reviews it.
 */
import type { JsonObject } from '../../core/canonical.js';
import type { Leaf } from '../../core/leaf.js';
import type { SubCommand } from '../kernel/resource.js';
import {
  type Dimension,
  dealRecordIdOf,
  highestScore,
  type ReputationReviewInput,
  reviewIdOf,
  scoreOfRating,
} from './record.js';

export interface FinishedTrade {
  /** Id of the order or contract. */
  readonly ref: string;
  /** The paying party. */
  readonly client: string;
  /** The delivering party. */
  readonly provider: string;
  /** Tokens in total. With 0 there are no records, because free trades cost nothing to create. */
  readonly price: number;
  /** Whether it was delivered by its deadline, or had none. */
  readonly inTime: boolean;
  /** The party that lost a dispute about it. */
  readonly loser?: string | undefined;
}

const scores = { inTime: highestScore, late: 500, lost: 200 } as const;
/** The fulfillment score of a dispute's loser. */
export const lostScore = scores.lost;

/**
 * The records of both parties, one for each and trade; to be added to the workflow that finishes the trade. Each record counts as issued by the other party.
 */
export function finishedParts({ ref, client, provider, price, inTime, loser }: FinishedTrade): readonly SubCommand[] {
  if (price === 0) return [];
  const about = (target: string, dimension: Dimension, score: number): SubCommand => ({
    kind: 'reputation',
    id: dealRecordIdOf(ref, dimension, target),
    action: 'note',
    input: { issuer: target === client ? provider : client, target, dimension, score, ref },
    asWorkflow: true,
  });
  const fulfilled = loser === provider ? scores.lost : inTime ? scores.inTime : scores.late;
  return [
    about(client, 'transaction', highestScore),
    about(provider, 'transaction', highestScore),
    about(provider, 'fulfillment', fulfilled),
    ...(loser === client ? [about(client, 'fulfillment', scores.lost)] : []),
  ];
}

export interface RatingInput {
  /** 1..5 */
  readonly rating: number;
  readonly comment?: Leaf | undefined;
  readonly aspects?: Leaf | undefined;
}

export interface PartyReview extends RatingInput {
  /** Epoch ms. */
  readonly at: number;
}

export interface OrderReview extends RatingInput {
  readonly ref: string;
  readonly signer: string;
  /** The reviewed DID: the other party. */
  readonly target: string;
}

/** The `quality` record of a review with stars. CONFLICT if the signer has reviewed it already. */
export function reviewPart({ ref, signer, target, rating, comment, aspects }: OrderReview): SubCommand {
  const input: ReputationReviewInput = {
    target,
    dimension: 'quality',
    score: scoreOfRating(rating),
    ref,
    ...(comment === undefined ? {} : { comment }),
    ...(aspects === undefined ? {} : { aspects }),
  };
  return {
    kind: 'reputation',
    id: reviewIdOf(signer, ref, 'quality'),
    action: 'review',
    input: input as unknown as JsonObject,
    asWorkflow: true,
  };
}
