import * as is from '../../core/schema/scalar.js';
import { defineResource } from '../kernel/definition.js';
import { type BidContext, bidMachine } from './machine.js';
import { bidSchema, bidStatuses, bidView } from './view.js';

const createInput = is.aliased(
  is.object({
    taskId: is.described(is.chosenId(), 'Id of the task’s listing.'),
    price: is.described(is.amount, 'Tokens for the whole task.'),
    timeline: is.optional(is.leaf(is.atMostBytes(is.anything, 2_048)), 'When you would deliver, as free text.'),
    approach: is.optional(is.leaf(is.text(10_000)), 'How you would do it.'),
    proposal: is.optional(
      is.leaf(is.atMostBytes(is.anything, 16_384)),
      'Further details of the offer, in a form of your choice.',
    ),
  }),
  { amount: 'price', message: 'approach' },
);
type CreateBidInput = is.TypeOf<typeof createInput> & {
  /** Added by the workflow, from the listing. */
  readonly requester?: string;
};

const reason = is.object({ reason: is.optional(is.leaf(is.text(1_000)), 'Your reason.') });
const ofOneTask = '/markets/tasks/:taskId/bids';
const actionPath = (action: string): string => `${ofOneTask}/:bidId/actions/${action}`;

export const bid = defineResource({
  kind: 'bid',
  revision: 2,
  machine: bidMachine,
  tones: { accepted: 'good', rejected: 'neutral', withdrawn: 'neutral' },
  route: { path: '/markets/tasks/bids', param: 'bidId', tag: 'Market: tasks', idPrefix: 'bid-' },
  refusals: { unknown: 'NOT_FOUND', state: 'ORDER_INVALID_STATE', stale: 'CONFLICT' },
  roles: { requester: ({ requester }) => [requester], bidder: ({ bidder }) => [bidder] },
  create: {
    event: 'bid.submitted',
    summary: 'Bid on a task: once, while its bidding is open.',
    mayRefuse: ['BID_NOT_ALLOWED', 'LISTING_NOT_ACTIVE'],
    idField: 'bidId',
    path: ofOneTask,
    // The listing's state machine refuses bids on other markets' listings with BID_NOT_ALLOWED.
    of: 'searched',
    input: createInput as is.Scalar<CreateBidInput>,
    example: { taskId: 'lst-01J0000000000000000000000', price: 40, timeline: '5 days', approach: 'By hand, twice.' },
    check: () => undefined,
    context: ({ input, signer }): BidContext => ({
      taskId: input.taskId,
      requester: input.requester ?? '',
      bidder: signer,
      price: input.price,
      timeline: input.timeline ?? null,
      approach: input.approach ?? null,
      proposal: input.proposal ?? null,
      reason: null,
      orderId: null,
      escrowId: null,
    }),
  },
  actions: {
    accept: {
      mayRefuse: ['LISTING_NOT_ACTIVE', 'LISTING_NOT_FOUND', 'ORDER_INVALID_STATE'],
      moves: [{ amount: 'price', from: 'requester, available', to: 'requester, escrowed' }],
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
      summary: 'Withdraw a bid; a bidder can’t bid on the same task again.',
    },
  },
  guards: {},
  effects: {},
  alarm: () => null,
  labels: ({ taskId, bidder, requester }) => {
    const parties = [`bidder:${bidder}`, `requester:${requester}`];
    // The order in which listBelow looks labels up: the path's parameter comes first.
    return [...parties, `taskId:${taskId}`, ...parties.map((party) => `taskId:${taskId}/${party}`)];
  },
  list: {
    name: 'bids',
    roles: ['bidder', 'requester'],
    statuses: bidStatuses,
    below: [
      {
        of: 'task-listing',
        path: ofOneTask,
        name: 'listTaskBids',
        summary: 'List the bids on a task, newest first, by party, role and status.',
      },
    ],
  },
  view: bidView,
  viewSchema: bidSchema,
});
