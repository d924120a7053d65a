/**
 * What the parties of a contract agree upon: terms, payment and milestones, as they are stated, and the hash of them
 * that a party signs (docs/reference/contracts-and-disputes.md#parties-and-terms).
 */
import { hashOf, type Json, type JsonObject } from '../../core/canonical.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';

/** Milestones that one contract may have. */
const mostMilestones = 50;
export const fallbacks = ['refund', 'release', 'split'] as const;
export type Fallback = (typeof fallbacks)[number];

/** Any members; of these the node knows the meaning. */
const terms = is.atMostBytes(
  is.openObject({
    arbiter: is.optional(is.described(is.did, 'Decides disputes; without it the network’s arbiter does.')),
    deadline: is.optional(is.described(is.time, 'From then on the client may terminate.')),
    fallback: is.optional(
      is.described(is.oneOf(...fallbacks), 'What either party may ask for after 60 days of dispute; default split.'),
    ),
  }),
  65_536,
);

const payment = is.atMostBytes(
  is.openObject({ totalAmount: is.optional(is.described(is.amount, 'Tokens that activation locks.')) }),
  16_384,
);

const milestoneFields = {
  id: is.optional(is.chosenId()),
  title: is.optional(is.text(200)),
  description: is.optional(is.text(4_000)),
  amount: is.described(is.amount, 'Tokens that its approval releases.'),
  criteria: is.optional(is.described(is.atMostBytes(is.anything, 8_192), 'When it is met, in the parties’ own words.')),
  deadline: is.optional(is.described(is.time, 'Where it is not handed in by then, the client may terminate.')),
};
// What is to be handed in is part of when it is met: the view's own `deliverables` are what was.
const milestone = is.aliased(is.object(milestoneFields), { deliverables: 'criteria' });

/** Beside the terms, where a caller expects it. */
export const agreementAliases = { arbiter: 'terms.arbiter' };
export const agreementFields = {
  terms,
  payment: is.optional(payment),
  milestones: is.optional(is.list(milestone, 0, mostMilestones)),
};

type Stated = is.TypeOf<typeof milestone>;

/** A milestone as it is agreed upon; what was left out is not there. */
export interface MilestoneTerms {
  readonly id: string;
  readonly title?: string | undefined;
  readonly description?: string | undefined;
  readonly amount: number;
  readonly criteria?: Json | undefined;
  /** Epoch ms. */
  readonly deadline?: number | undefined;
}

export interface Party {
  readonly did: string;
  readonly role: 'client' | 'provider';
}

export interface Agreement {
  readonly terms: JsonObject;
  readonly payment: JsonObject | null;
  readonly milestones: readonly MilestoneTerms[];
}

/** Whoever leaves ids out gets `ms-1`, `ms-2`, … */
export const milestonesOf = (stated: readonly Stated[]): MilestoneTerms[] =>
  stated.map((each, index) => ({ ...each, id: each.id ?? `ms-${index + 1}` }));

/** The members that are signed, as a view shows them; a milestone's progress is no part of them. */
export const termsOf = ({ id, title, description, amount, criteria, deadline }: MilestoneTerms) => ({
  id,
  title: title ?? '',
  description: description ?? '',
  amount,
  criteria: criteria ?? null,
  deadline: deadline ?? null,
});

/** SHA-256 of the RFC 8785 form of `{ milestones, parties, payment, terms }`. */
export const termsHashOf = (
  { terms: agreed, payment: paid, milestones }: Agreement,
  parties: readonly Party[],
): string => hashOf({ milestones: milestones.map(termsOf), parties, payment: paid, terms: agreed });

export const totalOf = ({ payment: paid }: Pick<Agreement, 'payment'>): number | undefined =>
  paid?.totalAmount as number | undefined;

export const sumOf = (milestones: readonly Pick<MilestoneTerms, 'amount'>[]): number =>
  milestones.reduce((sum, { amount }) => sum + amount, 0);

/** Ids are distinct, and the stages cost no more than there is. */
export function milestonesFit({ milestones, payment: paid }: Pick<Agreement, 'milestones' | 'payment'>): boolean {
  if (new Set(milestones.map(({ id }) => id)).size < milestones.length) return false;
  return sumOf(milestones) <= (totalOf({ payment: paid }) ?? is.maxTokens);
}

export const misfit = 'milestones must have ids of their own, and cost no more than payment.totalAmount together';
/** What of it they don't. */
export function misfitOf({ milestones, payment: paid }: Pick<Agreement, 'milestones' | 'payment'>): string {
  const ids = milestones.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  if (twice !== undefined) return `two have the id ${twice}`;
  return `they cost ${sumOf(milestones)} of ${totalOf({ payment: paid }) ?? is.maxTokens}`;
}
export const partyAsArbiter = 'terms.arbiter must be neither the client nor the provider';

/** What an agreement is refused for. */
export function flawOf(agreement: Agreement, parties: readonly Party[]): Refusal | undefined {
  if (!milestonesFit(agreement)) return refuse('CONTRACT_MILESTONE_INVALID', `${misfit}: ${misfitOf(agreement)}`);
  return parties.some(({ did }) => did === agreement.terms.arbiter)
    ? refuse('UNPROCESSABLE', partyAsArbiter)
    : undefined;
}
