/**
 * The task order as callers see it, and the schema of that (interface, Orders; decisions.md, Tasks). What was delivered
 * and said about it is its parties' alone.
 */

import { reviewSchema } from '../info-order/view.js';
import type { Json, JsonObject } from '../kernel/canonical.js';
import type { Resource, Seen } from '../kernel/resource.js';
import * as a from '../kernel/shape.js';
import type { TaskOrderContext } from './machine.js';
import type { Submission } from './submission.js';

export const taskOrderStatuses = [
  'open',
  'accepted',
  'delivered',
  'confirmed',
  'reviewed',
  'cancelled',
  'disputed',
] as const;

const outer = ({ submissionId, status, envelopeDigest, deliveredAt, decidedAt }: Submission): JsonObject => ({
  submissionId,
  status,
  envelopeDigest,
  deliveredAt,
  decidedAt,
});

export function taskOrderView(
  { id, state, context, lastHash, createdAt, updatedAt }: Resource<TaskOrderContext>,
  { reader }: Seen,
): JsonObject {
  const { requester, provider, submissions } = context;
  const isParty = reader === requester || reader === provider;
  return {
    orderId: id,
    id,
    marketType: 'task',
    listingId: context.taskId,
    taskId: context.taskId,
    bidId: context.bidId,
    requester,
    provider,
    buyer: requester,
    seller: provider,
    price: context.price,
    currency: 'TOKEN',
    escrowId: context.escrowId,
    status: state,
    dueAt: context.dueAt,
    deliverBy: context.deliverBy,
    confirmBy: context.confirmBy,
    submissionId: submissions.at(-1)?.submissionId ?? null,
    submissions: (isParty ? [...submissions] : submissions.map(outer)) as unknown as Json,
    rejections: context.rejections,
    confirmedAt: context.confirmedAt,
    cancelledAt: context.cancelledAt,
    disputeId: context.disputeId,
    reviews: context.reviews as unknown as Json,
    createdAt,
    updatedAt,
    resourcePrev: lastHash,
  };
}

const submission = a.named(
  'Submission',
  a.object(
    {
      submissionId: a.text,
      status: a.oneOf('submitted', 'approved', 'rejected'),
      envelopeDigest: a.described(a.nullable(a.hash), 'SHA-256 of the signed envelope.'),
      deliveredAt: a.time,
      decidedAt: a.nullable(a.time),
    },
    {
      deliverables: a.described(a.list(a.anything), 'As they came; for the order’s parties, like all below.'),
      notes: a.nullable(a.text),
      envelope: a.described(a.nullable(a.freeObject), 'The deliverable envelope, completed and signed.'),
      feedback: a.nullable(a.text),
    },
  ),
);

export const taskOrderSchema = a.named(
  'TaskOrder',
  a.object({
    orderId: a.text,
    id: a.described(a.text, 'The same as `orderId`.'),
    marketType: { const: 'task' },
    listingId: a.described(a.text, 'Id of the task’s listing.'),
    taskId: a.described(a.text, 'The same as `listingId`.'),
    bidId: a.described(a.text, 'The bid that was accepted.'),
    requester: a.described(a.did, 'DID whose task it is.'),
    provider: a.described(a.did, 'DID that does it.'),
    buyer: a.described(a.did, 'The same as `requester`.'),
    seller: a.described(a.did, 'The same as `provider`.'),
    price: a.tokens,
    currency: { const: 'TOKEN' },
    escrowId: a.described(a.text, 'The escrow that holds the price.'),
    status: a.oneOf(...taskOrderStatuses),
    dueAt: a.described(a.time, 'When the work was due, as agreed; epoch milliseconds.'),
    deliverBy: a.described(a.time, 'When the clock cancels what is not delivered; a rejection may put it off.'),
    confirmBy: a.described(a.nullable(a.time), 'When the clock confirms what was delivered and not judged.'),
    submissionId: a.described(a.nullable(a.text), 'The newest submission.'),
    submissions: a.list(submission),
    rejections: a.count,
    confirmedAt: a.nullable(a.time),
    cancelledAt: a.nullable(a.time),
    disputeId: a.described(a.nullable(a.text), 'Its dispute, where there is or was one.'),
    reviews: a.described(a.object({}, { requester: reviewSchema, provider: reviewSchema }), 'By who has written them.'),
    createdAt: a.time,
    updatedAt: a.time,
    resourcePrev: a.described(a.hash, 'Hash of its last event: what the next write sends as `resourcePrev`.'),
  }),
);
