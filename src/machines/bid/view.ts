/** The bid as callers see it (docs/reference/markets.md). */
import { resourceForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import type { Resource } from '../kernel/resource.js';
import { versionFields } from '../kernel/version-fields.js';
import type { BidContext } from './machine.js';

export const bidStatuses = ['submitted', 'accepted', 'rejected', 'withdrawn'] as const;

const form = resourceForm<Resource<BidContext>>({
  bidId: [a.described(a.text, 'Id of the bid.'), ({ id }) => id],
  id: [a.described(a.text, 'The same as `bidId`.'), ({ id }) => id],
  listingId: [a.described(a.text, 'Id of the task’s listing.'), ({ context }) => context.taskId],
  taskId: a.described(a.text, 'The same as `listingId`.'),
  bidder: a.described(a.did, 'DID that offers to do the task.'),
  requester: a.described(a.did, 'DID whose task it is.'),
  price: a.described(a.tokens, 'Tokens that go into escrow when the bid is accepted.'),
  timeline: a.erasable({ description: 'The bidder’s timeline; null if not given.' }),
  approach: a.erasable(a.text, 'The bidder’s approach; null if not given.'),
  proposal: a.erasable({ description: 'Further details of the offer; null if not given.' }),
  status: [a.described(a.oneOf(...bidStatuses), 'State of the bid.'), ({ state }) => state],
  reason: a.erasable(a.text, 'Why it was rejected or withdrawn, if a reason was given.'),
  orderId: a.nullable(a.text, 'The order that resulted from its acceptance.'),
  escrowId: a.nullable(a.text, 'The escrow that holds its price.'),
  ...versionFields,
});

export const bidView = form.view;
export const bidSchema = a.named('TaskBid', form.schema);
