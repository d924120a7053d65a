/** The escrow as callers see it (docs/reference/escrows.md#view), and its schema. */
import { resourceForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import type { Resource } from '../kernel/resource.js';
import { substateOf, topState } from '../kernel/state-path.js';
import { versionFields } from '../kernel/version-fields.js';
import { type EscrowContext, remaining } from './machine.js';
import { ruleTypes } from './rule.js';

export const statuses = ['created', 'funded', 'released', 'refunded', 'expired'] as const;
export const substates = ['open', 'cancelled', 'lapsed'] as const;

const ruleId = a.described(a.text, 'Id of the rule, which `ruleId` names.');
const demands = {
  requiresEvidence: a.described(a.flag, 'Whether `evidence` is required too.'),
  requiresReason: a.described(a.flag, 'Whether `reason` is required too.'),
};

const evaluatedRule = a.named('EvaluatedRule', {
  ...a.object(
    { id: ruleId, type: a.described(a.oneOf(...ruleTypes), 'Type of the rule.') },
    {
      by: a.described(a.list(a.text), 'manual: the roles (depositor, beneficiary, arbiter) or DIDs that may act.'),
      after: a.described(a.time, 'time: the rule is satisfied from this time on; epoch milliseconds.'),
      hash: a.described(a.hash, 'hash: the SHA-256 of `evidence.preimage`, hex.'),
      signers: a.described(a.list(a.did), 'signature: DIDs whose signatures count.'),
      threshold: a.described(a.count, 'signature: how many of them must sign; default all.'),
      ...demands,
    },
  ),
  additionalProperties: true,
});

const citedRule = a.named('CitedRule', {
  ...a.object({ id: ruleId, type: a.described(a.text, 'Any other type: the request must name the rule.') }, demands),
  additionalProperties: true,
});

const rule = a.named('EscrowRule', {
  anyOf: [evaluatedRule, citedRule],
  description: 'A rule as it was given; members that the node does not know are kept.',
});

const form = resourceForm<Resource<EscrowContext>>(
  {
    escrowId: [a.described(a.text, 'Id of the escrow.'), ({ id }) => id],
    id: [a.described(a.text, 'The same as `escrowId`.'), ({ id }) => id],
    status: [
      a.described(a.oneOf(...statuses), '`created`: reserved; `funded`: locked; the others are final.'),
      ({ state }) => topState(state),
    ],
    depositor: a.described(a.did, 'DID whose Tokens these are.'),
    beneficiary: a.described(a.did, 'DID that a release pays.'),
    arbiter: a.nullable(a.did, 'DID that may release and refund.'),
    amount: a.described(a.tokens, 'Tokens to be locked.'),
    funded: a.described(a.tokens, 'Tokens locked so far: 0 or `amount`.'),
    released: a.described(a.tokens, 'Tokens paid to the beneficiary.'),
    refunded: a.described(a.tokens, 'Tokens paid back to the depositor.'),
    remaining: [
      a.described(a.tokens, 'Tokens still locked: `funded` - `released` - `refunded`.'),
      ({ context }) => remaining(context),
    ],
    releaseRules: a.described(a.list(rule), 'The rules for a release, of which one must be satisfied.'),
    releaseRule: [a.nullable(rule, 'The first of `releaseRules`.'), ({ context }) => context.releaseRules[0] ?? null],
    refundRules: a.described(a.list(rule), 'The rules under which the depositor can take Tokens back.'),
    revocable: a.described(a.flag, 'True if the escrow has no refund rules: the depositor can take back what remains.'),
    expiresAt: a.nullable(a.time, 'When the rest goes back to the depositor; epoch milliseconds.'),
    ...versionFields,
  },
  {
    purpose: [
      a.described(
        a.object({
          kind: a.described(a.text, 'Its kind: `contract`.'),
          id: a.described(a.text, 'Its id.'),
        }),
        'The order, lease or contract that controls the escrow.',
      ),
      ({ context }) => context.purpose ?? undefined,
    ],
    substate: [
      a.described(
        a.oneOf(...substates),
        'While `created`: open, cancelled by the depositor, or lapsed because it was not funded in time.',
      ),
      ({ state }) => substateOf(state),
    ],
    lapsed: [
      a.described(
        a.constant(true),
        'True if the escrow was cancelled, or not funded in time; the reservation was given back.',
      ),
      ({ state }) => (state === 'created.cancelled' || state === 'created.lapsed' ? true : undefined),
    ],
  },
);

export const { view } = form;
export const viewSchema = a.named('Escrow', form.schema);
