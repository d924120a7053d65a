/**
 * The contract as callers see it (decisions.md, Contracts: View), and the schema of that. `state` is the life cycle's,
 * `status` the list filter's word for it (interface, Contract, rule 5).
 */
import type { Json, JsonObject } from '../kernel/canonical.js';
import type { Resource, Seen } from '../kernel/resource.js';
import * as a from '../kernel/shape.js';
import { type ContractContext, deadlineOf, partiesOf, rest } from './machine.js';
import { type Milestone, milestoneActions, milestoneStates, takes } from './milestone.js';
import { termsOf } from './terms.js';

export const states = ['draft', 'signed', 'active', 'completed', 'terminated', 'disputed'] as const;
export const statuses = ['draft', 'active', 'completed', 'disputed', 'cancelled'] as const;

/** What a status of the list stands for, where it is not the state's own name. */
export const statesOf = { draft: ['draft', 'signed'], cancelled: ['terminated'] } as const;

const statusBy = new Map(
  Object.entries<readonly string[]>(statesOf).flatMap(([status, held]) =>
    held.map((state) => [state, status] as const),
  ),
);
export const statusOf = (state: string): string => statusBy.get(state) ?? state;

const doers = { submit: 'provider', approve: 'client', reject: 'client' } as const;

/** By role, as in the view of a whole resource, for a milestone in some state; its machine has no guards. */
function permittedIn(state: string): JsonObject {
  const by: { [role: string]: Json[] } = {};
  for (const action of milestoneActions) {
    if (!takes({ state }, action)) continue;
    const doer = doers[action];
    by[doer] = [...(by[doer] ?? []), { action, open: [] }];
  }
  return by;
}

/** Shared by all views. */
const permittedBy = new Map<string, JsonObject>(milestoneStates.map((state) => [state, permittedIn(state)]));
const nothing: JsonObject = {};

export const permitted = (milestone: Pick<Milestone, 'state'>, state: string): JsonObject =>
  (state === 'active' && permittedBy.get(milestone.state)) || nothing;

function milestoneView(milestone: Milestone, state: string, seen: Seen): JsonObject {
  const { submission } = milestone;
  const { title, description, amount, criteria, deadline } = termsOf(milestone);
  // Each member by its name, and what may be absent added: a spread costs more than all the rest.
  const view: { [name: string]: Json } = {
    id: milestone.id,
    milestoneId: milestone.id,
    title,
    description,
    amount,
    criteria,
    deadline,
    state: milestone.state,
    status: milestone.state,
    submissions: milestone.submissions ?? 0,
    deliverables: submission?.deliverables ?? [],
    notes: submission?.notes ?? null,
    envelope: submission?.envelope ?? null,
    envelopeDigest: submission?.envelopeDigest ?? null,
    submittedAt: submission?.at ?? null,
    rating: milestone.rating ?? null,
    feedback: milestone.feedback ?? null,
    answeredAt: milestone.answeredAt ?? null,
  };
  if (!seen.withoutPermitted) view.permittedActions = permitted(milestone, state);
  return view;
}

export function view(resource: Resource<ContractContext>, seen: Seen): JsonObject {
  const { id, state, context, lastHash, createdAt, updatedAt } = resource;
  return {
    contractId: id,
    id,
    state,
    status: statusOf(state),
    client: context.client,
    provider: context.provider,
    parties: partiesOf(context) as unknown as Json,
    arbiter: context.arbiter,
    terms: context.terms,
    payment: context.payment,
    milestones: context.milestones.map((each) => milestoneView(each, state, seen)),
    termsHash: context.termsHash,
    signatures: context.signatures.map(({ role, signature, signedAt }) => ({
      did: context[role],
      role,
      signature,
      termsHash: context.termsHash,
      signedAt,
    })),
    deadline: deadlineOf(context),
    amount: context.amount,
    paid: context.paid,
    refunded: context.refunded,
    remaining: rest(context),
    escrowId: context.escrowId,
    disputeId: context.disputeId,
    consented: context.consented,
    createdAt,
    updatedAt,
    resourcePrev: lastHash,
  };
}

const optionalTime = a.nullable(a.time);
const permission = a.object({ action: a.text, open: a.list(a.text) });

export const milestoneSchema = a.named(
  'Milestone',
  a.object(
    {
      id: a.text,
      milestoneId: a.described(a.text, 'The same as `id`.'),
      title: a.text,
      description: a.text,
      amount: a.described(a.tokens, 'Tokens that its approval releases.'),
      criteria: { description: 'When it is met, as the parties put it.' },
      deadline: a.described(optionalTime, 'Where it is not handed in by then, the client may terminate.'),
      state: a.oneOf(...milestoneStates),
      status: a.described(a.oneOf(...milestoneStates), 'The same as `state`.'),
      submissions: a.described(a.count, 'How often it was handed in.'),
      deliverables: a.described(a.list(a.anything), 'Of the newest submission, as the provider gave them.'),
      notes: a.nullable(a.text),
      envelope: a.described(a.nullable(a.freeObject), 'The deliverable envelope of the newest submission.'),
      envelopeDigest: a.described(a.nullable(a.hash), 'SHA-256 of the RFC 8785 form of the envelope.'),
      submittedAt: optionalTime,
      rating: a.described(a.nullable(a.count), '1 to 5, with the approval.'),
      feedback: a.described(a.nullable(a.text), 'The client’s words to its approval or rejection.'),
      answeredAt: optionalTime,
    },
    { permittedActions: { type: 'object', additionalProperties: a.list(permission) } },
  ),
);

const party = { did: a.did, role: a.oneOf('client', 'provider') };

export const viewSchema = a.named(
  'Contract',
  a.object({
    contractId: a.text,
    id: a.described(a.text, 'The same as `contractId`.'),
    state: a.described(a.oneOf(...states), 'Of the life cycle.'),
    status: a.described(
      a.oneOf(...statuses),
      'The list filter’s word for it: signed is draft, terminated is cancelled.',
    ),
    client: a.did,
    provider: a.did,
    parties: a.list(a.object(party)),
    arbiter: a.described(a.nullable(a.did), 'Decides disputes: `terms.arbiter`, else the network’s.'),
    terms: a.freeObject,
    payment: a.nullable(a.freeObject),
    milestones: a.list(milestoneSchema),
    termsHash: a.described(
      a.hash,
      'SHA-256 of the RFC 8785 form of `{ milestones: [{ id, title, description, amount, criteria, deadline }], ' +
        'parties, payment, terms }`, as this view shows them: what is signed.',
    ),
    signatures: a.list(
      a.object({
        ...party,
        signature: a.described(a.base58, 'Ed25519 over `svc:contract:v1:<network>:<contractId>:<termsHash>`.'),
        termsHash: a.hash,
        signedAt: a.time,
      }),
    ),
    deadline: a.described(optionalTime, '`terms.deadline`: from then on the client may terminate.'),
    amount: a.described(a.tokens, 'Tokens that activation locked; 0 before it.'),
    paid: a.described(a.tokens, 'Of these, to the provider.'),
    refunded: a.described(a.tokens, 'Of these, back to the client.'),
    remaining: a.described(a.tokens, 'Still locked: `amount` - `paid` - `refunded`.'),
    escrowId: a.nullable(a.text),
    disputeId: a.described(a.nullable(a.text), 'The dispute that is open.'),
    consented: a.described(a.flag, 'The provider lets the client terminate.'),
    createdAt: a.time,
    updatedAt: a.time,
    resourcePrev: a.described(a.hash, 'Hash of its last event: what the next write sends as `resourcePrev`.'),
  }),
);
