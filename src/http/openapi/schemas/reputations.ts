/**
 * Reputations and reviews (docs/reference/reputation.md).
 */
import * as a from '../../../core/schema/shape.js';
import { dimensions, highestScore } from '../../../machines/reputation/record.js';
import { levelNames } from '../../../machines/reputation/standing.js';
import { pageOf, written } from './replies.js';

const score = { type: 'integer', minimum: 0, maximum: highestScore } as const;
const scored = a.described(
  { type: ['integer', 'null'], minimum: 0, maximum: highestScore },
  'Weighted mean, 0 to 1000; null where all its records have lost their weight.',
);
const rating = a.described({ type: 'number', minimum: 0, maximum: 5 }, 'The score in stars, 0 to 5.');
const averageRating = a.described(
  { type: ['number', 'null'], minimum: 0, maximum: 5 },
  'Mean of all reviews, in stars; null before the first.',
);
const dimensionSchema = a.named(
  'ReputationDimension',
  a.object({ score: scored, count: a.described(a.count, 'Records of it.'), updatedAt: a.time }),
);

export const reputationSchema = a.named(
  'Reputation',
  a.object({
    did: a.did,
    score: scored,
    level: a.oneOf(...levelNames),
    dimensions: a.described(
      a.object({}, Object.fromEntries(dimensions.map((name) => [name, dimensionSchema]))),
      'Those with records.',
    ),
    totalTransactions: a.described(a.count, 'Finished orders and contracts for which something was paid.'),
    successRate: a.described(
      { type: ['number', 'null'], minimum: 0, maximum: 1 },
      'Share of them in which it lost no dispute, 0 to 1; null before the first.',
    ),
    averageRating,
    updatedAt: a.described(a.time, 'When the newest record was made, epoch milliseconds.'),
  }),
);

const recordSchema = a.named(
  'ReputationRecord',
  a.object(
    {
      id: { type: 'string', pattern: '^rev-' },
      issuer: a.described(a.did, 'Who says so.'),
      target: a.described(a.did, 'Whom it is about.'),
      dimension: a.oneOf(...dimensions),
      score,
      rating,
      ref: a.described(a.text, 'Id of the order or contract behind it.'),
      createdAt: a.time,
      resourcePrev: a.described(a.hash, 'Hash of the event that made it. A review never changes.'),
    },
    { comment: a.text, aspects: a.freeObject },
  ),
);

export const reviewsSchema = pageOf('reviews', recordSchema, { averageRating });
export const reviewedSchema = a.named('ReputationRecordResult', written(recordSchema));
