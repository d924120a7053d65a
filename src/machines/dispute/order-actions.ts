/**
 * The two dispute actions of orders, the same for every kind of order. Each kind states its parties and the resulting
 * states of its machine; the routes are shared (http/routes/orders.ts).
 */
import * as is from '../../core/schema/scalar.js';
import type { AnyResource } from '../kernel/definition.js';
import type { RequestTransformer } from '../kernel/transformer.js';
import { disputeFields } from './claim.js';
import { addsNetworkArbiter, ruledOn, rulingInput, setNetworkArbiter } from './ruling.js';

/** The network's arbiter is stored in the dispute: a later change of the configuration does not affect it. */
const withNetworkArbiter: RequestTransformer = ({ input }, port) => ({ input: setNetworkArbiter(input, port) });

export const orderDispute = {
  event: 'order.disputed',
  input: is.object(disputeFields),
  example: { reason: 'quality', description: 'it is not what was ordered' },
  summary: 'Have an order arbitrated that was paid for and not confirmed.',
  makes: { dispute: 'dsp-' },
  refusals: { who: 'DISPUTE_NOT_ALLOWED', state: 'DISPUTE_NOT_ALLOWED' },
  reply: { kind: 'dispute' },
  transform: withNetworkArbiter,
  adds: addsNetworkArbiter,
} as const;

export const orderResolve = {
  event: 'order.resolved',
  eventInPlace: 'order.resolution-proposed',
  input: rulingInput,
  example: { resolution: 'release' },
  summary:
    'Decide its dispute, as arbiter; as a party, propose an outcome, which ends it once the other party proposes the same.',
  decidedBy: ruledOn,
  notByLoopback: true,
} as const;

/** Whether all kinds of orders share an action's route: it has no other path than theirs. */
export const hasSharedRoute = ({ route, actions }: AnyResource, action: string): boolean =>
  route.ownReads === true && actions[action]!.path === undefined && !actions[action]!.internal;

export const orderGuards = {
  isHeard: { code: 'ORDER_INVALID_STATE', over: 'input', says: 'its dispute decides' },
} as const;
