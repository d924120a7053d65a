/** The tools that only read. What the node answers has texts of others, so all of it is data. */

import { Information } from '../../client/src/groups/information.js';
import { leasesOf } from '../../client/src/groups/leases.js';
import { pathOf, type Query } from '../../client/src/http.js';
import { NotReachedError, waitFor } from '../../client/src/transition.js';
import type { Agent } from './agent.js';
import { mcpBounds } from './bounds.js';
import { answer, answerPart, type ToolOutput, ToolRefusal } from './data-block.js';
import { exampleOf, inputSchemaOf, isId, isName, type SignedActionDefinition } from './definitions.js';
import { isAllowed } from './limits.js';

type ViewMembers = { readonly [name: string]: unknown };
type ListedPage = ViewMembers & { readonly pagination?: { readonly after?: string | null } };

interface PermittedAction {
  readonly action: string;
  readonly internal: boolean;
  readonly roles: readonly { readonly role: string; readonly permitted: boolean; readonly reason?: string }[];
}

export interface SearchArguments {
  readonly text?: string;
  readonly market?: string;
  readonly category?: string;
  readonly maxPrice?: number;
  readonly limit?: number;
  readonly after?: string;
  readonly filters?: ViewMembers;
}

export async function search(agent: Agent, asked: SearchArguments): Promise<ToolOutput> {
  const { text, market, category, maxPrice, limit = 10, after, filters = {} } = asked;
  const named = { keyword: text, markets: market, category, maxPrice, limit, after };
  const query = Object.fromEntries(Object.entries({ ...filters, ...named }).filter(([, value]) => value !== undefined));
  const http = await agent.http();
  const page = await http.get<ListedPage>('/markets/search', query as Query);
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
  const { kinds } = await agent.definitions();
  const kind = stated ?? (await kindOf(agent, id));
  const path = kinds.get(kind);
  if (path === undefined)
    throw new ToolRefusal(`There is no such kind here: it is one of ${[...kinds.keys()].join(', ')}.`);
  return { kind, path: `${path}/${encodeURIComponent(id)}` };
}

async function kindOf(agent: Agent, id: string): Promise<string> {
  const http = await agent.http();
  const { matches } = await http.get<{ matches: readonly { kind?: string; id: string }[] }>('/lookup', { text: id });
  const kind = matches.find((each) => each.id === id)?.kind;
  if (kind === undefined) throw new ToolRefusal('Nothing here has this id, or this agent may not see it.');
  return kind;
}

export async function read(agent: Agent, { id, kind: stated }: { id: string; kind?: string }): Promise<ToolOutput> {
  const { kind, path } = await placeOf(agent, id, stated);
  const http = await agent.http();
  const [view, { actions }] = await Promise.all([
    http.get<ViewMembers>(path),
    http.get<{ actions: readonly PermittedAction[] }>(pathOf`/machines/${kind}/${id}/permitted`),
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

export interface ListArguments {
  readonly kind?: string;
  readonly role?: string;
  readonly status?: string;
  readonly limit?: number;
  readonly after?: string;
}

export async function listMine(agent: Agent, { kind, limit, ...more }: ListArguments): Promise<ToolOutput> {
  const { kinds } = await agent.definitions();
  const http = await agent.http();
  const query = Object.fromEntries(
    Object.entries({ did: agent.did, ...more }).filter(([, value]) => value !== undefined),
  );
  const listOf = (path: string, most: number) => http.get<ListedPage>(path, { ...query, limit: most } as Query);
  if (kind !== undefined) {
    const path = kinds.get(kind);
    if (path === undefined)
      throw new ToolRefusal(`There is no such kind here: it is one of ${[...kinds.keys()].join(', ')}.`);
    const page = await listOf(path, limit ?? 10);
    return answer(`${countIn(page)} of kind ${kind}, of which this agent is a party.${nextPage(page)}`, page);
  }
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
  const http = await agent.http();
  const [balance, { home, network }] = await Promise.all([
    http.get<ViewMembers>(pathOf`/wallets/${did}`),
    agent.place(),
  ]);
  const { askAbove, askAboveDaily, allow } = limits;
  const spent = await proposals.spentUnasked();
  const asks =
    askAbove === 0
      ? 'The owner is asked before every act.'
      : `The owner is asked before an act above ${askAbove} Tokens, and above ${askAboveDaily} within a day (${spent} used).`;
  const allowed = `Allowed: ${allow?.join(', ') ?? 'all actions but those of account and identity'}.`;
  return answer(`This agent is ${did}, at ${home} on ${network}. ${asks} ${allowed}`, balance);
}

/** What a model needs to know of an action; without a name, of which there are. */
export async function describeAction(
  agent: Agent,
  { action: name }: { readonly action?: string },
): Promise<ToolOutput> {
  const definitions = await agent.definitions();
  const all = [...definitions.actions.values()];
  if (name === undefined) {
    const lines = all.map((each) => [each.name, `${each.summary}${allowedText(each, agent)}`]);
    return answer(`${lines.length} actions, as the node describes them.`, Object.fromEntries(lines));
  }
  const found = definitions.actions.get(name);
  if (!found) throw new ToolRefusal('There is no such action here: describe_action without arguments lists them all.');
  const { summary, description, codes, signs } = found;
  const about = description.split('\n\n').filter((each) => !/signed write|API key|^Also at/.test(each));
  const input = inputSchemaOf(found, definitions);
  const id = signs.id !== undefined && signs.id !== 'signer' ? signs.id : undefined;
  const says = id === undefined ? 'It takes no id.' : `Its id is the member ${id} of input, or id.`;
  const data = { action: name, summary, about, input, example: exampleOf(found), refusals: codes };
  return answer(`${says}${allowedText(found, agent)}`, data, mcpBounds.contentLength);
}

const allowedText = ({ name }: SignedActionDefinition, { limits }: Agent): string =>
  isAllowed(name, limits) ? '' : ' Not allowed to this agent.';

export interface WaitArguments {
  readonly id: string;
  readonly kind?: string;
  readonly states: readonly string[];
  readonly seconds?: number;
}

export async function wait(agent: Agent, asked: WaitArguments, signal: AbortSignal): Promise<ToolOutput> {
  const { id, kind: stated, states, seconds = mcpBounds.usualWaitSeconds } = asked;
  const { kind, path } = await placeOf(agent, id, stated);
  const http = await agent.http();
  const watched = { what: `${kind} ${id}`, read: (options: object) => http.get<ViewMembers>(path, undefined, options) };
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
  const opened = await new Information(writes).open(id);
  const { content, contentKeyHex: _, contentSaltHex: __, ...more } = opened;
  const { part, rest } = answerPart(content ?? '', from);
  const says = content === null ? 'It has no content here.' : 'It is what the listing promised by its hash.';
  return answer(
    `${says}${rest}`,
    { ...more, content: content === null ? null : part },
    Math.max(part.length, mcpBounds.textLength),
  );
}
