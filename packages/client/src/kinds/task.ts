/** The client's description of bids on tasks, and of the orders that are created when a bid is accepted. */
import type { Kind, TypesOf } from '../kind.js';
import type { Requests, TaskBid, TaskOrder, TaskOrderDispute, WriteFields } from '../wire.js';

/** The task in the path, needed if the target is an id and not a view. */
interface OfTask {
  /** Id of the task's listing. */
  readonly taskId?: string;
}
type EachOfTask<Inputs> = { readonly [Action in keyof Inputs]: Inputs[Action] & OfTask };

type DerivedBid = TypesOf<'Bid', TaskBid, 'listBids'>;

export interface BidTypes extends DerivedBid {
  readonly create: DerivedBid['create'] & {
    /** Id of the task's listing. */
    readonly taskId: string;
  };
  readonly inputs: EachOfTask<DerivedBid['inputs']>;
}

type DerivedOrder = TypesOf<'TaskOrder', TaskOrder, 'listOrders'>;

/** Lacks the dispute operations in its name, because all kinds of orders share them. */
export interface TaskOrderTypes extends DerivedOrder {
  readonly inputs: EachOfTask<DerivedOrder['inputs']> & {
    readonly dispute: Requests['disputeOrder'];
    readonly resolve: Requests['resolveOrder'];
  };
  readonly replies: DerivedOrder['replies'] & {
    readonly dispute: TaskOrderDispute;
    readonly resolve: TaskOrder & WriteFields;
  };
}

const ofBid = <const A extends string>(action: A) => `/markets/tasks/:taskId/bids/:bidId/actions/${action}` as const;
const ofOrder = <const A extends string>(action: A) => `/markets/tasks/:taskId/actions/${action}` as const;

const bidShape = {
  kind: 'bid',
  path: '/markets/tasks/bids',
  createPath: '/markets/tasks/:taskId/bids',
  idField: 'bidId',
  list: 'bids',
  actions: { accept: ofBid('accept'), reject: ofBid('reject'), withdraw: ofBid('withdraw') },
} as const;

const orderShape = {
  kind: 'task-order',
  path: '/orders',
  madeElsewhere: true,
  idField: 'orderId',
  list: 'orders',
  actions: {
    deliver: ofOrder('deliver'),
    confirm: ofOrder('confirm'),
    reject: ofOrder('reject'),
    dispute: null,
    resolve: null,
    review: ofOrder('review'),
  },
} as const;

export const bidKind: Kind<BidTypes, typeof bidShape> = bidShape;
export const taskOrderKind: Kind<TaskOrderTypes, typeof orderShape> = orderShape;
