/** What the agent may do by itself, and what a person has to confirm (docs/mcp.md#limits). Nothing here falls open. */
import { canonical, sha256Hex } from '../../../src/core/canonical.js';
import { toBase64Url, utf8 } from '../../client/src/signing/bytes.js';
import { type HeldKey, isSignedBy } from '../../client/src/signing/key.js';
import type { Agent, AgentLimits } from './agent.js';
import { mcpBounds } from './bounds.js';
import { dataText, ToolRefusal } from './data-block.js';
import { type AgentProposal, intentHash } from './proposals.js';

/** Never, whatever is allowed: they take the wallet out of the owner's reach. */
const never = ['account.withdraw', 'identity.move', 'control.*'];
/** Without `allow`: what is not of a market is the owner's. */
const notUsual = ['account.*', 'identity.*'];

const fits = (action: string, patterns: readonly string[]): boolean =>
  patterns.some(
    (each) => each === action || each === '*' || (each.endsWith('.*') && action.startsWith(each.slice(0, -1))),
  );

export function isAllowed(action: string, { allow }: AgentLimits): boolean {
  if (fits(action, never)) return false;
  return allow ? fits(action, allow) : !fits(action, notUsual);
}

/** Whether a person must confirm it. What was declined once is asked each time. */
export function needsPerson({ most, wasDeclined }: AgentProposal, { limits, proposals }: Agent): boolean {
  const { askAbove, askAboveDaily } = limits;
  return wasDeclined || askAbove === 0 || most > askAbove || proposals.spentUnasked() + most > askAboveDaily;
}

/** Members whose beginning is enough. */
const delivered = ['data', 'content'];

/** What a person is asked, from what will be signed and nothing else. A title is the other party's. */
export function questionOf({ intent, most, about, handle, to = [] }: AgentProposal): string {
  const { did, action, input } = intent;
  // All but what is sold or delivered: what a person can't see could be what matters.
  const request = dataText(input, (name) => (delivered.includes(name) ? mcpBounds.shownMember : Infinity));
  if (request.length > mcpBounds.shownLength)
    throw new ToolRefusal('The request is too long for a person to confirm: nothing was signed. Make it shorter.');
  return [
    `Your agent ${did} wants to make ${action}. It costs at most ${most} Tokens.`,
    ...(to.length > 0 ? [`The node says that Tokens go to ${dataText(to)}.`] : []),
    `Request: ${request}`,
    ...(about === undefined ? [] : [`The other party calls it (their words): ${dataText(about)}`]),
    `Proposal ${handle}.`,
  ].join('\n');
}

/** Stands for all that a person was shown, and for what it was proposed on. */
export const askedHash = (proposal: AgentProposal): string =>
  sha256Hex(canonical([questionOf(proposal), intentHash(proposal.intent), proposal.resourcePrev ?? null]));

const approvalText = (proposal: AgentProposal, until: number) =>
  utf8(`svc:mcp-approval:v1:${canonical({ asked: askedHash(proposal), until })}`);

/** Made by `svc-node mcp approve`, where the key file can be opened. */
export async function approvalOf(
  proposal: AgentProposal,
  key: HeldKey,
  now: number,
): Promise<NonNullable<AgentProposal['approval']>> {
  const until = now + mcpBounds.proposalMs;
  return { until, sig: toBase64Url(await key.sign(approvalText(proposal, until))) };
}

/** Whether the owner has approved exactly this. */
export async function isApproved(proposal: AgentProposal, { did, environment }: Agent): Promise<boolean> {
  const { approval } = proposal;
  if (!approval || approval.until < environment.now()) return false;
  const text = approvalText(proposal, approval.until);
  return isSignedBy(did, text, approval.sig).catch(() => false);
}
