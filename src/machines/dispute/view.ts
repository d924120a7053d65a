/**
 * The dispute as callers see it, and its schema.
 */

import type { JsonObject } from '../../core/canonical.js';
import { resourceForm } from '../../core/schema/public-form.js';
import * as a from '../../core/schema/shape.js';
import type { Resource } from '../kernel/resource.js';
import { versionFields } from '../kernel/version-fields.js';
import { reasons } from './claim.js';
import type { DisputeContext } from './machine.js';
import { fallbackAfterMs, fallbacks, networkMayRuleAfterMs, outcomes } from './ruling.js';

export const statuses = ['open', 'resolved'] as const;

/** The disputed resource, under the name of its id: `contractId`, `orderId`. */
export const subjectIdOf = ({ kind, id }: DisputeContext['subject']): JsonObject =>
  kind === 'contract' ? { contractId: id } : { orderId: id };

const proposal = a.nullable(
  a.named(
    'Proposal',
    a.object({
      outcome: a.described(a.oneOf(...outcomes), 'The resolution.'),
      providerPayment: a.described(a.tokens, 'Tokens for the provider.'),
      clientRefund: a.described(a.tokens, 'Tokens for the client.'),
      note: a.confidential(a.erasable(a.text, 'Why, in the party’s words; null: nothing.')),
    }),
  ),
);

const form = resourceForm<Resource<DisputeContext>>(
  {
    disputeId: [a.described(a.text, 'Id of the dispute.'), ({ id }) => id],
    id: [a.described(a.text, 'The same as `disputeId`.'), ({ id }) => id],
    status: [a.described(a.oneOf(...statuses), 'State of the dispute.'), ({ state }) => state],
    subject: a.described(
      a.object({
        kind: a.described(a.text, 'Its kind: `contract`.'),
        id: a.described(a.text, 'Its id.'),
      }),
      'The contract or order that it is about.',
    ),
    escrowId: a.nullable(a.text, 'The escrow that holds the Tokens; null: none.'),
    client: a.described(a.did, 'DID whose Tokens are locked.'),
    provider: a.described(a.did, 'DID that a release pays.'),
    arbiter: a.nullable(a.did, 'DID that decides; null if there is none.'),
    openedBy: a.described(a.did, 'The party that opened it.'),
    reason: a.described(a.oneOf(...reasons), 'Subject of the dispute.'),
    description: [
      a.confidential(a.erasable(a.text, 'The problem, in the words of the party that opened the dispute.')),
      ({ context }) => context.description ?? '',
    ],
    evidence: a.confidential(
      a.described(
        a.list(
          a.erasable({
            ...a.object({ hash: a.described(a.hash, 'SHA-256 of the piece, hex.') }),
            additionalProperties: true,
          }),
        ),
        'The evidence as given; a piece without a hash gets the hash of its content.',
      ),
    ),
    amount: [a.described(a.tokens, 'Tokens in question.'), ({ context }) => context.rest],
    fallback: a.described(a.oneOf(...fallbacks), 'The outcome that either party may request after 60 days.'),
    proposals: a.described(
      a.object({
        client: a.described(proposal, 'The client’s proposal; null if there is none.'),
        provider: a.described(proposal, 'The provider’s proposal; null if there is none.'),
      }),
      'The newest proposal of each party.',
    ),
    resolution: [
      a.nullable(a.oneOf(...outcomes), 'How it ended; null while it is open.'),
      ({ context }) => context.ruling?.outcome ?? null,
    ],
    providerPayment: [
      a.nullable(a.tokens, 'Tokens that the provider got; null while it is open.'),
      ({ context }) => context.ruling?.providerPayment ?? null,
    ],
    clientRefund: [
      a.nullable(a.tokens, 'Tokens that the client got back; null while it is open.'),
      ({ context }) => context.ruling?.clientRefund ?? null,
    ],
    note: a.confidential(a.erasable(a.text, 'Note to the decision.')),
    resolvedBy: [
      a.nullable(a.did, 'Who decided, or the party that agreed; null if the clock ended it.'),
      ({ context }) => context.ruledBy,
    ],
    resolvedAt: [
      a.nullable(a.time, 'When it ended; epoch milliseconds, null before.'),
      ({ context }) => context.ruledAt,
    ],
    networkArbiterFrom: [
      a.described(a.time, 'From this time on the network’s arbiter may decide too.'),
      ({ context }) => context.openedAt + networkMayRuleAfterMs,
    ],
    fallbackFrom: [
      a.described(
        a.time,
        'From this time on either party may request the fallback. For an order, the clock applies it.',
      ),
      ({ context }) => context.openedAt + fallbackAfterMs,
    ],
    ...versionFields,
  },
  {
    contractId: [
      a.described(a.text, 'The contract that it is about; absent: an order.'),
      ({ context }) => (context.subject.kind === 'contract' ? context.subject.id : undefined),
    ],
    orderId: [
      a.described(a.text, 'The order that it is about; absent: a contract.'),
      ({ context }) => (context.subject.kind === 'contract' ? undefined : context.subject.id),
    ],
  },
);

export const { view } = form;
export const viewSchema = a.named('Dispute', form.schema);
