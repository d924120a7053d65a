/**
 * Answers a remote request (docs/decisions/0033): proves it; if it accepts, pays from its home's account to its signer
 * and runs the action by its signer, in the same entry.
 */
import type { JsonObject } from '../../core/canonical.js';
import { refuse } from '../../core/refusal.js';
import type { SubCommand, Workflow } from '../kernel/step.js';
import { type ProvenRequest, provenRequest } from './evidence.js';
import type { AnswerInput, ReceivedInput } from './resource.js';

const answering: Workflow['subCommands'] = (request, _, { network, home }) => {
  const { law, networkArbiter, code, detail, ...evidence } = request.input as unknown as AnswerInput;
  const proven = provenRequest(evidence, { id: request.id, network, home });
  if (typeof proven === 'string') return refuse('UNPROCESSABLE', proven);
  const { signer, from, asked } = proven;
  const subject = { kind: asked.kind, id: asked.resource, action: asked.action };
  const refused = law === undefined ? { code: code ?? 'CONFLICT', detail: detail ?? '' } : {};
  const received: ReceivedInput = { signer, from, subject, money: asked.money, ...refused };
  const answer = { ...request, input: received as unknown as JsonObject };
  return law === undefined ? [answer] : [answer, ...paying(proven), actionOf(proven, law, networkArbiter)];
};

/** The home's own DID needs no transfer: its account is the one that pays. */
const paying = ({ signer, from, asked: { money } }: ProvenRequest): SubCommand[] =>
  money === 0 || signer === from
    ? []
    : [{ kind: 'account', id: from, action: 'transfer', input: { to: signer, amount: money }, asWorkflow: true }];

const actionOf = ({ signer, asked }: ProvenRequest, law: string, networkArbiter: string | undefined): SubCommand => ({
  ...{ kind: asked.kind, id: asked.resource, action: asked.action },
  input: {
    ...((asked.input ?? asked.confidential) as JsonObject),
    ...(networkArbiter === undefined ? {} : { networkArbiter }),
  },
  ...(asked.ids ? { ids: asked.ids as { readonly [part: string]: string } } : {}),
  by: { did: signer, law, resourcePrev: asked.resourcePrev },
});

export const remoteAnswerWorkflows: { readonly [action: string]: Workflow } = {
  'remote-answer.create': { revision: 1, subCommands: answering },
};
