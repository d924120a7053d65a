/**
 * Answers a remote request (docs/decisions/0033): proves it; if it accepts, pays from its home's account to its signer
 * and runs the action by its signer, in the same entry.
 */
import type { JsonObject } from '../../core/canonical.js';
import { refuse } from '../../core/refusal.js';
import type { SubCommand, Workflow } from '../kernel/step.js';
import { flawOfHomeward } from '../remote-request/homeward-terms.js';
import { type ProvenRequest, provenRequest } from './evidence.js';
import type { AnswerInput, ReceivedInput } from './resource.js';

const answering: Workflow['subCommands'] = (request, _, { network, home }) => {
  const { law, networkArbiter, code, detail, ...evidence } = request.input as unknown as AnswerInput;
  const proven = provenRequest(evidence, { id: request.id, network, home });
  if (typeof proven === 'string') return refuse('UNPROCESSABLE', proven);
  const { signer, from, asked } = proven;
  const flaw = asked.owner === undefined ? undefined : flawOfHomeward(asked, from);
  if (flaw) return refuse('UNPROCESSABLE', flaw);
  const subject = { kind: asked.kind, id: asked.resource, action: asked.action };
  const refused = law === undefined ? { code: code ?? 'CONFLICT', detail: detail ?? '' } : {};
  const received: ReceivedInput = { signer, from, subject, money: asked.money, ...refused };
  const answer = { ...request, input: received as unknown as JsonObject };
  if (law === undefined) return [answer];
  const excess = flawOfWithdrawal(proven);
  return excess ? refuse('UNPROCESSABLE', excess) : [answer, ...paying(proven), actionOf(proven, law, networkArbiter)];
};

/** A home withdraws what it holds here. Tokens of its residents go home first. */
const flawOfWithdrawal = ({ signer, from, asked }: ProvenRequest): string | undefined =>
  asked.kind !== 'account' || asked.action !== 'withdraw' || signer === from
    ? undefined
    : 'only a home itself withdraws at another one, and only what it holds there';

/** Tokens that go home are paid by the asking home itself. */
const actorOf = ({ signer, from, asked }: ProvenRequest): string => (asked.owner === undefined ? signer : from);

/** The home's own DID needs no transfer: its account is the one that pays. */
function paying(proven: ProvenRequest): SubCommand[] {
  const { from, asked } = proven;
  const [to, amount] = [actorOf(proven), asked.money];
  if (amount === 0 || to === from) return [];
  return [{ kind: 'account', id: from, action: 'transfer', input: { to, amount }, asWorkflow: true }];
}

const actionOf = (proven: ProvenRequest, law: string, networkArbiter: string | undefined): SubCommand => {
  const { asked } = proven;
  return {
    ...{ kind: asked.kind, id: asked.resource, action: asked.action },
    input: {
      ...((asked.input ?? asked.confidential) as JsonObject),
      ...(networkArbiter === undefined ? {} : { networkArbiter }),
    },
    ...(asked.ids ? { ids: asked.ids as { readonly [part: string]: string } } : {}),
    by: { did: actorOf(proven), law, resourcePrev: asked.resourcePrev },
  };
};

export const remoteAnswerWorkflows: { readonly [action: string]: Workflow } = {
  // The first revision knew no owner, and the second no withdrawals; without them, all return the same.
  'remote-answer.create': {
    ...{ revision: 3, subCommands: answering },
    past: [1, 2].map((revision) => ({ revision, subCommands: answering })),
  },
};
