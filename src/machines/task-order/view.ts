/**
 * The task order as callers see it, and its schema (docs/reference/markets.md#task-orders). Only its parties see
 * deliveries and reviews.
 */

import { resourceForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import { confirmByField, reviewsField } from '../info-order/view.js';
import type { Resource } from '../kernel/resource.js';
import { versionFields } from '../kernel/version-fields.js';
import type { TaskOrderContext } from './machine.js';

export const taskOrderStatuses = [
  'open',
  'accepted',
  'delivered',
  'confirmed',
  'reviewed',
  'cancelled',
  'disputed',
] as const;

const submission = a.named(
  'Submission',
  a.object({
    submissionId: a.described(a.text, 'Id of the submission.'),
    status: a.described(a.oneOf('submitted', 'approved', 'rejected'), 'Its current state.'),
    envelopeDigest: a.nullable(a.hash, 'SHA-256 of the signed envelope.'),
    deliveredAt: a.described(a.time, 'When it was delivered; epoch milliseconds.'),
    decidedAt: a.nullable(a.time, 'When it was approved or rejected; epoch milliseconds, null until then.'),
    deliverables: a.confidential(a.described(a.list(a.erasable(a.anything)), 'As they came.')),
    notes: a.confidential(a.erasable(a.text, 'The provider’s note; null: none.')),
    envelope: a.confidential(a.nullable(a.freeObject, 'The deliverable envelope, completed and signed.')),
    feedback: a.confidential(a.erasable(a.text, 'What the requester said about it; null: nothing.')),
  }),
);

const form = resourceForm<Resource<TaskOrderContext>>({
  orderId: [a.described(a.text, 'Id of the order.'), ({ id }) => id],
  id: [a.described(a.text, 'The same as `orderId`.'), ({ id }) => id],
  marketType: [a.described(a.constant('task'), 'Market of the order.'), () => 'task'],
  listingId: [a.described(a.text, 'Id of the task’s listing.'), ({ context }) => context.taskId],
  taskId: a.described(a.text, 'The same as `listingId`.'),
  bidId: a.described(a.text, 'The bid that was accepted.'),
  requester: a.described(a.did, 'DID whose task it is.'),
  provider: a.described(a.did, 'DID that does it.'),
  buyer: [a.described(a.did, 'The same as `requester`.'), ({ context }) => context.requester],
  seller: [a.described(a.did, 'The same as `provider`.'), ({ context }) => context.provider],
  price: a.described(a.tokens, 'Tokens for the whole task.'),
  currency: [a.described(a.constant('TOKEN'), 'Always Tokens.'), () => 'TOKEN'],
  escrowId: a.described(a.text, 'The escrow that holds the price.'),
  status: [a.described(a.oneOf(...taskOrderStatuses), 'Its current state.'), ({ state }) => state],
  dueAt: a.described(a.time, 'When the work was due, as agreed; epoch milliseconds.'),
  deliverBy: a.described(a.time, 'When the clock cancels an order that is not delivered; a rejection may postpone it.'),
  deliveredAt: [
    a.nullable(a.time, 'When the newest submission was delivered; epoch milliseconds, null before.'),
    ({ context }) => context.submissions.at(-1)?.deliveredAt ?? null,
  ],
  confirmBy: confirmByField,
  submissionId: [
    a.nullable(a.text, 'The newest submission.'),
    ({ context }) => context.submissions.at(-1)?.submissionId ?? null,
  ],
  submissions: a.described(a.list(submission), 'All that was delivered, oldest first.'),
  rejections: a.described(a.count, 'How many of them were rejected.'),
  confirmedAt: a.nullable(a.time, 'When it was confirmed; epoch milliseconds, null before.'),
  cancelledAt: a.nullable(a.time, 'When it was cancelled; epoch milliseconds, null before.'),
  disputeId: a.nullable(a.text, 'Its dispute, if there is or was one.'),
  reviews: reviewsField('requester', 'provider'),
  ...versionFields,
});

export const taskOrderView = form.view;
export const taskOrderSchema = a.named('TaskOrder', form.schema);
