/** Reputations and reviews (interface, Reputation). */
import { pathOf, type ReadOptions } from '../http.js';
import { type Paged, paged } from '../pages.js';
import type { Pagination, Paging, Reputation, Review, ReviewDimension, WriteFields } from '../views.js';
import type { WriteOptions, Writes } from '../writes.js';

export interface NewReview {
  /** DID of the other party. */
  readonly target: string;
  readonly dimension: ReviewDimension;
  /** 0 to 1000. */
  readonly score: number;
  /** Id of the finished order or contract between the two. */
  readonly ref: string;
  /** At most 2,000 characters. */
  readonly comment?: string;
  /** At most 4,096 bytes of JSON. */
  readonly aspects?: { readonly [name: string]: unknown };
}

/** `log` recomputes from the journal. */
export interface ReputationSource {
  readonly source?: 'store' | 'log';
}

export interface ReviewPage {
  readonly reviews: readonly Review[];
  readonly total: number;
  /** Of all reviews, in stars; null before the first. */
  readonly averageRating: number | null;
  readonly pagination: Pagination;
}

export class Reputations {
  constructor(private readonly writes: Writes) {}

  /** Fails with REPUTATION_NOT_FOUND before the first record. */
  get(did: string, query?: ReputationSource, options?: ReadOptions): Promise<Reputation> {
    return this.writes.http.get(pathOf`/reputations/${did}`, { ...query }, options);
  }

  /** Newest first. */
  reviews(did: string, query?: ReputationSource & Paging, options?: ReadOptions): Paged<ReviewPage, Review> {
    const path = pathOf`/reputations/${did}/reviews`;
    return paged((asked) => this.writes.http.get(path, asked, options), { ...query }, 'reviews');
  }

  /** Once for each dimension of a finished order or contract. */
  review(review: NewReview, options?: WriteOptions): Promise<Review & WriteFields> {
    return this.writes.signed(pathOf`/reputations/${review.target}/reviews`, review, options);
  }
}
