/**
 * Replies about reviews (docs/reference/reputation.md).
 */

import type { JsonSchema } from '../../../core/schema/scalar.js';
import * as a from '../../../core/schema/shape.js';
import {
  averageRatingSchema,
  reputationSchema as bareReputation,
  reviewSchema as bareReview,
  homeRecordsSchema,
} from '../../../machines/reputation/view.js';
import { settlementForm } from '../../render/write-view.js';
import { withOrigin } from './origin.js';
import { pageOf, writing } from './replies.js';

const byHome = a.described(
  a.list(homeRecordsSchema),
  'The homes that have counted records, in order of their DIDs, this node’s own first; absent where this node follows none.',
);

export const reputationSchema = extended(withOrigin(bareReputation));
const reviewSchema = withOrigin(bareReview);
export const reviewsSchema = pageOf('reviews', reviewSchema, { averageRating: averageRatingSchema });
function extended(schema: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...(schema.properties as a.SchemaMembers), homes: byHome } };
}

const { status } = settlementForm.schema.properties;
export const reviewedSchema = a.named(
  'ReputationRecordResult',
  a.allOf(
    writing(reviewSchema),
    a.object({ status: status!, timestamp: a.described(a.time, 'The same as `createdAt`.') }),
  ),
);
