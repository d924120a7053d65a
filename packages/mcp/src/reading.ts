/** The tools that only read. What the node answers has texts of others, so all of it is data. */

import { Information } from '../../client/src/groups/information.js';
import { leasesOf } from '../../client/src/groups/leases.js';
import { pathOf, type Query, type ReadOptions } from '../../client/src/http.js';
import { NotReachedError, waitFor } from '../../client/src/transition.js';
import type { Agent } from './agent.js';
import { mcpBounds } from './bounds.js';
import { answer, answerPart, type ToolOutput, ToolRefusal } from './data-block.js';
import {
  exampleOf,
  giversOf,
  inputSchemaOf,
  isId,
  isName,
  type NodeDefinitions,
  type SignedActionDefinition,
} from './definitions.js';
import { isAllowed } from './limits.js';

type ViewMembers = { readonly [name: string]: unknown };
type ListedPage = ViewMembers & { readonly pagination?: { readonly after?: string | null } };

interface PermittedAction {
  readonly action: string;
  readonly internal: boolean;
  readonly roles: readonly { readonly role: string; readonly permitted: boolean; readonly reason?: string }[];
}

/** With further query parameters. */
interface SearchArguments extends ViewMembers {
  readonly text?: string;
  readonly market?: string;
  readonly filters?: ViewMembers;
}

export async function search(agent: Agent, asked: SearchArguments): Promise<ToolOutput> {
  const { text: keyword, market: markets, filters, ...more } = asked;
  const query = { limit: 10, ...filters, ...(keyword && { keyword }), ...(markets && { markets }), ...more };
  const page = await agent.get<ListedPage>('/markets/search', query as Query);
  return answer(`${countIn(page)} listings.${nextPage(page)} Titles and descriptions are their sellers' words.`, page);
}

const countIn = (page: ListedPage): number => Object.values(page).find((each) => Array.isArray(each))?.length ?? 0;

const nextPage = ({ pagination }: ListedPage): string => {
  const { after } = pagination ?? {};
  return typeof after === 'string' && isId(after) ? ` There are more: after ${after}.` : '';
};

/** The kind of an id, and where it is read. */
export async function placeOf(agent: Agent, id: unknown, stated?: string): Promise<{ kind: string; path: string }> {
  if (!isId(id)) throw new ToolRefusal('id is not an id.');
  const kind = stated ?? (await kindOf(agent, id));
  return { kind, path: `${await pathOfKind(agent, kind)}/${encodeURIComponent(id)}` };
}

async function pathOfKind(agent: Agent, kind: string): Promise<string> {
  const { kinds } = await agent.definitions();
  const path = kinds.get(kind);
  if (path !== undefined) return path;
  throw new ToolRefusal(`There is no such kind here: it is one of ${[...kinds.keys()].join(', ')}.`);
}

async function kindOf(agent: Agent, id: string): Promise<string> {
  const { matches } = await agent.get<{ matches: readonly { kind?: string; id: string }[] }>('/lookup', { text: id });
  const kind = matches.find((each) => each.id === id)?.kind;
  if (kind === undefined) throw new ToolRefusal('Nothing here has this id, or this agent may not see it.');
  return kind;
}

export async function foundView(agent: Agent, id: string, stated?: string) {
  const { kind, path } = await placeOf(agent, id, stated);
  return { kind, path, view: await agent.get<ViewMembers>(path) };
}

export async function read(agent: Agent, { id, kind: stated }: { id: string; kind?: string }): Promise<ToolOutput> {
  const { kind, path } = await placeOf(agent, id, stated);
  const [view, { actions }] = await Promise.all([
    agent.get<ViewMembers>(path),
    agent.get<{ actions: readonly PermittedAction[] }>(pathOf`/machines/${kind}/${id}/permitted`),
  ]);
  const { permittedActions: _, ...shown } = view;
  const open = actions.filter(({ internal }) => !internal).map((each) => permittedText(kind, each, agent));
  const { actions: known } = await agent.definitions();
  const below = `${path.slice(0, path.lastIndexOf('/'))}/:`;
  const made = [...known.values()].filter((each) => each.signs.action === 'create' && each.path.startsWith(below));
  const makes =
    made.length > 0 ? `\nOf it can be made, with its id in the input: ${made.map(({ name }) => name).join(', ')}.` : '';
  const now = open.filter(Boolean).join('; ') || 'none';
  return answer(`A resource of kind ${kind}.\nActions now: ${now}.${makes}`, shown);
}

function permittedText(kind: string, { action, roles }: PermittedAction, agent: Agent): string {
  const name = `${kind}.${action}`;
  const by = roles.filter(({ permitted }) => permitted).map(({ role }) => role);
  if (by.length === 0 || ![action, ...by].every(isName)) return '';
  return `${name} by ${by.join(' or ')}${isAllowed(name, agent.limits) ? '' : ' (not allowed to this agent)'}`;
}

/** With further query parameters. */
interface ListArguments extends ViewMembers {
  readonly kind?: string;
  readonly limit?: number;
}

export async function listMine(agent: Agent, { kind, limit, ...more }: ListArguments): Promise<ToolOutput> {
  const listOf = (path: string, most: number) =>
    agent.get<ListedPage>(path, { did: agent.did, ...more, limit: most } as Query);
  if (kind !== undefined) {
    const page = await listOf(await pathOfKind(agent, kind), limit ?? 10);
    return answer(`${countIn(page)} of kind ${kind}, of which this agent is a party.${nextPage(page)}`, page);
  }
  const { kinds } = await agent.definitions();
  // Orders of all markets share a path.
  const places = new Map([...kinds].map(([each, path]) => [path, each]));
  const found = await Promise.all(
    [...places].map(async ([path, each]) => [each, await listOf(path, limit ?? 3)] as const),
  );
  const some = found.filter(([, page]) => countIn(page) > 0);
  const counts = some.map(([each, page]) => `${countIn(page)} ${each}${nextPage(page) ? ' or more' : ''}`);
  return answer(`Of this agent: ${counts.join(', ') || 'nothing yet'}.`, Object.fromEntries(some));
}

export async function wallet(agent: Agent): Promise<ToolOutput> {
  const { did, limits, proposals } = agent;
  const [balance, { home, network }] = await Promise.all([
    agent.get<ViewMembers>(pathOf`/wallets/${did}`),
    agent.place(),
  ]);
  const { askAbove, askAboveDaily, allow } = limits;
  const spent = proposals.spentUnasked();
  const asks =
    askAbove === 0
      ? 'The owner is asked before every act.'
      : `The owner is asked before an act above ${askAbove} Tokens, and above ${askAboveDaily} within a day (${spent} used).`;
  const allowed = `Allowed: ${allow?.join(', ') ?? 'all actions but those of account and identity'}.`;
  return answer(`This agent is ${did}, at ${home} on ${network}. ${asks} ${allowed}`, balance);
}

export async function actionNamed(agent: Agent, name: string): Promise<SignedActionDefinition> {
  const found = (await agent.definitions()).actions.get(name);
  if (found) return found;
  throw new ToolRefusal('There is no such action here: describe_action without arguments lists them all.');
}

/** Where the id of an action comes from, and where it is stated. */
function aboutId(action: SignedActionDefinition, known: NodeDefinitions): string {
  const { id, kind, action: verb } = action.signs;
  if (id === undefined || id === 'signer') return 'It takes no id.';
  if (verb === 'create')
    return `It gives the id of what it makes: you may choose it, as the member ${id} of input, or id.`;
  const givers = giversOf(action, id, known);
  const from = givers.length > 0 ? `the one that ${givers.join(' or ')} gave` : `that of a resource of kind ${kind}`;
  return `The member ${id} of input, or id, is ${from}.`;
}

/** What a model needs to know of an action; without a name, of which there are. */
export async function describeAction(agent: Agent, { action }: { readonly action?: string }): Promise<ToolOutput> {
  const allowed = (name: string) => (isAllowed(name, agent.limits) ? '' : ' Not allowed to this agent.');
  if (action === undefined) {
    const { actions } = await agent.definitions();
    const lines = [...actions.values()].map(({ name, summary = '' }) => [name, `${summary}${allowed(name)}`]);
    return answer(`${lines.length} actions, as the node describes them.`, Object.fromEntries(lines));
  }
  const found = await actionNamed(agent, action);
  const known = await agent.definitions();
  const { summary, description = '', codes } = found;
  const about = description.split('\n\n').filter((each) => !/signed write|API key|^Also at/.test(each));
  const says = aboutId(found, known);
  const data = {
    action,
    summary,
    about,
    input: inputSchemaOf(found, known),
    example: exampleOf(found),
    refusals: codes,
  };
  return answer(`${says}${allowed(action)}`, data, mcpBounds.contentLength);
}

export interface WaitArguments {
  readonly id: string;
  readonly kind?: string;
  readonly states: readonly string[];
  readonly seconds?: number;
}

export async function wait(agent: Agent, asked: WaitArguments, signal: AbortSignal): Promise<ToolOutput> {
  const { id, kind: stated, states, seconds = mcpBounds.usualWaitSeconds } = asked;
  const { kind, path } = await placeOf(agent, id, stated);
  const watched = {
    what: `${kind} ${id}`,
    read: (options: ReadOptions) => agent.get<ViewMembers>(path, undefined, options),
  };
  const isReached = ({ state, status }: ViewMembers) => states.some((each) => each === state || each === status);
  try {
    const view = await waitFor(agent.environment, watched, isReached, { signal, timeoutMs: seconds * 1_000 });
    return answer('It is reached.', view);
  } catch (error) {
    if (!(error instanceof NotReachedError)) throw error;
    return answer(`Not reached within ${seconds} seconds: wait again, or do something else.`, error.view);
  }
}

/** Decrypts what this agent has bought or leased. @param from characters that were read before */
export async function openDelivery(agent: Agent, { id, from = 0 }: { id: string; from?: number }): Promise<ToolOutput> {
  const { path } = await placeOf(agent, id);
  const writes = await agent.writes();
  if (!path.startsWith('/orders/')) return answer('The access that was leased.', await leasesOf(writes).open(id));
  const { content, ...more } = await new Information(writes).open(id);
  if (content === null) return answer('It has no content here.', { ...more, content });
  return answerPart('It is what the listing promised by its hash.', content, from, (part) => ({
    ...more,
    content: part,
  }));
}
