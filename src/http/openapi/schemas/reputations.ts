/**
 * Replies about reviews (docs/reference/reputation.md).
 */

import * as a from '../../../core/schema/shape.js';
import { averageRatingSchema, reviewSchema } from '../../../machines/reputation/view.js';
import { settlementForm } from '../../render/write-view.js';
import { pageSchema, writing } from './replies.js';

export const reviewsSchema = pageSchema('reviews', reviewSchema, { averageRating: averageRatingSchema });

const { status } = settlementForm.schema.properties;
export const reviewedSchema = a.named(
  'ReputationRecordResult',
  a.allOf(
    writing(reviewSchema),
    a.object({ status: status!, timestamp: a.described(a.time, 'The same as `createdAt`.') }),
  ),
);
