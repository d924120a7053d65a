/**
 * Replies about reviews (docs/reference/reputation.md).
 */

import * as a from '../../../core/schema/shape.js';
import { averageRatingSchema, reviewSchema } from '../../../machines/reputation/view.js';
import { pageOf, written } from './replies.js';

export const reviewsSchema = pageOf('reviews', reviewSchema, { averageRating: averageRatingSchema });
export const reviewedSchema = a.named('ReputationRecordResult', written(reviewSchema));
