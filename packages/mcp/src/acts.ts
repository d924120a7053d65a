/**
 * Propose and commit. A proposal is a dry run with a handle; a commit takes effect once, whatever is repeated and whenever the
 * process is killed: the signed write is on disk before it is sent, and is sent again until it has its reply.
 */
import { ApiError } from '../../client/src/errors.js';
import { pathOf } from '../../client/src/http.js';
import type { Agent } from './agent.js';
import { mcpBounds } from './bounds.js';
import { cut, ToolRefusal } from './data-block.js';
import { concreteWriteOf, isId, isName, type SignedActionDefinition } from './definitions.js';
import { isAllowed } from './limits.js';
import type { AgentProposal, Intent, RefusedEvent } from './proposals.js';
import { actionNamed, foundView } from './reading.js';

export interface ProposedAct {
  readonly proposal: AgentProposal;
  /** What the node says would follow; absent where it is done already. */
  readonly outcome?: object;
}

export interface ProposalRequest {
  readonly action?: string | undefined;
  readonly id?: string | undefined;
  readonly input?: { readonly [member: string]: unknown } | undefined;
  readonly again?: string | undefined;
}

async function allowedAction(agent: Agent, name: string): Promise<SignedActionDefinition> {
  const found = await actionNamed(agent, name);
  if (isAllowed(name, agent.limits)) return found;
  throw new ToolRefusal(`${name} is not allowed to this agent: its owner can allow it.`);
}

/** Decides without signing. The same wish gets the same handle. */
export async function proposed(agent: Agent, asked: ProposalRequest): Promise<ProposedAct> {
  const before = asked.again === undefined ? undefined : agent.proposals.known(asked.again);
  const intent = before?.intent ?? (await intentOf(agent, asked));
  const action = await allowedAction(agent, intent.action);
  return proposedIntent(agent, { intent, before }, () => dryRun(agent, action, intent));
}

interface TriedAct extends Pick<AgentProposal, 'most' | 'to' | 'about' | 'resourcePrev'> {
  readonly outcome: object;
}

/** @param before the same wish, which is to be done once more */
export async function proposedIntent(
  agent: Agent,
  { intent, before }: { readonly intent: Intent; readonly before: AgentProposal | undefined },
  dryRunOf: () => Promise<TriedAct>,
): Promise<ProposedAct> {
  const { proposals, did } = agent;
  if (intent.did !== did) throw new ToolRefusal('That proposal is of another agent.');
  if (before && !['done', 'declined'].includes(before.state))
    throw new ToolRefusal(`${before.handle} is ${before.state}: commit it before you want it again.`);
  const known = proposals.of(intent, before);
  if (known && !mayReplace(known)) return { proposal: known };
  const { outcome, ...tried } = await dryRunOf();
  const proposal = await proposals.hold(async () => {
    const now = proposals.of(intent, before);
    // Another call was faster.
    if (now && !mayReplace(now)) return now;
    const next = {
      ...{ intent, ...tried, state: 'open' as const, proposedAt: agent.environment.now() },
      // An approval is of what was shown, and counts for nothing else.
      ...{ approval: now?.approval, refusedEvents: now?.refusedEvents },
      wasDeclined: before?.state === 'declined' || before?.wasDeclined,
    };
    return now ? proposals.save({ ...next, handle: now.handle }) : proposals.add(next);
  });
  return { proposal, outcome };
}

const mayReplace = ({ state }: AgentProposal): boolean => state === 'open' || state === 'refused';

async function intentOf(agent: Agent, { action: name = '', id, input = {} }: ProposalRequest): Promise<Intent> {
  const { signs } = await allowedAction(agent, name);
  if (id === undefined || signs.id === 'signer') return { did: agent.did, action: name, input };
  if (!isId(id)) throw new ToolRefusal('id is not an id.');
  if (signs.id === undefined) throw new ToolRefusal(`${name} takes no id: describe_action explains it.`);
  return { did: agent.did, action: name, input: { ...input, [signs.id]: id } };
}

async function dryRun(agent: Agent, action: SignedActionDefinition, intent: Intent): Promise<TriedAct> {
  const write = concreteWriteOf(action, await agent.definitions(), intent.input, agent.did);
  const writes = await agent.writes();
  const needsVersion = action.schema().required?.includes('resourcePrev');
  const resourcePrev = needsVersion ? await versionAt(agent, write.path) : undefined;
  const [outcome, about, { available }] = await Promise.all([
    writes.outcome(write.path, { ...write.input, ...(needsVersion && { resourcePrev }) }),
    titleOf(agent, intent),
    agent.get<{ readonly available: number }>(pathOf`/wallets/${agent.did}`),
  ]);
  const { taken, paid } = outcome;
  if (![taken, paid].every((each) => Number.isSafeInteger(each) && each >= 0))
    throw new ToolRefusal('The node does not say what it costs: nothing is proposed.');
  // The ids of what it makes are others once it is committed.
  const changes = outcome.versions.map(({ kind, path }) => `${kind}: ${path.join(', ')}`);
  return {
    ...{ outcome: { taken, paid, to: outcome.to, leaves: available - taken, changes }, most: Math.max(taken, paid) },
    ...{ to: outcome.to, resourcePrev, about },
  };
}

async function versionAt(agent: Agent, path: string): Promise<string | null> {
  const view = await agent.get<{ readonly resourcePrev: string | null }>(path.replace(/\/actions\/[^/]+$/, ''));
  return view.resourcePrev;
}

/** What the listing that is dealt with calls itself, for the person who is asked. */
async function titleOf(agent: Agent, { input: { taskId, listingId = taskId } }: Intent): Promise<string | undefined> {
  // Where it can't be read, the request itself says what is wrong.
  const found = isId(listingId) ? await foundView(agent, listingId).catch(() => undefined) : undefined;
  const title = found?.view.title;
  return typeof title === 'string' ? cut(title, 120) : undefined;
}

/** Makes the act of a proposal that may be made. Called while the proposals are held. */
export async function committed(agent: Agent, from: AgentProposal, isConfirmed: boolean): Promise<AgentProposal> {
  const { proposals, environment } = agent;
  const { intent, most, resourcePrev } = from;
  const action = await allowedAction(agent, intent.action);
  const { path, input } = concreteWriteOf(action, await agent.definitions(), intent.input, agent.did);
  let proposal = from;
  const writes = await agent.writes(
    {
      async put(write) {
        const refusedEvents = refusedIn(proposal);
        const sentAt = environment.now();
        proposal = await proposals.save({ ...from, refusedEvents, state: 'sent', isConfirmed, write, sentAt });
      },
      // It stays until its reply is noted: sent again, it gives that reply.
      async drop() {},
    },
    from.refusedEvents,
  );
  try {
    const stated = resourcePrev === undefined ? {} : { resourcePrev };
    const reply = await writes.signed<object>(path, { ...input, ...stated }, { most });
    return await done(agent, proposal, reply);
  } catch (error) {
    return failed(agent, proposal, error);
  }
}

/** Sends again what was sent and has no reply. @returns the proposal, still sent if no one knows */
export async function settled(agent: Agent, proposal: AgentProposal): Promise<AgentProposal> {
  if (proposal.state !== 'sent' || !proposal.write) return proposal;
  const writes = await agent.writes().catch((error: unknown) => {
    throw unknownYet(proposal, error);
  });
  try {
    return await done(agent, proposal, await writes.submitted<object>(proposal.write));
  } catch (error) {
    return failed(agent, proposal, error);
  }
}

export async function settleAll(agent: Agent): Promise<void> {
  for (const each of agent.proposals.sent())
    await settled(agent, each).catch((error: unknown) => {
      // A refusal is that act's own.
      if (agent.proposals.find(each.handle)?.state === 'sent') throw error;
    });
}

async function done({ proposals }: Agent, { write, ...rest }: AgentProposal, reply: object): Promise<AgentProposal> {
  const { event, payload } = write!;
  const { kind, id, ids = {} } = payload;
  const { state, status } = reply as { readonly state?: unknown; readonly status?: unknown };
  const shown = state ?? status;
  const result = { kind, id, ids, eventHash: event.hash, state: isName(shown) ? shown : null };
  return proposals.save({ ...rest, state: 'done', result });
}

/** @throws the error; the proposal is refused if that is sure, and stays sent otherwise */
async function failed(agent: Agent, proposal: AgentProposal, error: unknown): Promise<AgentProposal> {
  const { write } = proposal;
  if (proposal.state !== 'sent' || !write) throw error;
  const isIn = error instanceof ApiError && error.problem?.committed === true;
  if (isIn) return done(agent, proposal, {});
  const isRefused = error instanceof ApiError && error.status < 500 && error.status !== 429;
  // An error that has the write says nothing about its event, however old that is.
  if (!isRefused || 'write' in error) throw unknownYet(proposal, error);
  // What was approved is used up.
  const { write: _, approval: __, ...rest } = proposal;
  await agent.proposals.save({ ...rest, refusedEvents: refusedIn(proposal), state: 'refused' });
  throw error;
}

/** With the event of its write, which another one follows. */
const refusedIn = ({ refusedEvents = [], write }: AgentProposal): readonly RefusedEvent[] =>
  write ? [...refusedEvents, { hash: write.event.hash, nonce: write.event.nonce }] : refusedEvents;

const unknownYet = ({ handle, write }: AgentProposal, error: unknown): ToolRefusal =>
  new ToolRefusal(
    `Whether ${handle} took effect is not known yet: commit the same proposal again, and it takes effect once. Its event is ${write!.event.hash}.`,
    error instanceof Error ? error.message : undefined,
  );

/** @throws ToolRefusal where a proposal can't be committed any more */
export function mustBeFresh({ handle, state, proposedAt }: AgentProposal, now: number): void {
  if (state === 'declined') throw new ToolRefusal(`The owner has declined ${handle}: nothing was signed.`);
  if (state === 'refused') throw new ToolRefusal(`${handle} was refused: propose it anew.`);
  if (state === 'open' && now > proposedAt + mcpBounds.proposalMs)
    throw new ToolRefusal(`${handle} is older than an hour: propose it again.`);
}
