/** `pay_http`: calls of HTTP APIs that ask for Tokens (docs/payments.md), proposed and committed as other acts are. */

import { join } from 'node:path';
import { paymentBounds } from '../../../src/core/bounds.js';
import { Client } from '../../client/src/client.js';
import { ApiError } from '../../client/src/errors.js';
import { fetchWithPayment, type PayingFetch } from '../../payments/src/buyer.js';
import { PaymentRefused, PaymentUnanswered } from '../../payments/src/errors.js';
import { type KeptPayment, type KeptPayments, keptIn } from '../../payments/src/kept.js';
import { type ProposedAct, proposedIntent } from './acts.js';
import type { Agent } from './agent.js';
import { mcpBounds } from './bounds.js';
import { cut, ToolRefusal } from './data-block.js';
import type { AgentProposal, HttpAnswer, Intent } from './proposals.js';

/** The action of such a call: no machine's. */
export const paidCall = 'http.call';

export interface PayArguments {
  readonly url?: string;
  readonly method?: string;
  readonly body?: string;
  /** Tokens, of a call whose price can't be asked without its effect. */
  readonly most?: number;
  readonly proposal?: string;
  /** Characters of the answer that were read before. */
  readonly from?: number;
  readonly again?: string;
}

interface CallInput {
  readonly url: string;
  readonly method: string;
  readonly body?: string;
}

/** Calls in progress: the same call again gets the same answer. */
const inProgress = new WeakMap<Agent, Map<string, Promise<AgentProposal>>>();

async function payingFetch(agent: Agent, keeping = (kept: KeptPayments) => kept): Promise<PayingFetch> {
  const { key, payments, folder } = agent.options;
  if (!payments) throw new ToolRefusal('The owner has named no hosts that may be paid.');
  const client = new Client(await agent.writes());
  const { hosts, loopback = false } = payments;
  const { fetch } = agent.environment;
  return fetchWithPayment(client, {
    // Each call states what its owner has seen.
    ...{ key, most: Number.MAX_SAFE_INTEGER, hosts, loopback, kept: keeping(keptIn(join(folder, 'payments'))) },
    fetch: fetch as typeof globalThis.fetch,
  });
}

const initOf = ({ method, body }: CallInput): RequestInit => ({
  method,
  ...(body !== undefined && { body, headers: { 'Content-Type': 'application/json' } }),
});

/** What a call would cost, as a proposal. Only a GET is sent to ask: another one could have its effect before it is agreed to. */
export async function proposedCall(
  agent: Agent,
  { url = '', method = 'GET', body, most, again }: PayArguments,
): Promise<ProposedAct> {
  const paying = await payingFetch(agent);
  const before = again === undefined ? undefined : await agent.proposals.known(again);
  const asked: CallInput = { url, method, ...(body !== undefined && { body }) };
  const intent: Intent = before?.intent ?? { did: agent.did, action: paidCall, input: { ...asked } };
  if (intent.action !== paidCall) throw new ToolRefusal('That is no call over HTTP: use propose.');
  const input = intent.input as unknown as CallInput;
  if (!URL.canParse(input.url)) throw new ToolRefusal('url is not a URL.');
  const stated = most ?? before?.most;
  return proposedIntent(agent, { intent, before }, async () => {
    if (input.method !== 'GET') {
      if (stated === undefined) throw new ToolRefusal(`${input.method} needs most: the Tokens that it may cost.`);
      return { outcome: { most: stated, payTo: 'not known yet: nothing was sent' }, most: stated };
    }
    const terms = await payable(() => paying.offer(input.url, initOf(input)));
    if (!terms) return { outcome: { costs: 'nothing' }, most: 0 };
    const { amount, payTo } = terms;
    return { outcome: { amount, payTo }, most: Number(amount), to: [payTo] };
  });
}

/**
 * Calls, and pays once: the handle names the call for ever. The proposal counts as sent before, and is done once the answer is on
 * disk; in between the same call shows the same payment.
 */
export function calledAndPaid(agent: Agent, proposal: AgentProposal): Promise<AgentProposal> {
  const calls = inProgress.get(agent) ?? new Map<string, Promise<AgentProposal>>();
  inProgress.set(agent, calls);
  const { handle } = proposal;
  const call = calls.get(handle) ?? paidAndKept(agent, proposal).finally(() => calls.delete(handle));
  calls.set(handle, call);
  return call;
}

/** When that was which led to it. */
interface AgreedPayment extends KeptPayment {
  readonly sentAt?: number;
}

async function paidAndKept(agent: Agent, proposal: AgentProposal): Promise<AgentProposal> {
  const { handle, most, sentAt = 0 } = proposal;
  if (agent.environment.now() > sentAt + mcpBounds.paidCallMs)
    throw new ToolRefusal(
      `${handle} was paid long ago, and is not tried again: its owner finds the payment in the wallet.`,
    );
  const input = proposal.intent.input as unknown as CallInput;
  let before: KeptPayment | undefined;
  let answered: KeptPayment | undefined;
  const agreed = (payment: KeptPayment): AgreedPayment => ({ ...payment, sentAt });
  const keeping = (kept: KeptPayments): KeptPayments => ({
    ...kept,
    async get(id) {
      const found = await kept.get(id);
      // Of an earlier time that it was agreed to, it was refused.
      if (found && (found as AgreedPayment).sentAt === sentAt) before = found;
      return found;
    },
    // What a person agreed to once is paid once, whatever the node says has become of it.
    async add(payment) {
      if (before) throw new PaymentUnanswered('this call may have been paid, and is not paid anew', before);
      return kept.add(agreed(payment));
    },
    // It counts as answered once the answer is on disk.
    async replace(payment) {
      if (payment.isAnswered) answered = payment;
      else await kept.replace(agreed(payment));
    },
  });
  const paying = await payingFetch(agent, keeping);
  const answer = await payable(async () =>
    answerOf(await paying(input.url, initOf(input), { identifier: handle, most })),
  ).catch(async (error: unknown) => {
    // Nothing was paid: it can be proposed anew.
    const isRefused = error instanceof ApiError || (error instanceof ToolRefusal && error.message === notPaid);
    if (isRefused && !before) await agent.proposals.hold(() => agent.proposals.save({ ...proposal, state: 'refused' }));
    throw error;
  });
  const done = await agent.proposals.hold(() => agent.proposals.save({ ...proposal, state: 'done', answer }));
  if (answered) await keptIn(join(agent.options.folder, 'payments')).replace(answered);
  return done;
}

const notPaid = 'Nothing was paid.';

async function answerOf(response: Response): Promise<HttpAnswer> {
  return {
    status: response.status,
    type: response.headers.get('content-type'),
    text: cut(await response.text(), paymentBounds.answerBytes),
  };
}

async function payable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PaymentRefused) throw new ToolRefusal(notPaid, error.message);
    if (error instanceof PaymentUnanswered)
      throw new ToolRefusal(
        'It is paid, or may be, and has no answer: call pay_http with the same proposal again.',
        error.message,
      );
    if (error instanceof TypeError)
      throw new ToolRefusal('The API does not answer: try the same again.', error.message);
    throw error;
  }
}
