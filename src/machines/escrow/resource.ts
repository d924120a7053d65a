/**
 * The escrow as a resource (interface, Escrows; decisions.md, Escrows): who may do what, with which input, what it
 * moves, what is shown.
 */
import type { Happening } from '../kernel/law.js';
import { isRefusal, type Refusal, refuse } from '../kernel/refusal.js';
import { defineResource } from '../kernel/resource.js';
import * as is from '../kernel/scalar.js';
import { beneficiaryMayClaim, type EscrowContext, escrowMachine, remaining } from './machine.js';
import { mostRules, namedBy, ruleScalar, rulesOf } from './rule.js';
import { statuses, view, viewSchema } from './view.js';

const dayMs = 86_400_000;
/** An unfunded escrow without `expiresAt` has this long. */
const unfundedLifeMs = 30 * dayMs;

const createInput = is.object({
  beneficiary: is.account,
  amount: is.amount,
  releaseRules: is.list(ruleScalar, 1, mostRules),
  arbiter: is.optional(is.did),
  refundRules: is.optional(is.list(ruleScalar, 0, mostRules)),
  expiresAt: is.optional(is.time),
  autoFund: is.optional(is.boolean),
});
type CreateInput = is.TypeOf<typeof createInput> & {
  readonly purpose?: { readonly kind: string; readonly id: string };
};

const claimFields = {
  amount: is.amount,
  ruleId: is.optional(is.text(128, 1)),
  rule: is.optional(is.text(128, 1)),
  evidence: is.optional(is.atMostBytes(is.anything, 65_536)),
  resourcePrev: is.optional(is.nullable(is.hash)),
};

function check({ input, signer, time, roles }: Happening<'create', CreateInput>): Refusal | undefined {
  if (roles.includes('workflow')) return undefined;
  const parties = [signer, input.beneficiary, ...(input.arbiter ? [input.arbiter] : [])];
  if (new Set(parties).size < parties.length) {
    return refuse('UNPROCESSABLE', 'depositor, beneficiary and arbiter must be different DIDs');
  }
  if (input.expiresAt !== undefined && input.expiresAt <= time)
    return refuse('UNPROCESSABLE', 'expiresAt has passed already');
  const expiresAt = input.expiresAt ?? null;
  for (const field of ['releaseRules', 'refundRules'] as const) {
    const rules = rulesOf(field, input[field] ?? [], expiresAt);
    if (isRefusal(rules)) return rules;
  }
  return undefined;
}

function context({ input, signer, time, roles }: Happening<'create', CreateInput>): EscrowContext {
  const expiresAt = input.expiresAt ?? null;
  const rules = (field: 'releaseRules' | 'refundRules') => {
    const given = rulesOf(field, input[field] ?? [], expiresAt);
    return isRefusal(given) ? [] : given;
  };
  const owned = roles.includes('workflow');
  return {
    depositor: signer,
    beneficiary: input.beneficiary,
    arbiter: input.arbiter ?? null,
    amount: input.amount,
    funded: 0,
    released: 0,
    refunded: 0,
    releaseRules: owned ? [{ id: 'rule-1', type: input.purpose?.kind ?? 'workflow' }] : rules('releaseRules'),
    refundRules: owned ? [] : rules('refundRules'),
    revocable: !owned && (input.refundRules ?? []).length === 0,
    purpose: owned ? (input.purpose ?? null) : null,
    lapsed: false,
    expiresAt,
    lapsesAt: expiresAt ?? time + unfundedLifeMs,
  };
}

const amountOf = (event: Happening<string, never>): number => (event.input as { amount: number }).amount;
const exampleDid = 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH';

/** Roles: `claimant` is the beneficiary where a rule lets it claim, or whom a manual rule names; `revoker` the depositor where it may take back. */
export const escrow = defineResource({
  kind: 'escrow',
  revision: 1,
  machine: escrowMachine,
  route: { path: '/escrows', param: 'escrowId', tag: 'Escrows', idPrefix: 'esc-' },
  refusals: { unknown: 'ESCROW_NOT_FOUND', state: 'ESCROW_INVALID_STATE', stale: 'CONFLICT' },
  roles: {
    depositor: (context) => [context.depositor],
    beneficiary: (context) => [context.beneficiary],
    arbiter: (context) => (context.arbiter ? [context.arbiter] : []),
    claimant: (context) => [
      ...(beneficiaryMayClaim(context) ? [context.beneficiary] : []),
      ...context.releaseRules
        .flatMap((rule) => (rule.type === 'manual' && rule.by ? namedBy(rule, context) : []))
        .filter((did) => did !== null),
    ],
    revoker: (context) =>
      context.revocable ||
      context.refundRules.some((rule) => rule.type !== 'manual' || namedBy(rule, context).includes(context.depositor))
        ? [context.depositor]
        : [],
  },
  heldBy: { claimant: ['depositor', 'beneficiary', 'arbiter'], revoker: ['depositor'] },
  owned: {
    when: (context) => context.purpose !== null,
    code: 'ESCROW_RULE_NOT_MET',
    says: 'this escrow belongs to an order, lease or contract, and moves with it only',
  },
  create: {
    event: 'escrow.created',
    summary: 'Create an escrow and reserve its amount; with autoFund also fund it.',
    idField: 'escrowId',
    anyId: true,
    input: createInput as is.Scalar<CreateInput>,
    example: { beneficiary: exampleDid, amount: 25, releaseRules: [{ type: 'manual' }] },
    check,
    context,
    goesOn: (input) => (input.autoFund ? [{ type: 'fund', input: { amount: input.amount } }] : []),
  },
  actions: {
    fund: {
      event: 'escrow.funded',
      who: ['depositor', 'workflow'],
      input: is.object({ amount: is.amount }),
      example: { amount: 25 },
      summary: 'Lock the reserved amount.',
      resourcePrev: 'required',
      reply: 'transfer',
    },
    release: {
      event: 'escrow.released',
      who: ['depositor', 'arbiter', 'claimant', 'workflow'],
      input: is.object({ ...claimFields, reason: is.optional(is.text(1000)) }),
      example: { amount: 25 },
      summary: 'Pay the beneficiary, in part or in full, once a release rule is met.',
      reply: 'transfer',
    },
    refund: {
      event: 'escrow.refunded',
      who: ['beneficiary', 'arbiter', 'revoker', 'workflow'],
      input: is.object({ ...claimFields, reason: is.text(1000, 1) }),
      example: { amount: 25, reason: 'not needed any more' },
      summary: 'Pay the depositor back, in part or in full.',
      resourcePrev: 'required',
      reply: 'transfer',
    },
    expire: {
      event: 'escrow.expired',
      who: ['anyone', 'clock'],
      input: is.object({}),
      example: {},
      summary: 'After the expiry, give what is left back to the depositor.',
    },
    cancel: {
      event: 'escrow.cancelled',
      who: ['depositor', 'workflow'],
      input: is.object({}),
      example: {},
      summary: 'Give up an unfunded escrow and its reservation.',
    },
    lapse: {
      event: 'escrow.lapsed',
      who: ['clock'],
      input: is.object({}),
      example: {},
      summary: 'The clock gives the reservation of an unfunded escrow back.',
      internal: true,
    },
  },
  guards: {
    amountIsTheEscrows: {
      code: 'UNPROCESSABLE',
      over: 'input',
      says: (context) => `amount must be the escrow's: ${context.amount}`,
    },
    hasNotLapsed: { code: 'ESCROW_INVALID_STATE', over: 'state', says: 'the escrow has lapsed' },
    inTimeToFund: { code: 'ESCROW_INVALID_STATE', over: 'state', says: 'the time to fund it has passed' },
    lapseIsDue: { code: 'ESCROW_INVALID_STATE', over: 'state', says: 'its time has not passed' },
    withinRemaining: {
      code: 'UNPROCESSABLE',
      over: 'input',
      says: (context) => `amount exceeds what remains: ${remaining(context)}`,
    },
    emptiesIt: { code: 'UNPROCESSABLE', over: 'input', says: 'amount is less than what remains' },
    releaseRuleMet: {
      code: 'ESCROW_RULE_NOT_MET',
      over: 'input',
      says: 'no release rule is satisfied by this rule, evidence and reason',
    },
    refundRuleMet: {
      code: 'ESCROW_RULE_NOT_MET',
      over: 'input',
      says: 'no refund rule lets the depositor take it back',
    },
    expiryHasPassed: { code: 'ESCROW_INVALID_STATE', over: 'state', says: 'the expiry has not passed' },
  },
  effects: {
    reserve: (_, event, after) => [
      {
        op: 'reserve',
        escrow: event.id,
        from: after.depositor,
        to: after.beneficiary,
        amount: after.amount,
        ...(after.expiresAt === null ? {} : { expiresAt: after.expiresAt }),
      },
    ],
    unreserve: (_, event, after) => [
      { op: 'unreserve', escrow: event.id, from: after.depositor, amount: after.amount },
    ],
    lock: (_, event, after) => [
      { op: 'lock', escrow: event.id, from: after.depositor, to: after.beneficiary, amount: after.amount },
    ],
    pay: (_, event, after) => [
      { op: 'release', escrow: event.id, from: after.depositor, to: after.beneficiary, amount: amountOf(event) },
    ],
    payBack: (_, event, after) => [{ op: 'refund', escrow: event.id, from: after.depositor, amount: amountOf(event) }],
    payBackRest: (before, event, after) => [
      { op: 'expire', escrow: event.id, from: after.depositor, amount: before ? remaining(before) : 0 },
    ],
  },
  alarm: (state, context) => {
    if (state === 'created' && !context.lapsed) return { at: context.lapsesAt, action: 'lapse' };
    if (state === 'funded' && context.expiresAt !== null) return { at: context.expiresAt, action: 'expire' };
    return null;
  },
  labels: ({ depositor, beneficiary, arbiter }) => [
    `depositor:${depositor}`,
    `beneficiary:${beneficiary}`,
    ...(arbiter ? [`arbiter:${arbiter}`] : []),
  ],
  list: {
    name: 'escrows',
    roles: ['depositor', 'beneficiary', 'arbiter'],
    statuses,
  },
  view,
  viewSchema,
});
