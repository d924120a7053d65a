/**
 * The escrow as callers see it (decisions.md, Escrows: View), and the schema of that.
 */
import type { Json, JsonObject } from '../kernel/canonical.js';
import type { Resource } from '../kernel/resource.js';
import * as a from '../kernel/shape.js';
import { type EscrowContext, remaining } from './machine.js';
import { ruleTypes } from './rule.js';

export const statuses = ['created', 'funded', 'released', 'refunded', 'expired'] as const;

export function view({ id, state, context, lastHash, createdAt, updatedAt }: Resource<EscrowContext>): JsonObject {
  const { purpose, lapsed } = context;
  // Each member by its name, and what may be absent added: a spread, even of nothing, costs more than all the rest.
  const view: { [name: string]: Json } = {
    escrowId: id,
    id,
    status: state,
    depositor: context.depositor,
    beneficiary: context.beneficiary,
    arbiter: context.arbiter,
    amount: context.amount,
    funded: context.funded,
    released: context.released,
    refunded: context.refunded,
    remaining: remaining(context),
    releaseRules: context.releaseRules as unknown as Json,
    releaseRule: (context.releaseRules[0] ?? null) as unknown as Json,
    refundRules: context.refundRules as unknown as Json,
    revocable: context.revocable,
    expiresAt: context.expiresAt,
    createdAt,
    updatedAt,
    resourcePrev: lastHash,
  };
  if (purpose) view.purpose = purpose;
  if (lapsed) view.lapsed = lapsed;
  return view;
}

const ruleId = a.described(a.text, 'What `ruleId` names.');
const demands = { requiresEvidence: a.flag, requiresReason: a.flag };

const evaluatedRule = {
  ...a.object(
    { id: ruleId, type: a.oneOf(...ruleTypes) },
    {
      by: a.described(a.list(a.text), 'manual: roles (depositor, beneficiary, arbiter) or DIDs.'),
      after: a.described(a.time, 'time: met from then on; epoch milliseconds.'),
      hash: a.described(a.hash, 'hash: the SHA-256 of `evidence.preimage`, hex.'),
      signers: a.described(a.list(a.did), 'signature: DIDs whose signatures count.'),
      threshold: a.described(a.count, 'signature: how many of them must sign; default all.'),
      ...demands,
    },
  ),
  additionalProperties: true,
};

const citedRule = {
  ...a.object({ id: ruleId, type: a.described(a.text, 'Any other: it must be cited.') }, demands),
  additionalProperties: true,
};

const rule = a.named('EscrowRule', {
  anyOf: [evaluatedRule, citedRule],
  description: 'A rule as it was given; members that the node does not know are kept.',
});

export const viewSchema = a.named(
  'Escrow',
  a.object(
    {
      escrowId: a.text,
      id: a.described(a.text, 'The same as `escrowId`.'),
      status: a.oneOf(...statuses),
      depositor: a.described(a.did, 'DID whose Tokens these are.'),
      beneficiary: a.described(a.did, 'DID that a release pays.'),
      arbiter: a.described(a.nullable(a.did), 'DID that may release and refund.'),
      amount: a.described(a.tokens, 'Tokens to be locked.'),
      funded: a.described(a.tokens, 'Tokens locked so far: 0 or `amount`.'),
      released: a.described(a.tokens, 'Tokens paid to the beneficiary.'),
      refunded: a.described(a.tokens, 'Tokens paid back to the depositor.'),
      remaining: a.described(a.tokens, 'Tokens still locked: `funded` - `released` - `refunded`.'),
      releaseRules: a.list(rule),
      releaseRule: a.described(a.nullable(rule), 'The first of `releaseRules`.'),
      refundRules: a.list(rule),
      revocable: a.described(a.flag, 'Made without refund rules: the depositor may take back what is left.'),
      expiresAt: a.described(a.nullable(a.time), 'When the rest goes back to the depositor; epoch milliseconds.'),
      createdAt: a.time,
      updatedAt: a.time,
      resourcePrev: a.described(a.hash, 'Hash of its last event: what the next write sends as `resourcePrev`.'),
    },
    {
      purpose: a.described(a.object({ kind: a.text, id: a.text }), 'The order, lease or contract that moves it.'),
      lapsed: { const: true, description: 'It was cancelled, or not funded in time: the reservation was given back.' },
    },
  ),
);
