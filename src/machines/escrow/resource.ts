/**
 * The escrow as a resource (docs/reference/escrows.md): roles, inputs, moves of Tokens, and view.
 */

import { dayMs } from '../../core/bounds.js';
import { isJsonObject } from '../../core/canonical.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { isBlank } from '../deliverable/blank.js';
import { defineResource } from '../kernel/definition.js';
import type { MachineEvent } from '../kernel/resource.js';
import { beneficiaryMayClaim, type EscrowContext, escrowMachine, remaining } from './machine.js';
import { mostRules, namedBy, ruleScalar, rulesOf } from './rule.js';
import { statuses, substates, view, viewSchema } from './view.js';

/** The time to fund an escrow without `expiresAt`. */
const unfundedLifeMs = 30 * dayMs;

const createInput = is.object({
  beneficiary: is.described(is.account, 'DID or address that a release pays.'),
  amount: is.described(is.amount, 'Tokens.'),
  releaseRules: is.described(
    is.list(ruleScalar, 1, mostRules),
    'The rules for a release, of which one must be satisfied.',
  ),
  arbiter: is.optional(is.did, 'DID that may release and refund; default: none.'),
  refundRules: is.optional(
    is.list(ruleScalar, 0, mostRules),
    'The rules under which the depositor can take Tokens back. If absent or empty, the depositor can do so at any time.',
  ),
  expiresAt: is.optional(
    is.time,
    'When the rest goes back to the depositor: ISO 8601 with an offset, or epoch milliseconds. Absent: never.',
  ),
  autoFund: is.optional(is.boolean, 'Whether to fund the escrow at once; default false.'),
});
type CreateEscrowInput = is.TypeOf<typeof createInput> & {
  readonly purpose?: { readonly kind: string; readonly id: string };
};

/** What is blank is not given: a rule that requires it does not see the text. */
const unlessBlank = <T>(inner: is.Scalar<T>) => is.converted(inner, (value) => (isBlank(value) ? undefined : value));

/** What rules read of evidence stays readable for ever; the rest is a text. */
const evidence = is.either(
  isJsonObject,
  is.leavingOthers(is.openObject({ preimage: is.optional(is.anything), signatures: is.optional(is.anything) })),
  is.leaf(unlessBlank(is.anything)),
);

const claimFields = {
  amount: is.described(is.amount, 'Tokens.'),
  ruleId: is.optional(is.text(128, 1), 'Id of the rule to apply; default: any satisfied rule.'),
  rule: is.optional(is.text(128, 1), 'The same as `ruleId`.'),
  evidence: is.optional(
    is.confidential(is.atMostBytes(evidence, 65_536)),
    'Evidence that satisfies the rule: `{ preimage }`, `{ signatures: [{ did, signature }] }`, or any JSON.',
  ),
  resourcePrev: is.optional(is.nullable(is.hash), 'Hash of the escrow’s last event: another is refused.'),
};

function check({ input, signer, time, roles }: MachineEvent<'create', CreateEscrowInput>): Refusal | undefined {
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

function context({ input, signer, time, roles }: MachineEvent<'create', CreateEscrowInput>): EscrowContext {
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
    expiresAt,
    lapsesAt: expiresAt ?? time + unfundedLifeMs,
  };
}

const amountOf = (event: MachineEvent<string, never>): number => (event.input as { amount: number }).amount;
const exampleDid = 'did:svc:z6MkpTHR8VNsBxYAAWHut2Geadd9jSwuBV8xRoAnwWsdvktH';

const lockOf = (event: MachineEvent<string, never>, { depositor, beneficiary, amount }: EscrowContext) =>
  ({ amount, escrow: event.id, from: depositor, op: 'lock', to: beneficiary }) as const;

/**
 * Special roles: `claimant` is the beneficiary, if a rule lets it claim, and every DID in a manual rule; `revoker` is
 * the depositor, if it may take back.
 */
export const escrow = defineResource({
  kind: 'escrow',
  revision: 3,
  machine: escrowMachine,
  tones: {
    released: 'good',
    refunded: 'neutral',
    expired: 'neutral',
    'created.cancelled': 'neutral',
    'created.lapsed': 'neutral',
  },
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
    moves: [{ amount: 'amount', from: 'depositor, available', to: 'depositor, reserved' }],
    event: 'escrow.created',
    summary: 'Create an escrow and reserve its amount; with autoFund also fund it.',
    idField: 'escrowId',
    anyId: true,
    input: createInput as is.Scalar<CreateEscrowInput>,
    example: { beneficiary: exampleDid, amount: 25, releaseRules: [{ type: 'manual' }] },
    check,
    context,
    followUps: (input) => (input.autoFund ? [{ type: 'fund', input: { amount: input.amount } }] : []),
  },
  actions: {
    fund: {
      moves: [{ amount: 'amount', from: 'depositor, reserved', to: 'depositor, escrowed' }],
      event: 'escrow.funded',
      who: ['depositor', 'workflow'],
      input: is.object({ amount: is.described(is.amount, 'Tokens.') }),
      example: { amount: 25 },
      summary: 'Lock the reserved amount.',
      resourcePrev: 'required',
      reply: 'transfer',
    },
    release: {
      moves: [{ amount: 'the amount asked for', from: 'depositor, escrowed', to: 'beneficiary, available' }],
      movesInPlace: true,
      event: 'escrow.released',
      who: ['depositor', 'arbiter', 'claimant', 'workflow'],
      input: is.object({
        ...claimFields,
        reason: is.optional(is.confidential(is.leaf(unlessBlank(is.text(1000)))), 'Your reason.'),
      }),
      example: { amount: 25 },
      summary: 'Pay the beneficiary, in part or in full, once a release rule is met.',
      reply: 'transfer',
    },
    refund: {
      moves: [{ amount: 'the amount asked for', from: 'depositor, escrowed', to: 'depositor, available' }],
      movesInPlace: true,
      event: 'escrow.refunded',
      who: ['beneficiary', 'arbiter', 'revoker', 'workflow'],
      input: is.object({
        ...claimFields,
        reason: is.confidential(is.described(is.leaf(unlessBlank(is.text(1000, 1))), 'Your reason.')),
      }),
      example: { amount: 25, reason: 'not needed any more' },
      summary: 'Pay the depositor back, in part or in full.',
      resourcePrev: 'required',
      reply: 'transfer',
    },
    expire: {
      moves: [{ amount: 'what remains', from: 'depositor, escrowed', to: 'depositor, available' }],
      event: 'escrow.expired',
      who: ['anyone', 'clock'],
      input: is.object({
        action: is.optional(is.oneOf('refund'), 'What becomes of the rest: it goes back to the depositor.'),
      }),
      example: {},
      summary: 'After the expiry, return the rest to the depositor.',
      reply: 'transfer',
    },
    cancel: {
      moves: [{ amount: 'amount', from: 'depositor, reserved', to: 'depositor, available' }],
      event: 'escrow.cancelled',
      who: ['depositor', 'workflow'],
      input: is.object({}),
      example: {},
      summary: 'Give up an unfunded escrow and its reservation.',
      reply: 'transfer',
    },
    lapse: {
      moves: [{ amount: 'amount', from: 'depositor, reserved', to: 'depositor, available' }],
      event: 'escrow.lapsed',
      who: ['clock'],
      input: is.object({}),
      example: {},
      summary: 'The clock returns the reservation of an unfunded escrow.',
      internal: true,
    },
  },
  guards: {
    amountIsTheEscrows: {
      code: 'UNPROCESSABLE',
      over: 'input',
      says: ['amount is not the escrow’s amount', (context) => `amount must be the escrow's: ${context.amount}`],
    },
    inTimeToFund: { code: 'ESCROW_INVALID_STATE', over: 'state', says: 'the time to fund it has passed' },
    lapseIsDue: { code: 'ESCROW_INVALID_STATE', over: 'state', says: 'its time has not passed' },
    withinRemaining: {
      code: 'UNPROCESSABLE',
      over: 'input',
      says: ['amount exceeds what remains', (context) => `amount exceeds what remains: ${remaining(context)}`],
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
        amount: after.amount,
        escrow: event.id,
        ...(after.expiresAt === null ? {} : { expiresAt: after.expiresAt }),
        from: after.depositor,
        op: 'reserve',
        to: after.beneficiary,
      },
    ],
    unreserve: (_, event, after) => [
      { amount: after.amount, escrow: event.id, from: after.depositor, op: 'unreserve' },
    ],
    // If the escrow is created and funded in one step, `reserve` has already debited the account and increased its
    // version.
    lock: (_, event, after) => [{ ...lockOf(event, after), ...(event.lastHash === null ? {} : { versioned: true }) }],
    pay: (_, event, after) => [
      { amount: amountOf(event), escrow: event.id, from: after.depositor, op: 'release', to: after.beneficiary },
    ],
    payBack: (_, event, after) => [{ amount: amountOf(event), escrow: event.id, from: after.depositor, op: 'refund' }],
    payBackRest: (before, event, after) => [
      { amount: before ? remaining(before) : 0, escrow: event.id, from: after.depositor, op: 'expire' },
    ],
  },
  alarm: (state, context) => {
    if (state === 'created.open') return { at: context.lapsesAt, action: 'lapse' };
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
    substates,
  },
  payloadReaders: ({ depositor, beneficiary, arbiter }) => [depositor, beneficiary, ...(arbiter ? [arbiter] : [])],
  openPayloads: true,
  view,
  viewSchema,
});
