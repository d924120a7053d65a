/**
 * Replies about reviews (docs/reference/reputation.md).
 */

import * as a from '../../../core/schema/shape.js';
import {
  averageRatingSchema,
  reputationSchema as bareReputation,
  reviewSchema as bareReview,
} from '../../../machines/reputation/view.js';
import { withOrigin } from './origin.js';
import { pageOf, writing } from './replies.js';

export const reputationSchema = withOrigin(bareReputation);
const reviewSchema = withOrigin(bareReview);
export const reviewsSchema = pageOf('reviews', reviewSchema, { averageRating: averageRatingSchema });
export const reviewedSchema = a.named('ReputationRecordResult', writing(reviewSchema));
