/** Reputations and reviews as callers see them (docs/reference/reputation.md). */
import { publicForm, resourceForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import type { Resource } from '../kernel/resource.js';
import { dimensions, highestScore, type ReputationRecord, ratingOfScore } from './record.js';
import { levelNames, type Scores } from './scores.js';

const scored = a.described(
  { type: ['integer', 'null'], minimum: 0, maximum: highestScore },
  'Weighted mean, 0 to 1000; null if all its records have lost their weight.',
);
const dimensionSchema = a.named(
  'ReputationDimension',
  a.object({
    score: scored,
    count: a.described(a.count, 'Records of it.'),
    updatedAt: a.described(a.time, 'When the newest of them was made; epoch milliseconds.'),
  }),
);
export const averageRatingSchema = a.described(
  { type: ['number', 'null'], minimum: 0, maximum: 5 },
  'Mean of all reviews, in stars; null if there are none.',
);

const reputationForm = publicForm<Scores & { readonly did: string }>({
  did: a.described(a.did, 'The DID that it is about.'),
  score: scored,
  level: a.described(a.oneOf(...levelNames), 'The score as a word.'),
  levelNumber: [
    a.described(
      { type: 'integer', minimum: 0, maximum: levelNames.length - 1 },
      'The level as a number: 0 is `unrated`.',
    ),
    ({ level }) => levelNames.indexOf(level),
  ],
  dimensions: [
    a.described(
      a.object(
        {},
        Object.fromEntries(
          dimensions.map((name) => [name, a.described(dimensionSchema, `What is recorded of its ${name}.`)]),
        ),
      ),
      'Those with records.',
    ),
    (scores) => scores.dimensions,
  ],
  totalTransactions: a.described(a.count, 'Finished orders and contracts for which something was paid.'),
  successRate: a.described(
    { type: ['number', 'null'], minimum: 0, maximum: 1 },
    'Share of them in which the DID lost no dispute, 0 to 1; null if there are none.',
  ),
  averageRating: averageRatingSchema,
  updatedAt: a.described(a.time, 'When the newest record was made, epoch milliseconds.'),
});

export const reputationSchema = a.named('Reputation', reputationForm.schema);
export const reputationView = reputationForm.view;

const recordForm = resourceForm<Resource<ReputationRecord>>({
  id: [a.described({ type: 'string', pattern: '^rev-' }, 'Id of the record.'), ({ id }) => id],
  issuer: a.described(a.did, 'DID of the reviewer.'),
  target: a.described(a.did, 'DID that the record is about.'),
  reviewer: [a.described(a.did, 'The same as `issuer`.'), ({ context }) => context.issuer],
  reviewee: [a.described(a.did, 'The same as `target`.'), ({ context }) => context.target],
  dimension: a.described(a.oneOf(...dimensions), 'Dimension of the record.'),
  score: a.described({ type: 'integer', minimum: 0, maximum: highestScore }, '0 to 1000.'),
  rating: [
    a.described({ type: 'number', minimum: 0, maximum: 5 }, 'The score in stars, 0 to 5.'),
    ({ context }) => ratingOfScore(context.score),
  ],
  source: a.described(
    a.oneOf('review', 'deal'),
    '`review`: a party says it; `deal`: the node has recorded it by itself.',
  ),
  ref: a.described(a.text, 'Id of the order or contract that it is about.'),
  createdAt: [a.described(a.time, 'When it was created; epoch milliseconds.'), ({ createdAt }) => createdAt],
  resourcePrev: [
    a.described(a.hash, 'Hash of the event that made it. A review never changes.'),
    ({ lastHash }) => lastHash,
  ],
  comment: [
    a.erasable(a.text, 'The reviewer’s comment; null if there is none.'),
    ({ context }) => context.comment ?? null,
  ],
  aspects: [
    a.erasable(a.freeObject, 'Further details from the reviewer; null if there are none.'),
    ({ context }) => context.aspects ?? null,
  ],
});

export const reviewSchema = a.named('ReputationRecord', recordForm.schema);
export const reviewView = recordForm.view;
