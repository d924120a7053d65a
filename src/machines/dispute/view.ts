/**
 * The dispute as callers see it, and the schema of that.
 */
import { fallbacks } from '../contract/terms.js';
import type { Json, JsonObject } from '../kernel/canonical.js';
import type { Resource } from '../kernel/resource.js';
import * as a from '../kernel/shape.js';
import { reasons } from './claim.js';
import type { DisputeContext } from './machine.js';
import { fallbackAfterMs, networkMayRuleAfterMs, outcomes } from './ruling.js';

export const statuses = ['open', 'resolved'] as const;

/** What it is about, by the name of its id. */
export const placeOf = ({ kind, id }: DisputeContext['subject']): JsonObject =>
  kind === 'contract' ? { contractId: id } : { orderId: id };

export function view(resource: Resource<DisputeContext>): JsonObject {
  const { id, state, context, lastHash, createdAt, updatedAt } = resource;
  const { ruling } = context;
  return {
    disputeId: id,
    id,
    status: state,
    state,
    subject: context.subject,
    escrowId: context.escrowId,
    client: context.client,
    provider: context.provider,
    arbiter: context.arbiter,
    openedBy: context.openedBy,
    reason: context.reason,
    description: context.description,
    evidence: context.evidence,
    amount: context.rest,
    fallback: context.fallback,
    proposals: context.proposals as unknown as Json,
    resolution: ruling?.outcome ?? null,
    providerPayment: ruling?.providerPayment ?? null,
    clientRefund: ruling?.clientRefund ?? null,
    note: context.note,
    resolvedBy: context.ruledBy,
    resolvedAt: context.ruledAt,
    networkArbiterFrom: context.openedAt + networkMayRuleAfterMs,
    fallbackFrom: context.openedAt + fallbackAfterMs,
    createdAt,
    updatedAt,
    resourcePrev: lastHash,
    ...placeOf(context.subject),
  };
}

const proposal = a.nullable(
  a.named(
    'Proposal',
    a.object({
      outcome: a.oneOf(...outcomes),
      providerPayment: a.tokens,
      clientRefund: a.tokens,
      note: a.nullable(a.text),
    }),
  ),
);

export const viewSchema = a.named(
  'Dispute',
  a.object(
    {
      disputeId: a.text,
      id: a.described(a.text, 'The same as `disputeId`.'),
      status: a.oneOf(...statuses),
      state: a.described(a.oneOf(...statuses), 'The same as `status`.'),
      subject: a.described(a.object({ kind: a.text, id: a.text }), 'The contract or order that it is about.'),
      escrowId: a.nullable(a.text),
      client: a.described(a.did, 'Whose Tokens are locked.'),
      provider: a.described(a.did, 'Whom a release pays.'),
      arbiter: a.nullable(a.did),
      openedBy: a.did,
      reason: a.oneOf(...reasons),
      description: a.text,
      evidence: a.described(
        a.list({ ...a.object({ hash: a.hash }), additionalProperties: true }),
        'As it was given; what came without a hash has that of its own content.',
      ),
      amount: a.described(a.tokens, 'Tokens in question.'),
      fallback: a.described(a.oneOf(...fallbacks), 'What either party may ask for after 60 days.'),
      proposals: a.described(a.object({ client: proposal, provider: proposal }), 'What each party has asked for last.'),
      resolution: a.nullable(a.oneOf(...outcomes)),
      providerPayment: a.nullable(a.tokens),
      clientRefund: a.nullable(a.tokens),
      note: a.described(a.nullable(a.text), 'With the ruling.'),
      resolvedBy: a.described(
        a.nullable(a.did),
        'Who decided, or the party that agreed; null where the clock ended it.',
      ),
      resolvedAt: a.nullable(a.time),
      networkArbiterFrom: a.described(a.time, 'From then on the network’s arbiter may decide, too.'),
      fallbackFrom: a.described(
        a.time,
        'From then on either party may ask for the fallback; of an order the clock does.',
      ),
      createdAt: a.time,
      updatedAt: a.time,
      resourcePrev: a.described(a.hash, 'Hash of its last event: what the next write sends as `resourcePrev`.'),
    },
    { contractId: a.text, orderId: a.text },
  ),
);
