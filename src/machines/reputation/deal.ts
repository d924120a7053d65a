/**
 * What an order or contract that ends says about its parties (docs/reference/reputation.md#records): parts for the
 * workflow that ends it, or that reviews it.
 */
import type { JsonObject } from '../../core/canonical.js';
import type { SubCommand } from '../kernel/step.js';
import { type Dimension, dealRecordIdOf, highestScore, type ReviewInput, reviewIdOf, scoreOfRating } from './record.js';

/** A finished order or contract. */
export interface FinishedDeal {
  /** Its id. */
  readonly ref: string;
  /** Who pays. */
  readonly client: string;
  /** Who delivers. */
  readonly provider: string;
  /** Tokens in all; 0 gives no records, since it costs nothing to make such deals. */
  readonly price: number;
  /** Delivered by its deadline, or without one. */
  readonly inTime: boolean;
  /** The party against which a dispute about it was decided. */
  readonly loser?: string | undefined;
}

const scores = { inTime: highestScore, late: 500, lost: 200 } as const;
/** Of fulfillment: what the loser of a dispute has. */
export const lostScore = scores.lost;

/**
 * The records of both parties, once for each deal: add these parts to the workflow that finishes it. Whoever signs it,
 * the clock included, a record counts as the other party's.
 */
export function finishedParts({ ref, client, provider, price, inTime, loser }: FinishedDeal): readonly SubCommand[] {
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

/** A review of an order, as its own workflow takes it. */
export interface OrderReview {
  readonly ref: string;
  /** The request's signer. */
  readonly signer: string;
  /** Whom it is about: the other party. */
  readonly target: string;
  /** 1..5 */
  readonly rating: number;
  readonly comment?: string | undefined;
  readonly aspects?: JsonObject | undefined;
}

/** The record of a review with stars: of `quality`. CONFLICT where the signer has reviewed it already. */
export function reviewPart({ ref, signer, target, rating, comment, aspects }: OrderReview): SubCommand {
  const input: ReviewInput = {
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
