/**
 * The contract's view as JSON text, put together from the context: the same text as JSON.stringify of the view (view.ts),
 * which costs several times as much. Every step of a contract is answered with it. Its closing brace is left out: more
 * members follow, and to cut a long text costs as much as to put it together.
 */
import { type Json, quoted } from '../kernel/canonical.js';
import type { Resource, Seen } from '../kernel/resource.js';
import { type ContractContext, deadlineOf, rest } from './machine.js';
import { type Milestone, milestoneStates } from './milestone.js';
import { permitted, statusOf } from './view.js';

/** What is absent is null. */
function jsonText(value: Json | undefined): string {
  if (value === null || value === undefined) return 'null';
  if (typeof value === 'string') return quoted(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** What a milestone that nothing has happened to says of its progress. */
const untouched =
  '"submissions":0,"deliverables":[],"notes":null,"envelope":null,"envelopeDigest":null,"submittedAt":null,' +
  '"rating":null,"feedback":null,"answeredAt":null';

function progressText({ submission, submissions, rating, feedback, answeredAt }: Milestone): string {
  if ((submission ?? submissions ?? rating ?? feedback ?? answeredAt) === undefined) return untouched;
  const { at, deliverables, envelope, envelopeDigest, notes } = submission ?? {};
  return (
    `"submissions":${submissions ?? 0},"deliverables":${jsonText(deliverables ?? [])},"notes":${jsonText(notes)},` +
    `"envelope":${jsonText(envelope)},"envelopeDigest":${jsonText(envelopeDigest)},"submittedAt":${jsonText(at)},` +
    `"rating":${jsonText(rating)},"feedback":${jsonText(feedback)},"answeredAt":${jsonText(answeredAt)}`
  );
}

/** Of a milestone of each state in an active contract; in any other, nothing is permitted. */
const permittedTexts = new Map(
  milestoneStates.map((state) => [state as string, JSON.stringify(permitted({ state }, 'active'))]),
);

function milestoneText(milestone: Milestone, state: string, seen: Seen): string {
  const id = quoted(milestone.id);
  const own = quoted(milestone.state);
  const may = state === 'active' ? (permittedTexts.get(milestone.state) ?? '{}') : '{}';
  return (
    `{"id":${id},"milestoneId":${id},"title":${quoted(milestone.title ?? '')},` +
    `"description":${quoted(milestone.description ?? '')},"amount":${milestone.amount},` +
    `"criteria":${jsonText(milestone.criteria)},"deadline":${jsonText(milestone.deadline)},"state":${own},` +
    `"status":${own},${progressText(milestone)}${seen.withoutPermitted ? '' : `,"permittedActions":${may}`}`
  );
}

function signaturesText(context: ContractContext): string {
  const { signatures, termsHash } = context;
  let text = '';
  for (const { role, signature, signedAt } of signatures) {
    text +=
      `${text === '' ? '' : ','}{"did":${quoted(context[role])},"role":"${role}","signature":${quoted(signature)},` +
      `"termsHash":"${termsHash}","signedAt":${signedAt}}`;
  }
  return text;
}

/** The text of a whole contract, or of its milestone with this id. */
export function viewText(resource: Resource<ContractContext>, seen: Seen, named?: unknown): string {
  const { state, context, lastHash, createdAt, updatedAt } = resource;
  const one = named !== undefined && context.milestones.find((each) => each.id === named);
  if (one) return milestoneText(one, state, seen);
  const id = quoted(resource.id);
  const client = quoted(context.client);
  const provider = quoted(context.provider);
  let milestones = '';
  for (const each of context.milestones)
    milestones += `${milestones === '' ? '' : ','}${milestoneText(each, state, seen)}}`;
  return (
    `{"contractId":${id},"id":${id},"state":"${state}","status":"${statusOf(state)}","client":${client},` +
    `"provider":${provider},"parties":[{"did":${client},"role":"client"},{"did":${provider},"role":"provider"}],` +
    `"arbiter":${jsonText(context.arbiter)},"terms":${jsonText(context.terms)},"payment":${jsonText(context.payment)},` +
    `"milestones":[${milestones}],"termsHash":"${context.termsHash}","signatures":[${signaturesText(context)}],` +
    `"deadline":${jsonText(deadlineOf(context))},"amount":${context.amount},"paid":${context.paid},` +
    `"refunded":${context.refunded},"remaining":${rest(context)},"escrowId":${jsonText(context.escrowId)},` +
    `"disputeId":${jsonText(context.disputeId)},"consented":${context.consented},"createdAt":${createdAt},` +
    `"updatedAt":${updatedAt},"resourcePrev":"${lastHash}"`
  );
}
