/**
 * The bid as a resource (interface, Markets: tasks; decisions.md, Tasks). Bids are for everybody to read, like the tasks
 * that they are made on.
 */
import type { Json } from '../kernel/canonical.js';
import { defineResource } from '../kernel/resource.js';
import * as is from '../kernel/scalar.js';
import { type BidContext, bidMachine } from './machine.js';
import { bidSchema, bidStatuses, bidView } from './view.js';

const createInput = is.object({
  taskId: is.chosenId(),
  price: is.amount,
  timeline: is.optional(is.atMostBytes(is.anything, 2_048)),
  approach: is.optional(is.text(10_000)),
});
type CreateInput = is.TypeOf<typeof createInput> & {
  /** The workflow's to give, out of the listing. */
  readonly requester?: string;
};

const reason = is.object({ reason: is.optional(is.text(1_000)) });
const ofOneTask = '/markets/tasks/:taskId/bids';
const actionPath = (action: string): string => `${ofOneTask}/:bidId/actions/${action}`;

export const bid = defineResource({
  kind: 'bid',
  revision: 1,
  machine: bidMachine,
  route: { path: '/markets/tasks/bids', param: 'bidId', tag: 'Market: tasks', idPrefix: 'bid-' },
  refusals: { unknown: 'NOT_FOUND', state: 'ORDER_INVALID_STATE', stale: 'CONFLICT' },
  roles: { requester: ({ requester }) => [requester], bidder: ({ bidder }) => [bidder] },
  create: {
    event: 'bid.submitted',
    summary: 'Bid on a task: once, while its bidding is open.',
    idField: 'bidId',
    path: ofOneTask,
    // Bids on other markets' listings are BID_NOT_ALLOWED, which is for the law to say.
    of: 'searched',
    input: createInput as is.Scalar<CreateInput>,
    example: { taskId: 'lst-01J0000000000000000000000', price: 40, timeline: '5 days', approach: 'By hand, twice.' },
    check: () => undefined,
    context: ({ input, signer }): BidContext => ({
      taskId: input.taskId,
      requester: input.requester ?? '',
      bidder: signer,
      price: input.price,
      timeline: (input.timeline ?? null) as Json,
      approach: input.approach ?? null,
      reason: null,
      orderId: null,
      escrowId: null,
    }),
  },
  actions: {
    accept: {
      event: 'bid.accepted',
      who: ['requester'],
      path: actionPath('accept'),
      input: is.object({}),
      example: {},
      summary: 'Accept a bid: its price goes into escrow, an order begins, all other bids are rejected.',
      makes: { order: 'task-ord-', escrow: 'esc-' },
      idFields: { order: 'orderId' },
      reply: { kind: 'task-order' },
    },
    reject: {
      event: 'bid.rejected',
      who: ['requester', 'workflow'],
      path: actionPath('reject'),
      input: reason,
      example: {},
      summary: 'Reject a bid.',
    },
    withdraw: {
      event: 'bid.withdrawn',
      who: ['bidder'],
      path: actionPath('withdraw'),
      input: reason,
      example: {},
      summary: 'Take a bid back; there is no second one on the same task.',
    },
  },
  guards: {},
  effects: {},
  alarm: () => null,
  labels: ({ taskId, bidder, requester }) => {
    const parties = [`bidder:${bidder}`, `requester:${requester}`];
    // As listBelow looks for them: what stands in the path comes first.
    return [...parties, `taskId:${taskId}`, ...parties.map((party) => `taskId:${taskId}/${party}`)];
  },
  list: { name: 'bids', roles: ['bidder', 'requester'], statuses: bidStatuses },
  view: bidView,
  viewSchema: bidSchema,
});
