/**
 * The agreement of a contract's parties: terms, payment and milestones, and their hash, which both parties sign
 * (docs/reference/contracts-and-disputes.md#parties-and-terms).
 */
import { hashOf, type JsonObject } from '../../core/canonical.js';
import type { Leaf } from '../../core/leaf.js';
import { type Refusal, refuse } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { fallbacks } from '../dispute/ruling.js';

/** The most milestones of one contract. */
const mostMilestones = 50;

/** Any members are allowed; the node interprets these. */
const terms = is.leavingOthers(
  is.atMostBytes(
    is.openObject({
      title: is.optional(is.leaf(is.name(200)), 'What is agreed, in a line: the title that the contract’s lists show.'),
      arbiter: is.optional(is.did, 'Decides disputes; without it the network’s arbiter does.'),
      deadline: is.optional(is.time, 'From then on the client may terminate.'),
      fallback: is.optional(
        is.oneOf(...fallbacks),
        'What either party may ask for after 60 days of dispute; default split.',
      ),
      reviewDays: is.optional(
        is.integer(1, 90),
        'Days in which the client answers a submission in time; then it is approved and paid. Default 7.',
      ),
    }),
    65_536,
  ),
);

const payment = is.leavingOthers(
  is.atMostBytes(is.openObject({ totalAmount: is.optional(is.amount, 'Tokens that activation locks.') }), 16_384),
);

const milestoneFields = {
  id: is.optional(is.chosenId(), 'Id of the milestone; absent: `ms-1`, `ms-2`, …'),
  title: is.optional(is.leaf(is.name(200)), 'Headline.'),
  description: is.optional(is.leaf(is.text(4_000)), 'What is to be done.'),
  amount: is.described(is.amount, 'Tokens that its approval releases.'),
  criteria: is.optional(is.leaf(is.atMostBytes(is.anything, 8_192)), 'When it is met, in the parties’ own words.'),
  deadline: is.optional(is.time, 'Where it is not handed in by then, the client may terminate.'),
};
// In a request `deliverables` describes the work to do and becomes part of the criteria; in the view `deliverables` is
// what was submitted.
const milestone = is.aliased(is.object(milestoneFields), { deliverables: 'criteria' });

/** `arbiter` may also be given next to `terms`. */
export const agreementAliases = { arbiter: 'terms.arbiter' };
export const agreementFields = {
  terms: is.described(
    is.notNearly(terms, ['arbiter', 'deadline', 'fallback', 'reviewDays'], { arbitrator: 'arbiter' }),
    'What was agreed; members that the node does not know are kept, and signed like the others.',
  ),
  payment: is.optional(
    is.notNearly(payment, ['totalAmount'], { amount: 'totalAmount', total: 'totalAmount' }),
    'What the client pays; members that the node does not know are kept, and signed like the others.',
  ),
  milestones: is.optional(
    is.list(milestone, 0, mostMilestones),
    'Parts of the work that are paid one by one; absent: it is paid as a whole.',
  ),
};

export type StatedMilestone = is.TypeOf<typeof milestone>;

/** A milestone in the agreement; members left out are absent. */
export interface MilestoneTerms {
  readonly id: string;
  readonly title?: Leaf | undefined;
  readonly description?: Leaf | undefined;
  readonly amount: number;
  readonly criteria?: Leaf | undefined;
  /** Epoch ms. */
  readonly deadline?: number | undefined;
}

export interface Party {
  readonly did: string;
  readonly role: 'client' | 'provider';
}

export interface Agreement {
  /** 16 random bytes, hex: without them the terms could be guessed from their hash. */
  readonly salt: string;
  readonly terms: JsonObject;
  readonly payment: JsonObject | null;
  readonly milestones: readonly MilestoneTerms[];
}

/** Milestones without ids get `ms-1`, `ms-2`, … */
export const milestonesOf = (stated: readonly StatedMilestone[]): MilestoneTerms[] =>
  stated.map((each, index) => ({ ...each, id: each.id ?? `ms-${index + 1}` }));

/** The members that the parties sign, as a view shows them, without the milestone's progress. */
export const termsOf = ({ id, title, description, amount, criteria, deadline }: MilestoneTerms) => ({
  id,
  title: title ?? '',
  description: description ?? '',
  amount,
  criteria: criteria ?? null,
  deadline: deadline ?? null,
});

/** SHA-256 of the RFC 8785 form of `{ milestones, parties, payment, salt, terms }`. */
export const termsHashOf = (
  { terms: agreed, payment: paid, milestones, salt }: Agreement,
  parties: readonly Party[],
): string => hashOf({ milestones: milestones.map(termsOf), parties, payment: paid, salt, terms: agreed });

export const totalOf = ({ payment: paid }: Pick<Agreement, 'payment'>): number | undefined =>
  paid?.totalAmount as number | undefined;

export const sumOf = (milestones: readonly Pick<MilestoneTerms, 'amount'>[]): number =>
  milestones.reduce((sum, { amount }) => sum + amount, 0);

/** Whether the milestones' ids are distinct and their amounts do not exceed the payment. */
export function milestonesFit({ milestones, payment: paid }: Pick<Agreement, 'milestones' | 'payment'>): boolean {
  if (new Set(milestones.map(({ id }) => id)).size < milestones.length) return false;
  return sumOf(milestones) <= (totalOf({ payment: paid }) ?? is.maxTokens);
}

export const misfit = 'milestones must have ids of their own, and cost no more than payment.totalAmount together';
/** Why the milestones do not fit the payment. */
export function misfitOf({ milestones, payment: paid }: Pick<Agreement, 'milestones' | 'payment'>): string {
  const ids = milestones.map(({ id }) => id);
  const twice = ids.find((id, index) => ids.indexOf(id) < index);
  if (twice !== undefined) return `two have the id ${twice}`;
  return `they cost ${sumOf(milestones)} of ${totalOf({ payment: paid }) ?? is.maxTokens}`;
}
export const partyAsArbiter = 'terms.arbiter must be neither the client nor the provider';

export function flawOf(agreement: Agreement, parties: readonly Party[]): Refusal | undefined {
  if (!milestonesFit(agreement)) return refuse('CONTRACT_MILESTONE_INVALID', `${misfit}: ${misfitOf(agreement)}`);
  return parties.some(({ did }) => did === agreement.terms.arbiter)
    ? refuse('UNPROCESSABLE', partyAsArbiter)
    : undefined;
}
