/** The bid as callers see it, and the schema of that (interface, Markets: tasks). */
import type { JsonObject } from '../kernel/canonical.js';
import type { Resource } from '../kernel/resource.js';
import * as a from '../kernel/shape.js';
import type { BidContext } from './machine.js';

export const bidStatuses = ['submitted', 'accepted', 'rejected', 'withdrawn'] as const;

export const bidView = ({ id, state, context, lastHash, createdAt, updatedAt }: Resource<BidContext>): JsonObject => ({
  bidId: id,
  id,
  taskId: context.taskId,
  bidder: context.bidder,
  requester: context.requester,
  price: context.price,
  timeline: context.timeline,
  approach: context.approach,
  status: state,
  reason: context.reason,
  orderId: context.orderId,
  escrowId: context.escrowId,
  createdAt,
  updatedAt,
  resourcePrev: lastHash,
});

export const bidSchema = a.named(
  'TaskBid',
  a.object({
    bidId: a.text,
    id: a.described(a.text, 'The same as `bidId`.'),
    taskId: a.described(a.text, 'Id of the task’s listing.'),
    bidder: a.described(a.did, 'DID that offers to do the task.'),
    requester: a.described(a.did, 'DID whose task it is.'),
    price: a.described(a.tokens, 'Tokens that accepting it puts into escrow.'),
    timeline: { description: 'As the bidder put it; null where it said nothing.' },
    approach: a.nullable(a.text),
    status: a.oneOf(...bidStatuses),
    reason: a.described(a.nullable(a.text), 'Why it was rejected or withdrawn, where somebody said so.'),
    orderId: a.described(a.nullable(a.text), 'The order that accepting it made.'),
    escrowId: a.described(a.nullable(a.text), 'The escrow that holds its price.'),
    createdAt: a.time,
    updatedAt: a.time,
    resourcePrev: a.described(a.hash, 'Hash of its last event: what the next write sends as `resourcePrev`.'),
  }),
);
