/** Bids on tasks, and the orders that accepted ones make, as the client knows them (interface, Markets: tasks). */

import type { BidContext } from '../../machines/bid/machine.js';
import type { bid } from '../../machines/bid/resource.js';
import type { JsonObject } from '../../machines/kernel/canonical.js';
import type { TaskOrderContext } from '../../machines/task-order/machine.js';
import type { Submission } from '../../machines/task-order/submission.js';
import type { Kind, KindTypes } from '../kind.js';
import type { Permitted } from '../views.js';
import type { Dispute, Disputing, Resolving } from './contract.js';

/** Where a target is an id and not a view, the task that the path names. */
interface OfTask {
  readonly taskId?: string;
}

interface Written extends Permitted {
  readonly id: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly resourcePrev: string;
  readonly txHash: string;
}

export interface Bid extends BidContext, Written {
  readonly bidId: string;
  readonly status: 'submitted' | 'accepted' | 'rejected' | 'withdrawn';
}

type OuterSubmission = 'submissionId' | 'status' | 'envelopeDigest' | 'deliveredAt' | 'decidedAt';
/** What was delivered and said of it is shown to the order's parties. */
export type ShownSubmission = Pick<Submission, OuterSubmission> & Partial<Omit<Submission, OuterSubmission>>;

export interface TaskOrder extends Omit<TaskOrderContext, 'submissions'>, Written {
  readonly orderId: string;
  readonly marketType: 'task';
  readonly currency: 'TOKEN';
  readonly listingId: string;
  /** The same as `requester` and `provider`. */
  readonly buyer: string;
  readonly seller: string;
  readonly status: 'open' | 'accepted' | 'delivered' | 'confirmed' | 'reviewed' | 'cancelled' | 'disputed';
  readonly disputeId: string | null;
  /** The newest. */
  readonly submissionId: string | null;
  readonly submissions: readonly ShownSubmission[];
}

export interface BidTypes extends KindTypes {
  readonly create: Omit<NonNullable<(typeof bid)['types']>['create'], 'requester'>;
  readonly inputs: {
    readonly accept: OfTask & { readonly orderId?: string };
    readonly reject: OfTask & { readonly reason?: string };
    readonly withdraw: OfTask & { readonly reason?: string };
  };
  readonly view: Bid;
  readonly role: 'bidder' | 'requester';
  readonly parts: { readonly accept: TaskOrder };
}

interface Judgement extends OfTask {
  readonly submissionId?: string;
  readonly feedback?: string;
}

export interface TaskOrderTypes extends KindTypes {
  readonly create: never;
  readonly inputs: {
    readonly deliver: OfTask & {
      readonly deliverables: readonly unknown[];
      readonly submissionId?: string;
      readonly notes?: string;
      readonly delivery?: { readonly envelope?: JsonObject };
    };
    /** `approved: false` is `reject`. */
    readonly confirm: Judgement & { readonly approved?: boolean };
    readonly reject: Judgement;
    readonly dispute: Disputing;
    readonly resolve: Resolving;
    readonly review: OfTask & { readonly rating: number; readonly comment?: string; readonly aspects?: JsonObject };
  };
  readonly view: TaskOrder;
  readonly role: 'requester' | 'provider';
  readonly parts: { readonly dispute: Dispute };
}

const ofBid = <const A>(action: string, answers: A) => ({
  path: `/markets/tasks/:taskId/bids/:bidId/actions/${action}`,
  answers,
});
const ofOrder = (action: string) => ({ path: `/markets/tasks/:taskId/actions/${action}`, answers: 'view' }) as const;

const bidShape = {
  kind: 'bid',
  path: '/markets/tasks/bids',
  createPath: '/markets/tasks/:taskId/bids',
  idField: 'bidId',
  list: 'bids',
  actions: {
    accept: ofBid('accept', 'part'),
    reject: ofBid('reject', 'view'),
    withdraw: ofBid('withdraw', 'view'),
  },
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
    dispute: 'part',
    resolve: 'view',
    review: ofOrder('review'),
  },
} as const;

export const bidKind: Kind<BidTypes, typeof bidShape> = bidShape;
export const taskOrderKind: Kind<TaskOrderTypes, typeof orderShape> = orderShape;
