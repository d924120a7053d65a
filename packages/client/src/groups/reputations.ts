/** Reputations and reviews (docs/reference/reputation.md). */
import { pathOf, type ReadOptions } from '../http.js';
import { type Paged, paged } from '../pages.js';
import type { Queries, Replies, Reputation, ReputationRecord, ReputationRecordResult, Requests } from '../wire.js';
import type { WriteOptions } from '../write-options.js';
import type { Writes } from '../writes.js';

export type NewReview = Requests['createReview'] & {
  /** DID of the other party, whom the review is about. */
  readonly target: string;
};

export class Reputations {
  constructor(private readonly writes: Writes) {}

  /** Fails with REPUTATION_NOT_FOUND if the DID has no record yet. */
  get(did: string, query?: Queries['getReputation'], options?: ReadOptions): Promise<Reputation> {
    return this.writes.http.get(pathOf`/reputations/${did}`, { ...query }, options);
  }

  /** Reviews of a DID, newest first. */
  reviews(
    did: string,
    query?: Queries['listReviews'],
    options?: ReadOptions,
  ): Paged<Replies['listReviews'], ReputationRecord> {
    const path = pathOf`/reputations/${did}/reviews`;
    return paged((asked) => this.writes.http.get(path, asked, options), { ...query }, 'reviews');
  }

  /** Reviews the other party of a finished order or contract, once per dimension. */
  review(review: NewReview, options?: WriteOptions): Promise<ReputationRecordResult> {
    return this.writes.signed(pathOf`/reputations/${review.target}/reviews`, review, options);
  }
}
