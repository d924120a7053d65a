/**
 * The dispute as callers see it, and its schema.
 */

import type { JsonObject } from '../../core/canonical.js';
import { publicForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import { fallbacks } from '../contract/terms.js';
import type { Resource } from '../kernel/definition.js';
import { versionFields } from '../kernel/version-fields.js';
import { reasons } from './claim.js';
import type { DisputeContext } from './machine.js';
import { fallbackAfterMs, networkMayRuleAfterMs, outcomes } from './ruling.js';

export const statuses = ['open', 'resolved'] as const;

/** The disputed resource, by the name of its id. */
export const placeOf = ({ kind, id }: DisputeContext['subject']): JsonObject =>
  kind === 'contract' ? { contractId: id } : { orderId: id };

const proposal = a.nullable(
  a.named(
    'Proposal',
    a.object({
      outcome: a.oneOf(...outcomes),
      providerPayment: a.tokens,
      clientRefund: a.tokens,
      note: a.confidential(a.nullable(a.text)),
    }),
  ),
);

const form = publicForm<Resource<DisputeContext>>(
  {
    disputeId: [a.text, ({ id }) => id],
    id: [a.described(a.text, 'The same as `disputeId`.'), ({ id }) => id],
    status: [a.oneOf(...statuses), ({ state }) => state],
    state: [a.described(a.oneOf(...statuses), 'The same as `status`.'), ({ state }) => state],
    subject: [
      a.described(a.object({ kind: a.text, id: a.text }), 'The contract or order that it is about.'),
      ({ context }) => context.subject,
    ],
    escrowId: [a.nullable(a.text), ({ context }) => context.escrowId],
    client: [a.described(a.did, 'Whose Tokens are locked.'), ({ context }) => context.client],
    provider: [a.described(a.did, 'Whom a release pays.'), ({ context }) => context.provider],
    arbiter: [a.nullable(a.did), ({ context }) => context.arbiter],
    openedBy: [a.did, ({ context }) => context.openedBy],
    reason: [a.oneOf(...reasons), ({ context }) => context.reason],
    description: [a.confidential(a.text), ({ context }) => context.description],
    evidence: [
      a.confidential(
        a.described(
          a.list({ ...a.object({ hash: a.hash }), additionalProperties: true }),
          'As it was given; what came without a hash has that of its own content.',
        ),
      ),
      ({ context }) => context.evidence,
    ],
    amount: [a.described(a.tokens, 'Tokens in question.'), ({ context }) => context.rest],
    fallback: [
      a.described(a.oneOf(...fallbacks), 'What either party may ask for after 60 days.'),
      ({ context }) => context.fallback,
    ],
    proposals: [
      a.described(a.object({ client: proposal, provider: proposal }), 'What each party has asked for last.'),
      ({ context }) => context.proposals,
    ],
    resolution: [a.nullable(a.oneOf(...outcomes)), ({ context }) => context.ruling?.outcome ?? null],
    providerPayment: [a.nullable(a.tokens), ({ context }) => context.ruling?.providerPayment ?? null],
    clientRefund: [a.nullable(a.tokens), ({ context }) => context.ruling?.clientRefund ?? null],
    note: [a.confidential(a.described(a.nullable(a.text), 'With the ruling.')), ({ context }) => context.note],
    resolvedBy: [
      a.described(a.nullable(a.did), 'Who decided, or the party that agreed; null where the clock ended it.'),
      ({ context }) => context.ruledBy,
    ],
    resolvedAt: [a.nullable(a.time), ({ context }) => context.ruledAt],
    networkArbiterFrom: [
      a.described(a.time, 'From then on the network’s arbiter may decide, too.'),
      ({ context }) => context.openedAt + networkMayRuleAfterMs,
    ],
    fallbackFrom: [
      a.described(a.time, 'From then on either party may ask for the fallback; of an order the clock does.'),
      ({ context }) => context.openedAt + fallbackAfterMs,
    ],
    ...versionFields,
  },
  {
    contractId: [a.text, ({ context }) => (context.subject.kind === 'contract' ? context.subject.id : undefined)],
    orderId: [a.text, ({ context }) => (context.subject.kind === 'contract' ? undefined : context.subject.id)],
  },
);

export const { view } = form;
export const viewSchema = a.named('Dispute', form.schema);
