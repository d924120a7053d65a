/**
 * Disputes about orders (docs/reference/contracts-and-disputes.md#resolution, docs/reference/markets.md#orders): like
 * those about contracts, but decided by the network's arbiter, who cannot let an order continue.
 */
import type { SubCommand, Workflow } from '../kernel/resource.js';
import { restored } from '../listing/parts.js';
import { tally } from '../listing/stats.js';
import { finishedParts } from '../reputation/trade.js';
import type { TradeKind } from '../reputation/trade-kinds.js';
import { type Dispute, loserOf, opened, type RulingFollowUp, type RulingFollowUps, resolving } from './workflow.js';

/** A kind of order, with what the dispute needs to know about its trade. */
export type OrderKind = TradeKind & Required<Pick<TradeKind, 'order'>>;

const disputing = ({ parties, order: ordered }: OrderKind): Workflow => ({
  revision: 1,
  subCommands(request, read) {
    const order = read(request.kind, request.id);
    if (!order) return [request];
    const { client, provider } = parties(order.context);
    const { price, escrowId } = ordered(order.context);
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
    const own = { ...request, input: { ...claim, disputeId, arbiter } };
    return [own, opened(disputeId, opening, { ...request, input: claim })];
  },
});

const resolvingOrder = (endings: RulingFollowUps): Workflow => ({
  revision: 1,
  subCommands(request, read, circumstance) {
    const order = read(request.kind, request.id);
    const { disputeId } = (order?.context ?? {}) as { readonly disputeId?: string | null };
    const open = order?.state === 'disputed' && disputeId ? read('dispute', disputeId) : undefined;
    return open ? resolving(open as unknown as Dispute, request, read, circumstance, endings) : [request];
  },
});

/** The listing's statistics and the parties' reputation records. */
const endingOf =
  ({ parties, order }: OrderKind): RulingFollowUp =>
  (about, ruled, by): readonly SubCommand[] => {
    const { client, provider } = parties(about.context);
    const { price, listingId, inTime, unsold } = order(about.context);
    const loser = loserOf(ruled, by);
    const isPaid = ruled.ruling.outcome !== 'refund';
    const records = finishedParts({ ref: about.id, client, provider, price, inTime, loser });
    if (isPaid) return [tally(listingId, { completedOrders: 1 }), ...records];
    return [
      ...(unsold ? restored(by.resource, { id: listingId, ...unsold }) : []),
      ...(loser === undefined ? [] : records),
    ];
  };

export const orderEndings = (orders: readonly OrderKind[]): RulingFollowUps =>
  Object.fromEntries(orders.map((order) => [order.kind, endingOf(order)]));

export function orderDisputeWorkflows(orders: readonly OrderKind[]): { readonly [action: string]: Workflow } {
  const resolving = resolvingOrder(orderEndings(orders));
  return Object.fromEntries(
    orders.flatMap((order) => [
      [`${order.kind}.dispute`, disputing(order)],
      [`${order.kind}.resolve`, resolving],
    ]),
  );
}
