/**
 * The lease as a resource (docs/reference/leases.md): roles, inputs and view. Its workflows move its Tokens.
 */

import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { Wrapped } from '../../core/sealing.js';
import { envelope } from '../info-order/sealed.js';
import { defineResource } from '../kernel/definition.js';
import type { MachineEvent } from '../kernel/resource.js';
import { asExpected, isNews } from '../listing/pricing.js';
import { longestMs } from './latency.js';
import { costOf, type InvokeInput, type LeaseContext, leaseMachine } from './machine.js';
import { hourly, unspent } from './quota.js';
import { leaseReads } from './reads.js';
import { type LeaseOffer, paceOf, planInput, termsOf } from './terms.js';
import { sealCredentials } from './transformers.js';
import { statuses, usageSchema, view, viewSchema } from './view.js';

const maxUnits = 1_000_000_000;

const createInput = is.aliased(
  is.object({
    listingId: is.described(is.chosenId(), 'Id of the capability’s listing.'),
    plan: is.described(planInput, 'The plan of the lease.'),
    credentials: is.optional(
      is.secret(is.atMostBytes(is.freeObject, 8_192)),
      'What the lessor needs to know to let you in. The node keeps it encrypted for the lessor’s key.',
    ),
    expectedPrice: is.optional(
      is.integer(0),
      'The price per unit or period that you expect. If the price differs, the node refuses the request and returns the current price.',
    ),
  }),
  { expiresAt: 'plan.endsAt' },
);
export type CreateLeaseInput = is.TypeOf<typeof createInput> & {
  /** Added by the workflow, from the listing. */
  readonly offer?: LeaseOffer;
  readonly escrowId?: string;
  readonly isFromStock?: boolean;
  readonly credentialsEnvelope?: Wrapped;
};

const call = is.object({
  resource: is.optional(is.text(256, 1), 'What was called, as free text.'),
  latency: is.optional(is.decimal(0, longestMs), 'How long it took, in milliseconds.'),
  success: is.optional(is.boolean, 'Whether it succeeded; default true.'),
  units: is.optional(is.integer(1, maxUnits), 'Units that it used; default 1.'),
  cost: is.optional(
    is.integer(0),
    'Tokens that you expect it to charge. If it charges another amount, the node refuses the request.',
  ),
});
const reasoned = is.object({ reason: is.optional(is.leaf(is.text(1000)), 'Your reason.') });

function check({ input, time }: MachineEvent<'create', CreateLeaseInput>): Refusal | undefined {
  if (!input.offer) return refuse('FORBIDDEN', 'a lease starts from its listing');
  const terms = termsOf(input.offer, input.plan, time);
  if (isRefusal(terms)) return terms;
  // A lessee who states the unit price (within a range) knows it.
  const isSeen = input.plan.unitPrice === terms.price;
  return asExpected(terms.price, input.expectedPrice, !isSeen && isNews(input.offer.repricedAt, time));
}

function context({ input, signer, time }: MachineEvent<'create', CreateLeaseInput>): LeaseContext {
  const offer = input.offer!;
  const terms = termsOf(offer, input.plan, time) as Exclude<ReturnType<typeof termsOf>, Refusal>;
  const pace = paceOf(offer, input.plan, terms);
  const limits = [...offer.limits, ...hourly(pace.maxUnitsPerHour)];
  return {
    ...terms,
    ...pace,
    listingId: input.listingId,
    lessee: signer,
    lessor: offer.lessor,
    meteredBy: offer.meteredBy,
    limits,
    escrowId: terms.amount > 0 ? (input.escrowId ?? null) : null,
    isFromStock: input.isFromStock ?? false,
    credentialsEnvelope: input.credentialsEnvelope ?? null,
    usage: { calls: 0, succeeded: 0, units: 0, charged: 0, last: null, latencies: [], spent: unspent(limits) },
    settled: null,
  };
}

const wrongState = { code: 'LEASE_INVALID_STATE', over: 'state' } as const;
const settling = [
  { amount: 'what has accrued', from: 'lessee, escrowed', to: 'lessor, available' },
  { amount: 'the rest', from: 'lessee, escrowed', to: 'lessee, available' },
];
const byEither = { who: ['lessee', 'lessor'], input: reasoned, example: {} } as const;

export const lease = defineResource({
  kind: 'lease',
  revision: 3,
  machine: leaseMachine,
  tones: { expired: 'neutral', terminated: 'neutral', exhausted: 'trouble' },
  route: {
    path: '/markets/capabilities/leases',
    param: 'leaseId',
    tag: 'Market: capabilities',
    idPrefix: 'lease-',
  },
  refusals: { unknown: 'LEASE_NOT_FOUND', state: 'LEASE_INVALID_STATE', stale: 'CONFLICT' },
  roles: {
    lessee: ({ lessee }) => [lessee],
    lessor: ({ lessor }) => [lessor],
    meter: ({ meteredBy, lessee, lessor }) => [meteredBy === 'lessor' ? lessor : lessee],
  },
  heldBy: { meter: ['lessee', 'lessor'] },
  create: {
    transform: sealCredentials,
    adds: { credentialsEnvelope: is.optional(envelope, 'The credentials, encrypted for the lessor.') },
    mayRefuse: ['FORBIDDEN', 'LISTING_NOT_ACTIVE'],
    moves: [{ amount: 'the budget', from: 'lessee, available', to: 'lessee, escrowed' }],
    event: 'lease.started',
    summary: 'Lease a capability: the listing’s price and quota are copied, and the plan’s Tokens go into an escrow.',
    idField: 'leaseId',
    path: '/markets/capabilities/:listingId/leases',
    of: ['capability-listing'],
    makes: { escrow: 'esc-' },
    input: createInput as is.Scalar<CreateLeaseInput>,
    example: { listingId: 'lst-01J0000000000000000000000', plan: { budget: 100 } },
    check,
    context,
  },
  actions: {
    invoke: {
      moves: settling,
      event: 'lease.invoked',
      who: ['meter'],
      input: call,
      example: { resource: '/v1/translate', latency: 120, success: true },
      summary: 'Record one call: it charges units × price, and at most what is left of the budget.',
      reply: { among: 'usage', schema: usageSchema },
    },
    pause: {
      ...byEither,
      event: 'lease.paused',
      summary: 'Pause the lease: no calls until it is resumed; paid time continues.',
    },
    resume: { ...byEither, event: 'lease.resumed', summary: 'Take calls again.' },
    terminate: {
      moves: settling,
      movesNothing: { from: ['exhausted'] },
      ...byEither,
      event: 'lease.terminated',
      summary:
        'End the lease: the lessor gets what has accrued (to the day, if the lessor ends it), the lessee the rest.',
    },
    expire: {
      moves: settling,
      event: 'lease.expired',
      who: ['clock'],
      input: is.object({}),
      example: {},
      summary: 'The clock ends it.',
      internal: true,
    },
  },
  guards: {
    isInTime: { ...wrongState, says: 'the lease’s time has passed' },
    timeHasPassed: { ...wrongState, says: 'the lease’s time has not passed' },
    isWithinACall: {
      code: 'UNPROCESSABLE',
      over: 'input',
      says: [
        'the call has more units than maxUnitsPerCall allows',
        (context) => `one call has ${context.maxUnitsPerCall} units at most`,
      ],
    },
    isWithinTheQuota: {
      code: 'LEASE_QUOTA_EXCEEDED',
      over: 'input',
      says: 'the quota of the listing, or the maxUnitsPerHour of the lease, does not allow such a call now',
    },
    costsAsStated: {
      code: 'UNPROCESSABLE',
      over: 'input',
      says: [
        'the call charges another amount than `cost`',
        (context, { input }) => `cost: the call charges ${costOf(context, input as InvokeInput)}`,
      ],
    },
    usesUpTheBudget: { code: 'UNPROCESSABLE', over: 'input', says: 'the budget is not used up' },
  },
  effects: {},
  alarm: (state, { endsAt }) => (state === 'active' || state === 'paused' ? { at: endsAt, action: 'expire' } : null),
  labels: ({ lessee, lessor, listingId }) => [`lessee:${lessee}`, `lessor:${lessor}`, `listing:${listingId}`],
  list: { name: 'leases', roles: ['lessee', 'lessor'], statuses },
  repeatedAs: 'lease',
  view,
  viewSchema,
  extraReads: leaseReads,
});
