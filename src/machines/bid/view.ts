/** The bid as callers see it (docs/reference/markets.md). */
import { publicForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import type { Resource } from '../kernel/definition.js';
import { versionFields } from '../kernel/version-fields.js';
import type { BidContext } from './machine.js';

export const bidStatuses = ['submitted', 'accepted', 'rejected', 'withdrawn'] as const;

const form = publicForm<Resource<BidContext>>({
  bidId: [a.described(a.text, 'Id of the bid.'), ({ id }) => id],
  id: [a.described(a.text, 'The same as `bidId`.'), ({ id }) => id],
  taskId: [a.described(a.text, 'Id of the task’s listing.'), ({ context }) => context.taskId],
  bidder: [a.described(a.did, 'DID that offers to do the task.'), ({ context }) => context.bidder],
  requester: [a.described(a.did, 'DID whose task it is.'), ({ context }) => context.requester],
  price: [a.described(a.tokens, 'Tokens that accepting it puts into escrow.'), ({ context }) => context.price],
  timeline: [{ description: 'As the bidder put it; null where it said nothing.' }, ({ context }) => context.timeline],
  approach: [
    a.described(a.nullable(a.text), 'How the bidder would do it; null where it said nothing.'),
    ({ context }) => context.approach,
  ],
  status: [a.described(a.oneOf(...bidStatuses), 'Where the bid stands.'), ({ state }) => state],
  reason: [
    a.described(a.nullable(a.text), 'Why it was rejected or withdrawn, where somebody said so.'),
    ({ context }) => context.reason,
  ],
  orderId: [a.described(a.nullable(a.text), 'The order that accepting it made.'), ({ context }) => context.orderId],
  escrowId: [a.described(a.nullable(a.text), 'The escrow that holds its price.'), ({ context }) => context.escrowId],
  ...versionFields,
});

export const bidView = form.view;
export const bidSchema = a.named('TaskBid', form.schema);
