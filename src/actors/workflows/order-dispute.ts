/**
 * Orders that are disputed (decisions.md, Contracts: resolve; Markets): the same dispute as a contract's, with the network's
 * arbiter, who cannot let an order go on.
 */
import type { InfoOrder } from '../../machines/info-order/machine.js';
import type { JsonObject } from '../../machines/kernel/canonical.js';
import type { Part, Workflow } from '../../machines/kernel/step.js';
import { tally } from '../../machines/listing/stats.js';
import { finishedParts } from '../../machines/reputation/deal.js';
import type { TaskOrderContext } from '../../machines/task-order/machine.js';
import { type Dispute, type Ending, loserOf, opened, resolving } from './dispute.js';

/** What a dispute has to know of a kind of order. */
export interface Disputed {
  readonly client: string;
  readonly provider: string;
  readonly price: number;
  readonly escrowId: string | null;
  readonly listingId: string;
  readonly inTime: boolean;
}

/** A line for each kind of order. */
const readings: { readonly [kind: string]: (context: JsonObject) => Disputed } = {
  'info-order'(context) {
    const { buyer, seller, price, escrowId, listingId, deliveredAt, deliverBy } = context as unknown as InfoOrder;
    const inTime = deliveredAt !== null && deliveredAt <= deliverBy;
    return { client: buyer, provider: seller, price, escrowId, listingId, inTime };
  },
  'task-order'(context) {
    const { requester, provider, price, escrowId, taskId, submissions, dueAt } = context as unknown as TaskOrderContext;
    const inTime = submissions.length > 0 && submissions.at(-1)!.deliveredAt <= dueAt;
    return { client: requester, provider, price, escrowId, listingId: taskId, inTime };
  },
};

const disputing = (reading: (typeof readings)[string]): Workflow => ({
  revision: 1,
  parts(request, read) {
    const order = read(request.kind, request.id);
    if (!order) return [request];
    const { client, provider, price, escrowId } = reading(order.context);
    const { networkArbiter, ...claim } = request.input;
    const isParty = networkArbiter === client || networkArbiter === provider;
    const arbiter = isParty ? null : ((networkArbiter as string | undefined) ?? null);
    const opening = {
      ...{ client, provider, arbiter, networkArbiter: arbiter, escrowId, resumable: false },
      subject: { kind: request.kind, id: request.id },
      fallback: 'split' as const,
      rest: price,
    };
    const disputeId = request.ids?.dispute ?? '';
    return [{ ...request, input: { ...claim, disputeId } }, opened(disputeId, opening, { ...request, input: claim })];
  },
});

const resolvingOrder: Workflow = {
  revision: 1,
  parts(request, read, circumstance) {
    const order = read(request.kind, request.id);
    const { disputeId } = (order?.context ?? {}) as { readonly disputeId?: string | null };
    const open = order?.state === 'disputed' && disputeId ? read('dispute', disputeId) : undefined;
    return open ? resolving(open as unknown as Dispute, request, read, circumstance, orderEndings) : [request];
  },
};

/** Stats of the listing and records of the parties, by kind. */
export const orderEndings: { readonly [kind: string]: Ending } = Object.fromEntries(
  Object.entries(readings).map(([kind, reading]): [string, Ending] => [
    kind,
    (about, ruled, { signer }): readonly Part[] => {
      const { client, provider, price, listingId, inTime } = reading(about.context);
      const loser = loserOf(ruled, signer);
      const isPaid = ruled.ruling.outcome !== 'refund';
      if (!isPaid && loser === undefined) return [];
      return [
        ...(isPaid ? [tally(listingId, { completedOrders: 1 })] : []),
        ...finishedParts({ ref: about.id, client, provider, price, inTime, loser }),
      ];
    },
  ]),
);

export const orderDisputeWorkflows: { readonly [action: string]: Workflow } = Object.fromEntries(
  Object.entries(readings).flatMap(([kind, reading]) => [
    [`${kind}.dispute`, disputing(reading)],
    [`${kind}.resolve`, resolvingOrder],
  ]),
);
