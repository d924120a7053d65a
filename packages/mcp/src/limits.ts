/** What the agent may do by itself, and what a person has to confirm (docs/mcp.md#limits). Nothing here falls open. */
import { canonical } from '../../../src/core/canonical.js';
import { toBase64Url, utf8 } from '../../client/src/signing/bytes.js';
import { type HeldKey, isSignedBy } from '../../client/src/signing/key.js';
import type { Agent, AgentLimits } from './agent.js';
import { mcpBounds } from './bounds.js';
import { dataText, ToolRefusal } from './data-block.js';
import { type AgentProposal, type Intent, intentHash } from './proposals.js';

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

/** Whether a person must confirm it. */
export async function needsPerson({ most }: AgentProposal, { limits, proposals }: Agent): Promise<boolean> {
  const { askAbove, askAboveDaily } = limits;
  if (askAbove === 0 || most > askAbove) return true;
  return (await proposals.spentUnasked()) + most > askAboveDaily;
}

/** What a person is asked, from what will be signed and nothing else. A title is the other party's. */
export function questionOf({ intent, most, about, handle }: AgentProposal): string {
  const { did, action, input } = intent;
  const request = dataText(input, mcpBounds.shownMember);
  // What a person can't see whole could hide what matters.
  if (request.length > mcpBounds.shownLength)
    throw new ToolRefusal('The request is too long for a person to confirm: nothing was signed. Make it shorter.');
  return [
    `Your agent ${did} wants to make ${action}. It costs at most ${most} Tokens.`,
    `Request: ${request}`,
    ...(about === undefined ? [] : [`The other party calls it (their words): ${dataText(about)}`]),
    `Proposal ${handle}.`,
  ].join('\n');
}

const approvalText = (intent: Intent, handle: string, most: number, until: number) =>
  utf8(`svc:mcp-approval:v1:${canonical({ handle, intent: intentHash(intent), most, until })}`);

/** Made by `svc-node mcp approve`, where the key file can be opened. */
export async function approvalOf(
  { intent, handle, most }: AgentProposal,
  key: HeldKey,
  now: number,
): Promise<NonNullable<AgentProposal['approval']>> {
  const until = now + mcpBounds.proposalMs;
  return { until, sig: toBase64Url(await key.sign(approvalText(intent, handle, most, until))) };
}

/** Whether the owner has approved exactly this. */
export async function isApproved(
  { intent, handle, most, approval }: AgentProposal,
  { did, environment }: Agent,
): Promise<boolean> {
  if (!approval || approval.until < environment.now()) return false;
  const text = approvalText(intent, handle, most, approval.until);
  return isSignedBy(did, text, approval.sig).catch(() => false);
}
