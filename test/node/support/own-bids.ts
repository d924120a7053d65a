/** A market whose bids only their parties may read, unlike those of the catalogue. */
import { and, setup } from 'xstate';
import type { JsonObject } from '../../../src/core/canonical.js';
import { refuse } from '../../../src/core/refusal.js';
import * as is from '../../../src/core/schema/scalar.js';
import { catalogue, catalogueOf } from '../../../src/machines/catalogue.js';
import { type AnyResource, type Catalogue, defineResource } from '../../../src/machines/kernel/definition.js';
import type { MachineEvent, SubCommand, Workflow } from '../../../src/machines/kernel/resource.js';

type Nothing = Record<never, never>;
const nothing = { summary: 'x', example: {}, input: is.object({}) };

/** What its kinds share. */
const plain = (kind: string, prefix: string) => ({
  kind,
  revision: 1,
  route: { path: `/${kind}s`, param: `${kind}Id`, tag: 'Tasks', idPrefix: prefix },
  effects: {},
  alarm: () => null,
  viewSchema: {},
});

// ── the listing

export interface Task {
  readonly owner: string;
  readonly closesAt: number;
  readonly maxBids: number;
  readonly bids: readonly { readonly id: string; readonly bidder: string }[];
  readonly orderId: string | null;
}
type TaskEvent =
  | MachineEvent<'noteBid', { readonly bidId: string }>
  | MachineEvent<'assign', { readonly orderId: string }>
  | MachineEvent<'remove', Nothing>;

const taskLaw = setup({
  types: { context: {} as Task, events: {} as TaskEvent, input: {} as Task },
  guards: {
    windowIsOpen: ({ context, event }) => event.time < context.closesAt,
    hasRoom: ({ context }) => context.bids.length < context.maxBids,
    isNotTheOwner: ({ context, event }) => event.signer !== context.owner,
    hasNotBid: ({ context, event }) => context.bids.every(({ bidder }) => bidder !== event.signer),
  },
});

const taskMachine = taskLaw.createMachine({
  id: 'task',
  context: ({ input }) => ({ ...input }),
  initial: 'active',
  states: {
    active: {
      on: {
        noteBid: {
          guard: and(['isNotTheOwner', 'hasNotBid', 'windowIsOpen', 'hasRoom']),
          actions: taskLaw.assign(({ context, event }) =>
            event.type === 'noteBid'
              ? { bids: [...context.bids, { id: event.input.bidId, bidder: event.signer }] }
              : {},
          ),
        },
        assign: {
          target: 'assigned',
          actions: taskLaw.assign(({ event }) => (event.type === 'assign' ? { orderId: event.input.orderId } : {})),
        },
        remove: 'removed',
      },
    },
    assigned: {},
    removed: { type: 'final' },
  },
});

const noBid = { code: 'BID_NOT_ALLOWED', over: 'input' } as const;
export const task: AnyResource = defineResource({
  ...plain('task', 'lst-'),
  machine: taskMachine,
  refusals: { unknown: 'LISTING_NOT_FOUND', state: 'LISTING_NOT_ACTIVE', stale: 'CONFLICT' },
  roles: { owner: ({ owner }) => [owner] },
  create: {
    event: 'task.published',
    idField: 'listingId',
    input: is.object({ closesAt: is.time, maxBids: is.optional(is.integer(1, 200)) }),
    example: { closesAt: '2030-01-01T00:00Z' },
    summary: 'x',
    check: () => undefined,
    context: ({ input, signer }): Task => ({
      owner: signer,
      closesAt: input.closesAt,
      maxBids: input.maxBids ?? 100,
      bids: [],
      orderId: null,
    }),
  },
  actions: {
    noteBid: {
      event: 'task.bid-upon',
      who: ['workflow'],
      input: is.object({ bidId: is.chosenId() }),
      example: { bidId: 'bid-1' },
      summary: 'x',
      internal: true,
    },
    assign: {
      event: 'task.assigned',
      who: ['workflow'],
      input: is.object({ orderId: is.chosenId() }),
      example: { orderId: 'task-ord-1' },
      summary: 'x',
      internal: true,
    },
    remove: { ...nothing, event: 'task.removed', who: ['owner'] },
  },
  guards: {
    isNotTheOwner: { ...noBid, says: 'it is your own' },
    hasNotBid: { ...noBid, says: 'you have bid already' },
    windowIsOpen: { ...noBid, over: 'state', says: 'the window is closed' },
    hasRoom: { ...noBid, over: 'state', says: 'there are bids enough' },
  },
  labels: ({ owner }) => [`owner:${owner}`],
  list: { name: 'tasks', roles: ['owner'], statuses: ['active', 'assigned', 'removed'] },
  view: ({ id, state, context }) => ({ listingId: id, status: state, owner: context.owner, bids: context.bids.length }),
});

// ── the bid

export interface Bid {
  readonly taskId: string;
  readonly taskOwner: string;
  readonly bidder: string;
  readonly price: number;
}
type BidEvent = MachineEvent<'accept', Nothing> | MachineEvent<'reject', Nothing>;

const bidMachine = setup({
  types: { context: {} as Bid, events: {} as BidEvent, input: {} as Bid },
}).createMachine({
  id: 'bid',
  context: ({ input }) => ({ ...input }),
  initial: 'submitted',
  states: {
    submitted: { on: { accept: 'accepted', reject: 'rejected' } },
    accepted: { type: 'final' },
    rejected: { type: 'final' },
  },
});

interface BidInput {
  readonly taskId: string;
  readonly price: number;
  /** Set by the workflow, from the task. */
  readonly taskOwner?: string;
}

export const bid: AnyResource = defineResource({
  ...plain('bid', 'bid-'),
  machine: bidMachine,
  refusals: { unknown: 'NOT_FOUND', state: 'ORDER_INVALID_STATE', stale: 'CONFLICT' },
  roles: { owner: ({ taskOwner }) => [taskOwner], bidder: ({ bidder }) => [bidder] },
  create: {
    event: 'bid.submitted',
    idField: 'bidId',
    input: is.object({ taskId: is.chosenId(), price: is.amount }) as is.Scalar<BidInput>,
    example: { taskId: 'lst-1', price: 5 },
    summary: 'x',
    who: ['workflow'],
    check: () => undefined,
    context: ({ input, signer }): Bid => ({
      taskId: input.taskId,
      taskOwner: input.taskOwner ?? '',
      bidder: signer,
      price: input.price,
    }),
  },
  actions: {
    accept: {
      ...nothing,
      event: 'bid.accepted',
      who: ['owner'],
      makes: { order: 'task-ord-', escrow: 'esc-' },
    },
    reject: { ...nothing, event: 'bid.rejected', who: ['owner', 'workflow'] },
  },
  guards: {},
  labels: ({ bidder, taskOwner }) => [`bidder:${bidder}`, `owner:${taskOwner}`],
  list: { name: 'bids', roles: ['bidder', 'owner'], statuses: ['submitted', 'accepted', 'rejected'] },
  isVisibleTo: ({ bidder, taskOwner }, reader) => reader === bidder || reader === taskOwner,
  view: ({ id, state, context }) => ({ bidId: id, status: state, ...context }),
});

// ── the order

export interface Order {
  readonly requester: string;
  readonly provider: string;
  readonly escrowId: string;
  readonly taskId: string;
}
type OrderEvent =
  | MachineEvent<'deliver', { readonly deliverables: readonly string[] }>
  | MachineEvent<'confirm', Nothing>;

const orderLaw = setup({
  types: { context: {} as Order, events: {} as OrderEvent, input: {} as Order },
  guards: { bringsSomething: ({ event }) => event.type === 'deliver' && event.input.deliverables.length > 0 },
});
const orderMachine = orderLaw.createMachine({
  id: 'taskOrder',
  context: ({ input }) => ({ ...input }),
  initial: 'accepted',
  states: {
    accepted: { on: { deliver: { target: 'delivered', guard: 'bringsSomething' } } },
    delivered: { on: { confirm: 'confirmed' } },
    confirmed: { type: 'final' },
  },
});

export const taskOrder: AnyResource = defineResource({
  ...plain('taskOrder', 'task-ord-'),
  machine: orderMachine,
  refusals: { unknown: 'ORDER_NOT_FOUND', state: 'ORDER_INVALID_STATE', stale: 'ORDER_INVALID_STATE' },
  roles: { requester: ({ requester }) => [requester], provider: ({ provider }) => [provider] },
  create: {
    event: 'order.opened',
    idField: 'orderId',
    input: is.object({ provider: is.did, escrowId: is.chosenId(), taskId: is.chosenId() }),
    example: { provider: 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH', escrowId: 'e', taskId: 't' },
    summary: 'x',
    who: ['workflow'],
    internal: true,
    check: () => undefined,
    context: ({ input, signer }): Order => ({ requester: signer, ...input }),
  },
  actions: {
    deliver: {
      event: 'order.delivered',
      who: ['provider'],
      input: is.object({ deliverables: is.list(is.text(100)) }),
      example: { deliverables: ['x'] },
      summary: 'x',
    },
    confirm: { ...nothing, event: 'order.confirmed', who: ['requester'] },
  },
  guards: { bringsSomething: { code: 'SUBMISSION_NOT_ALLOWED', over: 'input', says: 'deliverables are missing' } },
  labels: ({ requester, provider }) => [`requester:${requester}`, `provider:${provider}`],
  list: { name: 'orders', roles: ['requester', 'provider'], statuses: ['accepted', 'delivered', 'confirmed'] },
  view: ({ id, state, context }) => ({ orderId: id, status: state, ...context }),
});

// ── workflows

const part = (kind: string, id: string, action: string, input: JsonObject = {}): SubCommand => ({
  kind,
  id,
  action,
  input,
  asWorkflow: true,
});

export const taskWorkflows: { readonly [action: string]: Workflow } = {
  'bid.create': {
    revision: 1,
    subCommands(request, read) {
      const { taskId } = request.input as { taskId: string };
      const listing = read('task', taskId);
      if (!listing) return refuse('LISTING_NOT_FOUND', `no listing ${taskId} on this network`);
      const { owner } = listing.context as unknown as Task;
      return [
        part('task', taskId, 'noteBid', { bidId: request.id }),
        part('bid', request.id, 'create', { ...request.input, taskOwner: owner }),
      ];
    },
  },
  'bid.accept': {
    revision: 1,
    subCommands(request, read) {
      const bid = read('bid', request.id)?.context as unknown as Bid | undefined;
      const task = bid && (read('task', bid.taskId)?.context as unknown as Task | undefined);
      if (!bid || !task) return refuse('NOT_FOUND', 'no such bid');
      const { order = '', escrow = '' } = request.ids ?? {};
      // All are loaded before any is found missing, so that one more round of the step loads them all.
      const others = task.bids
        .map(({ id }) => ({ id, state: read('bid', id)?.state }))
        .filter(({ id }) => id !== request.id);
      const { bidder: provider, price, taskId } = bid;
      const purpose = { kind: 'order', id: order };
      return [
        request,
        part('task', taskId, 'assign', { orderId: order }),
        part('taskOrder', order, 'create', { provider, escrowId: escrow, taskId }),
        part('escrow', escrow, 'create', {
          beneficiary: provider,
          amount: price,
          releaseRules: [],
          autoFund: true,
          purpose,
        }),
        ...others.filter(({ state }) => state === 'submitted').map(({ id }) => part('bid', id, 'reject')),
      ];
    },
  },
  'taskOrder.confirm': {
    revision: 1,
    subCommands(request, read) {
      const order = read('taskOrder', request.id)?.context as unknown as Order | undefined;
      const escrow = order && read('escrow', order.escrowId);
      if (!escrow) return [request];
      return [request, part('escrow', escrow.id, 'release', { amount: (escrow.context as { amount: number }).amount })];
    },
  },
};

const { definitions, workflows } = catalogueOf(
  [...Object.values(catalogue.definitions), task, bid, taskOrder],
  catalogue.workflows,
);

export const withOwnBids: Catalogue = { definitions, workflows: { ...workflows, ...taskWorkflows } };
