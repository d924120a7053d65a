/**
 * The task order as a resource (docs/reference/markets.md#task-orders). Its payloads are for its parties and the
 * arbiter of its dispute.
 */

import * as is from '../../core/schema/scalar.js';
import { withEnvelope } from '../deliverable/envelope.js';
import { undisputed } from '../dispute/claim.js';
import { orderDispute, orderGuards, orderResolve } from '../dispute/order-actions.js';
import { ruledMoves } from '../dispute/ruling.js';
import { defineResource } from '../kernel/definition.js';
import { type TaskOrderContext, taskOrderMachine } from './machine.js';
import { mostSubmissions } from './submission.js';
import { deliverTask, judgeTask, orderOfTask, saysNothingDelivered } from './transformers.js';
import { taskOrderSchema, taskOrderStatuses, taskOrderView } from './view.js';

const createInput = is.object({
  taskId: is.described(is.chosenId(), 'Id of the task’s listing.'),
  bidId: is.described(is.chosenId(), 'The bid that was accepted.'),
  provider: is.did,
  price: is.amount,
  escrowId: is.chosenId(),
  deliverBy: is.time,
});

const deliverInput = is.aliased(
  is.object({
    deliverables: is.described(
      is.atMostBytes(is.list(is.leaf(is.anything), 0, 100), 65_536),
      'The deliverables: texts or objects of any form. May be `[]` where `delivery.envelope` is given.',
    ),
    submissionId: is.optional(is.chosenId('sub-'), 'Id of the submission; default: the node creates one.'),
    notes: is.optional(is.leaf(is.text(10_000)), 'A note to the requester.'),
    delivery: is.optional(withEnvelope, 'A delivery whose form the node checks.'),
  }),
  { submission: 'deliverables[]', message: 'notes' },
);

const judgement = {
  submissionId: is.optional(
    is.chosenId(),
    'The submission to decide about, which must be the newest. Default: the newest.',
  ),
  feedback: is.optional(is.leaf(is.text(10_000)), 'What you say about it.'),
};

const confirmedDelivery = is.object({
  envelope: is.optional(is.freeObject, 'Its envelope, as the order shows it.'),
  content: is.optional(is.text(1_000_000), 'Its content in base64, which is compared with `contentHash`.'),
});

const nothing = { input: is.object({}), example: {} };
const path = (action: string): string => `/markets/tasks/:taskId/actions/${action}`;
const notNow = { code: 'ORDER_INVALID_STATE' } as const;

export const taskOrder = defineResource({
  kind: 'task-order',
  revision: 2,
  machine: taskOrderMachine,
  tones: { confirmed: 'good', reviewed: 'good', cancelled: 'neutral', disputed: 'trouble' },
  route: { path: '/orders', param: 'orderId', tag: 'Market: tasks', idPrefix: 'task-ord-', ownReads: true },
  refusals: { unknown: 'ORDER_NOT_FOUND', state: 'ORDER_INVALID_STATE', stale: 'ORDER_INVALID_STATE' },
  // Lists of orders of all markets use the roles buyer and seller.
  roles: {
    requester: ({ requester }) => [requester],
    provider: ({ provider }) => [provider],
    buyer: ({ requester }) => [requester],
    seller: ({ provider }) => [provider],
    arbiter: ({ arbiter }) => (arbiter ? [arbiter] : []),
  },
  create: {
    event: 'task-order.opened',
    summary: 'Accepting a bid creates the order.',
    idField: 'orderId',
    internal: true,
    who: ['workflow'],
    input: createInput,
    example: {
      taskId: 'lst-01J0000000000000000000000',
      bidId: 'bid-01J0000000000000000000000',
      provider: 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
      price: 40,
      escrowId: 'esc-01J0000000000000000000000',
      deliverBy: 1_900_000_000_000,
    },
    check: () => undefined,
    context: ({ input, signer }): TaskOrderContext => ({
      ...input,
      requester: signer,
      dueAt: input.deliverBy,
      confirmBy: null,
      submissions: [],
      rejections: 0,
      confirmedAt: null,
      cancelledAt: null,
      ...undisputed,
      reviews: {},
    }),
  },
  actions: {
    begin: {
      ...nothing,
      event: 'task-order.accepted',
      who: ['workflow'],
      summary: 'Its price is in escrow.',
      internal: true,
    },
    deliver: {
      transform: deliverTask,
      event: 'task-order.delivered',
      who: ['provider'],
      path: path('deliver'),
      refusals: { who: 'SUBMISSION_NOT_ALLOWED', state: 'SUBMISSION_NOT_ALLOWED' },
      input: deliverInput,
      example: { deliverables: [{ name: 'manual-en.pdf', uri: 'https://example.org/manual-en.pdf' }] },
      summary: 'Deliver the work, or its hash; with delivery.envelope a signed deliverable envelope.',
      makes: { submission: 'sub-' },
    },
    confirm: {
      moves: [{ amount: 'price', from: 'requester, escrowed', to: 'provider, available' }],
      transform: judgeTask,
      event: 'task-order.confirmed',
      who: ['requester'],
      path: path('confirm'),
      input: is.object({
        ...judgement,
        approved: is.optional(is.boolean, '`false` rejects it; default true.'),
        delivery: is.optional(
          confirmedDelivery,
          'The delivery that you mean: the node refuses the request if it is not that of the newest submission.',
        ),
      }),
      example: { approved: true },
      summary: 'Approve the delivery, which pays the provider; with approved: false, reject it.',
    },
    reject: {
      event: 'task-order.rejected',
      who: ['requester'],
      path: path('reject'),
      input: is.aliased(is.object(judgement), { reason: 'feedback' }),
      example: { feedback: 'Chapter two is missing.' },
      summary: 'Reject the delivery: the same as confirm with approved: false.',
    },
    settle: {
      moves: [{ amount: 'price', from: 'requester, escrowed', to: 'provider, available' }],
      ...nothing,
      event: 'task-order.settled',
      who: ['clock'],
      summary: 'The clock confirms what no one has judged in time.',
      internal: true,
    },
    cancel: {
      moves: [{ amount: 'price', from: 'requester, escrowed', to: 'requester, available' }],
      ...nothing,
      event: 'task-order.cancelled',
      who: ['clock'],
      summary: 'The clock cancels an order that was not delivered in time; the price goes back to the requester.',
      internal: true,
    },
    dispute: { ...orderDispute, event: 'task-order.disputed', who: ['requester', 'provider'] },
    resolve: {
      moves: ruledMoves('requester', 'provider'),
      ...orderResolve,
      event: 'task-order.resolved',
      eventInPlace: 'task-order.resolution-proposed',
      who: ['requester', 'provider', 'arbiter', 'workflow'],
    },
    review: {
      event: 'task-order.reviewed',
      who: ['requester', 'provider'],
      path: path('review'),
      input: is.object({
        rating: is.described(is.integer(1, 5), '1 to 5 stars.'),
        comment: is.optional(is.leaf(is.text(2_000)), 'Your comment.'),
        aspects: is.optional(
          is.leaf(is.atMostBytes(is.freeObject, 4_096)),
          'Further details, in members of your choice.',
        ),
      }),
      example: { rating: 5 },
      summary: 'Review the other party, once.',
    },
  },
  guards: {
    ...orderGuards,
    wasRejectedThrice: {
      code: 'DISPUTE_NOT_ALLOWED',
      over: 'state',
      says: [
        'fewer than three deliveries were rejected, and its deadlines end it anyway',
        ({ rejections }) =>
          `an order is disputed once three deliveries were rejected: ${rejections} so far, and its deadlines end it anyway`,
      ],
    },
    paysProvider: { ...orderGuards.isHeard, says: 'the ruling does not pay the provider' },
    paysRequesterBack: { ...orderGuards.isHeard, says: 'the ruling does not pay the requester back' },
    bringsContent: { code: 'SUBMISSION_NOT_ALLOWED', over: 'input', says: saysNothingDelivered },
    envelopeHolds: {
      code: 'UNPROCESSABLE',
      over: 'input',
      says: 'delivery.envelope is not a sound one of the provider’s for this order',
    },
    submissionIsNew: { code: 'CONFLICT', over: 'input', says: 'the order has a submission with this id' },
    hasTriesLeft: {
      code: 'SUBMISSION_NOT_ALLOWED',
      over: 'state',
      says: `the order has had its ${mostSubmissions} submissions`,
    },
    meansTheNewest: { ...notNow, over: 'input', says: 'submissionId is not the order’s newest submission' },
    confirmByHasPassed: { ...notNow, over: 'state', says: 'the time to judge it has not passed' },
    deliverByHasPassed: { ...notNow, over: 'state', says: 'the time to deliver it has not passed' },
    hasNotReviewed: { ...notNow, over: 'state', says: 'you have reviewed it before' },
    isTheRequester: { ...notNow, over: 'state', says: 'the requester’s review completes it' },
  },
  effects: {},
  alarm: (state, { deliverBy, confirmBy }) => {
    if (state === 'accepted') return { at: deliverBy, action: 'cancel' };
    return state === 'delivered' && confirmBy !== null ? { at: confirmBy, action: 'settle' } : null;
  },
  labels: ({ requester, provider }) => [
    `requester:${requester}`,
    `provider:${provider}`,
    `buyer:${requester}`,
    `seller:${provider}`,
  ],
  list: {
    name: 'orders',
    roles: ['requester', 'provider', 'buyer', 'seller'],
    synonyms: ['buyer', 'seller'],
    statuses: taskOrderStatuses,
  },
  payloadReaders: ({ requester, provider, arbiter }) => [requester, provider, ...(arbiter ? [arbiter] : [])],
  trade: {
    parties: ({ requester, provider }) => ({ client: requester, provider }),
    isFinished: (state) => state === 'confirmed' || state === 'reviewed',
    order: ({ price, escrowId, taskId, submissions, dueAt }) => ({
      ...{ price, escrowId, listingId: taskId },
      inTime: submissions.length > 0 && submissions.at(-1)!.deliveredAt <= dueAt,
      unsold: { kind: 'task-listing', quantity: 0 },
    }),
  },
  defaultId: orderOfTask,
  view: taskOrderView,
  viewSchema: taskOrderSchema,
});
