/**
 * Sketch: a lease with metering. Each call adds usage; the call that reaches the budget pays the lessor, in the same
 * entry, out of the escrow that the lease started with; the clock ends it and gives the rest back.
 */
import { setup } from 'xstate';
import type { JsonObject } from '../../../src/machines/kernel/canonical.js';
import type { Happening } from '../../../src/machines/kernel/law.js';
import { refuse } from '../../../src/machines/kernel/refusal.js';
import { type AnyResource, defineResource } from '../../../src/machines/kernel/resource.js';
import * as is from '../../../src/machines/kernel/scalar.js';
import type { Part, Workflow } from '../../../src/machines/kernel/step.js';

type Nothing = Record<never, never>;

export interface Lease {
  readonly lessee: string;
  readonly lessor: string;
  readonly meteredBy: 'lessee' | 'lessor';
  readonly pricePerUnit: number;
  readonly budget: number;
  readonly maxUnitsPerCall: number;
  readonly used: number;
  readonly accrued: number;
  readonly endsAt: number;
  readonly escrowId: string;
}
type LeaseEvent =
  | Happening<'invoke', { readonly units: number }>
  | Happening<'pause', Nothing>
  | Happening<'resume', Nothing>
  | Happening<'expire', Nothing>;

const cost = (context: Lease, units: number): number => units * context.pricePerUnit;
/** What a call charges: at most what is left of the budget. */
export const charge = (context: Lease, units: number): number =>
  Math.min(cost(context, units), context.budget - context.accrued);

const law = setup({
  types: { context: {} as Lease, events: {} as LeaseEvent, input: {} as Lease },
  guards: {
    isWithinACall: ({ context, event }) => event.type === 'invoke' && event.input.units <= context.maxUnitsPerCall,
    exhausts: ({ context, event }) =>
      event.type === 'invoke' &&
      event.input.units <= context.maxUnitsPerCall &&
      context.accrued + cost(context, event.input.units) >= context.budget,
    hasEnded: ({ context, event }) => event.time >= context.endsAt,
  },
});
const meter = law.assign(({ context, event }) =>
  event.type === 'invoke'
    ? { used: context.used + event.input.units, accrued: context.accrued + charge(context, event.input.units) }
    : {},
);

const leaseMachine = law.createMachine({
  id: 'lease',
  context: ({ input }) => ({ ...input }),
  initial: 'active',
  states: {
    active: {
      on: {
        invoke: [
          { target: 'exhausted', guard: 'exhausts', actions: meter },
          { guard: 'isWithinACall', actions: meter },
        ],
        pause: 'paused',
        expire: { target: 'expired', guard: 'hasEnded' },
      },
    },
    paused: { on: { resume: 'active', expire: { target: 'expired', guard: 'hasEnded' } } },
    exhausted: { type: 'final' },
    expired: { type: 'final' },
  },
});

const terms = {
  lessor: is.did,
  pricePerUnit: is.amount,
  budget: is.amount,
  endsAt: is.time,
  meteredBy: is.optional(is.oneOf('lessee', 'lessor')),
  maxUnitsPerCall: is.optional(is.integer(1)),
};
const createInput = is.object(terms);
type CreateInput = is.TypeOf<typeof createInput> & { readonly escrowId?: string };
const nothing = { summary: 'x', example: {}, input: is.object({}) };

export const lease: AnyResource = defineResource({
  kind: 'lease',
  revision: 1,
  machine: leaseMachine,
  route: { path: '/leases', param: 'leaseId', tag: 'Leases', idPrefix: 'lease-' },
  refusals: { unknown: 'LEASE_NOT_FOUND', state: 'LEASE_INVALID_STATE', stale: 'CONFLICT' },
  roles: {
    lessee: ({ lessee }) => [lessee],
    lessor: ({ lessor }) => [lessor],
    meter: ({ meteredBy, lessee, lessor }) => [meteredBy === 'lessor' ? lessor : lessee],
  },
  create: {
    event: 'lease.started',
    idField: 'leaseId',
    input: createInput as is.Scalar<CreateInput>,
    example: {
      lessor: 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH',
      pricePerUnit: 1,
      budget: 5,
      endsAt: '2030-01-01T00:00Z',
    },
    summary: 'x',
    check: ({ roles }) =>
      roles.includes('workflow') ? undefined : refuse('FORBIDDEN', 'a lease starts with its escrow'),
    context: ({ input, signer }): Lease => ({
      lessee: signer,
      lessor: input.lessor,
      meteredBy: input.meteredBy ?? 'lessee',
      pricePerUnit: input.pricePerUnit,
      budget: input.budget,
      maxUnitsPerCall: input.maxUnitsPerCall ?? 1_000,
      used: 0,
      accrued: 0,
      endsAt: input.endsAt,
      escrowId: input.escrowId ?? '',
    }),
  },
  actions: {
    invoke: {
      event: 'lease.invoked',
      who: ['meter'],
      input: is.object({ units: is.integer(1) }),
      example: { units: 1 },
      summary: 'x',
    },
    pause: { ...nothing, event: 'lease.paused', who: ['lessee', 'lessor'] },
    resume: { ...nothing, event: 'lease.resumed', who: ['lessee', 'lessor'] },
    expire: { ...nothing, event: 'lease.expired', who: ['clock'], internal: true },
  },
  guards: {
    isWithinACall: { code: 'UNPROCESSABLE', over: 'input', says: 'too many units for one call' },
    exhausts: { code: 'UNPROCESSABLE', over: 'input', says: 'the budget is not used up' },
    hasEnded: { code: 'LEASE_INVALID_STATE', over: 'state', says: 'its time has not passed' },
  },
  effects: {},
  alarm: (state, { endsAt }) => (state === 'active' || state === 'paused' ? { at: endsAt, action: 'expire' } : null),
  labels: ({ lessee, lessor }) => [`lessee:${lessee}`, `lessor:${lessor}`],
  list: { name: 'leases', roles: ['lessee', 'lessor'], statuses: ['active', 'paused', 'exhausted', 'expired'] },
  view: ({ id, state, context }) => ({ leaseId: id, status: state, ...context }),
  viewSchema: {},
});

// ── workflows

const ofEscrow = (id: string, action: string, input: JsonObject): Part => ({
  kind: 'escrow',
  id,
  action,
  input,
  asWorkflow: true,
});

/** What was used goes to the lessor, the rest back. */
function settle(escrowId: string, accrued: number, budget: number): Part[] {
  return [
    ...(accrued > 0 ? [ofEscrow(escrowId, 'release', { amount: accrued })] : []),
    ...(budget > accrued
      ? [ofEscrow(escrowId, 'refund', { amount: budget - accrued, reason: 'the lease has ended' })]
      : []),
  ];
}

export const leaseWorkflows: { readonly [action: string]: Workflow } = {
  'lease.create': {
    revision: 1,
    parts(request) {
      const { lessor, budget } = request.input as unknown as CreateInput;
      const escrowId = request.ids?.escrow ?? '';
      const purpose = { kind: 'lease', id: request.id };
      const escrow = { beneficiary: lessor, amount: budget, releaseRules: [], autoFund: true, purpose };
      return [
        { ...request, input: { ...request.input, escrowId }, asWorkflow: true },
        ofEscrow(escrowId, 'create', escrow),
      ];
    },
  },
  'lease.invoke': {
    revision: 1,
    parts(request, read) {
      const context = read('lease', request.id)?.context as unknown as Lease | undefined;
      if (!context) return refuse('LEASE_NOT_FOUND', 'no such lease');
      const { units } = request.input as { units: number };
      const accrued = context.accrued + charge(context, units);
      const isLast = units <= context.maxUnitsPerCall && accrued >= context.budget;
      return isLast ? [request, ...settle(context.escrowId, accrued, context.budget)] : [request];
    },
  },
  'lease.expire': {
    revision: 1,
    parts(request, read) {
      const context = read('lease', request.id)?.context as unknown as Lease | undefined;
      if (!context) return refuse('LEASE_NOT_FOUND', 'no such lease');
      return [request, ...settle(context.escrowId, context.accrued, context.budget)];
    },
  },
};
