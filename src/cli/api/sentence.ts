/** One sentence about an accepted write: what happened and what is left; then where it is recorded. */
import { isJsonObject } from '../../core/canonical.js';
import { tame } from '../output.js';
import { priceOf } from './columns.js';
import type { ReportItem } from './values.js';

/** Formats values: names for DIDs on a terminal, full values in a pipe. */
type ShowValue = (value: unknown) => string;

type Sentence = (reply: ReportItem, show: ShowValue) => string;

const amountLeft = ({ escrow }: ReportItem): string =>
  isJsonObject(escrow) ? `; ${escrow.remaining} remain${escrow.remaining === 1 ? 's' : ''} (${escrow.status})` : '';
const fee = ({ fee: charged }: ReportItem): string => (Number(charged) > 0 ? `, for a fee of ${charged}` : '');

const sentences: { readonly [operationId: string]: Sentence } = {
  transfer: (reply, show) => `Sent ${reply.amount} to ${show(reply.to)}${fee(reply)}`,
  withdraw: (reply, show) => `Withdrew ${reply.amount} to ${show(reply.to)}${fee(reply)}`,
  claimFaucet: ({ amount, to }, show) => `The faucet gave ${amount} to ${show(to)}`,
  withdrawFees: ({ amount, to }, show) => `Paid ${amount} of the fees to ${show(to)}`,
  freezeAccount: ({ did }, show) => `Froze the account of ${show(did)}`,
  unfreezeAccount: ({ did }, show) => `Unfroze the account of ${show(did)}`,
  createEscrow: ({ escrowId, amount, beneficiary, status }, show) =>
    `Created escrow ${escrowId}: ${amount} for ${show(beneficiary)} (${status})`,
  fundEscrow: (reply) => `Funded escrow ${reply.escrowId} with ${reply.amount}${amountLeft(reply)}`,
  releaseEscrow: (reply, show) => `Released ${reply.amount} to ${show(reply.to)}${amountLeft(reply)}`,
  refundEscrow: (reply, show) => `Refunded ${reply.amount} to ${show(reply.to)}${amountLeft(reply)}`,
  createBid: (reply) => `Bid ${priceOf(reply)} on task ${reply.taskId}: bid ${reply.bidId}`,
  acceptBid: ({ bidId, orderId, price }) => `Accepted bid ${bidId} for ${price}: order ${orderId}`,
  createContract: ({ contractId, amount, provider, state }, show) =>
    `Created contract ${contractId}: ${amount} for ${show(provider)} (${state})`,
  disputeContract: ({ disputeId, contractId }) => `Opened dispute ${disputeId} about contract ${contractId}`,
  disputeOrder: ({ disputeId, orderId }) => `Opened dispute ${disputeId} about order ${orderId}`,
  createInfoOrder: ({ orderId, price, status }) => `Bought for ${price}: order ${orderId} (${status})`,
  createLease: ({ leaseId, lessor, status }, show) => `Leased from ${show(lessor)}: lease ${leaseId} (${status})`,
  createReview: ({ target, rating }, show) => `Reviewed ${show(target)}: ${rating}`,
  redactLeaf: ({ leaf }) => `Erased the text ${leaf}`,
  updateIdentity: ({ did }, show) => `Updated the identity ${show(did)}`,
};

/** Past tenses that are not made by adding `ed`. */
const irregular: { readonly [verb: string]: string } = {
  cancel: 'cancelled',
  deliver: 'delivered',
  deny: 'denied',
  submit: 'submitted',
  withdraw: 'withdrew',
  open: 'opened',
};
const pastOf = (verb: string): string =>
  irregular[verb] ?? (verb.endsWith('e') ? `${verb}d` : verb.endsWith('y') ? `${verb.slice(0, -1)}ied` : `${verb}ed`);
const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** `Paused listing lst-… (paused)`, from the operation's name and the id in its reply. */
function usual(operationId: string, reply: ReportItem): string {
  const [, verb = operationId] = /^([a-z]+)/.exec(operationId) ?? [];
  const [member = '', id = ''] =
    Object.entries(reply).find(
      ([name, value]) =>
        /^(escrow|listing|order|lease|bid|contract|dispute|milestone)Id$/.test(name) && typeof value === 'string',
    ) ?? [];
  const what = member === '' ? '' : ` ${member.slice(0, -2)} ${id}`;
  const state = reply.state ?? reply.status;
  return `${capital(pastOf(verb))}${what}${typeof state === 'string' ? ` (${state})` : ''}`;
}

/** Members that are shown once and never again. */
const secrets = ['key', 'secret', 'contentKeyHex'];

export interface Recorded {
  /** Number of the journal entry, if it has one already. */
  readonly seq?: number | undefined;
}

/** @returns undefined if the reply is not that of a signed write; it is then printed as it is */
export function replySentence(
  operationId: string,
  reply: unknown,
  { seq }: Recorded,
  show: ShowValue,
): string | undefined {
  if (!isJsonObject(reply) || typeof reply.eventHash !== 'string') return undefined;
  const what = (sentences[operationId] ?? ((given) => usual(operationId, given)))(reply, show);
  const lines = secrets.filter((name) => typeof reply[name] === 'string').map((name) => `${name}: ${reply[name]}`);
  const ignored =
    Array.isArray(reply.ignored) && reply.ignored.length > 0 ? ` Ignored: ${reply.ignored.join(', ')}.` : '';
  return [tame(`${what}.${recordOf(reply, seq)}${ignored}`), ...lines].join('\n');
}

/** Entry and transaction. Without a chain the transaction hash is the event's. */
function recordOf({ eventHash, txHash, status, blockNumber }: ReportItem, seq: number | undefined): string {
  const parts = seq === undefined ? [] : [`entry ${seq}`];
  if (typeof txHash === 'string' && txHash !== `0x${eventHash}`) {
    const settled = status === 'pending' || status === 'failed' ? status : 'confirmed';
    parts.push(
      `transaction ${txHash} ${typeof blockNumber === 'number' || settled !== 'confirmed' ? settled : ''}`.trimEnd(),
    );
  }
  return parts.length === 0 ? '' : ` ${capital(parts.join(', '))}.`;
}
