/**
 * Workflows of task orders (docs/reference/markets.md#task-orders): their escrow, and their listing's statistics. The
 * requester, or the clock in its place, pays the provider; only the clock refunds.
 */
import type { JsonObject } from '../../core/canonical.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import { paidOut } from '../escrow/parts.js';
import type { ReadResource, Request, SubCommand, Workflow } from '../kernel/resource.js';
import { restored } from '../listing/parts.js';
import { tally } from '../listing/stats.js';
import { finishedParts, type OrderReview, reviewPart } from '../reputation/trade.js';
import type { TaskOrderContext } from './machine.js';

type Follows = (
  order: TaskOrderContext,
  request: Request,
  by: { readonly signer: string; readonly read: ReadResource },
) => readonly SubCommand[];

const unknown = (id: string): Refusal => refuse('ORDER_NOT_FOUND', `no task-order ${id} on this network`);

const orderOf = (read: ReadResource, id: string): TaskOrderContext | undefined =>
  read('task-order', id)?.context as unknown as TaskOrderContext | undefined;

/** The order's own sub-command comes first and may refuse; then the sub-commands that follow from it. */
const then = (follows: Follows, own: (request: Request) => JsonObject = ({ input }) => input): Workflow => ({
  revision: 1,
  subCommands(request, read, { signer }) {
    const order = orderOf(read, request.id);
    return order
      ? [{ ...request, input: own(request) }, ...follows(order, request, { signer, read })]
      : unknown(request.id);
  },
});

/** A paid order was carried out: both parties get records, late or in time. */
const pay: Follows = (order, { id }) => [
  ...paidOut(order.escrowId, { release: order.price }),
  tally(order.taskId, { completedOrders: 1 }),
  ...finishedParts({
    ref: id,
    client: order.requester,
    provider: order.provider,
    price: order.price,
    inTime: (order.submissions.at(-1)?.deliveredAt ?? 0) <= order.dueAt,
  }),
];

const payBack: Follows = ({ escrowId, price, taskId }, _, { read }) => [
  ...paidOut(escrowId, { refund: price }),
  ...restored(read, { kind: 'task-listing', id: taskId, quantity: 0 }),
];

const review: Follows = ({ requester, provider, taskId }, { id, input }, { signer }) => {
  const { rating, ...said } = input as unknown as Pick<OrderReview, 'rating' | 'comment' | 'aspects'>;
  const isRequester = signer === requester;
  return [
    reviewPart({ ref: id, signer, target: isRequester ? provider : requester, rating, ...said }),
    ...(isRequester ? [tally(taskId, { rating })] : []),
  ];
};

export const taskOrderWorkflows: { readonly [action: string]: Workflow } = {
  'task-order.deliver': then(
    () => [],
    ({ input, ids }) => ({ ...input, submissionId: input.submissionId ?? ids?.submission ?? '' }),
  ),
  'task-order.confirm': then(pay),
  'task-order.settle': then(pay),
  'task-order.cancel': then(payBack),
  'task-order.review': then(review),
};
