/** The node's resources as MCP has them: what a host can show without a tool. All of it is data. */
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { pathOf } from '../../client/src/http.js';
import type { Agent } from './agent.js';
import { dataText, plainText, ToolRefusal } from './data-block.js';
import { placeOf } from './reading.js';

type ResourcePlace = { readonly [name: string]: string | readonly string[] };
type Reads = (agent: Agent, kind: string, id: string) => Promise<{ readonly mimeType: string; readonly text: string }>;

/** A home without its `did:svc:`, which no URI can have there. */
const template = 'svc://{home}/{kind}/{id}';

const json = (value: unknown) => ({ mimeType: 'application/json', text: dataText(value) });

const kinds: readonly {
  readonly name: string;
  readonly suffix: string;
  readonly says: string;
  readonly reads: Reads;
}[] = [
  {
    ...{ name: 'resource', suffix: '', says: 'A listing, order, contract or another resource.' },
    async reads(agent, kind, id) {
      const { path } = await placeOf(agent, id, kind);
      return json(await (await agent.http()).get(path));
    },
  },
  {
    ...{ name: 'history', suffix: '/history', says: 'What has happened to it, oldest first.' },
    reads: async (agent, kind, id) => json(await (await agent.http()).get(pathOf`/machines/${kind}/${id}/history`)),
  },
  {
    ...{
      name: 'chart',
      suffix: '/chart',
      says: 'The states of its kind and what leads from one to another, as Mermaid text.',
    },
    async reads(agent, kind) {
      const path = pathOf`/api/v1/machines/${kind}`;
      const query = { format: 'mermaid' };
      const text = await (await agent.http()).send<string>({ method: 'GET', path, query, beside: 'text' });
      return { mimeType: 'text/plain', text: plainText(text) };
    },
  },
];

export function addResources(server: McpServer, agent: Agent): void {
  for (const { name, suffix, says, reads } of kinds) {
    const place = new ResourceTemplate(`${template}${suffix}`, { list: undefined });
    server.registerResource(name, place, { description: says }, async (uri, given) => {
      const { home, kind, id } = given as ResourcePlace;
      const own = (await agent.place()).home.slice('did:svc:'.length);
      if (home !== own) throw new ToolRefusal(`This server reads at ${own}.`);
      return { contents: [{ uri: uri.href, ...(await reads(agent, String(kind), String(id))) }] };
    });
  }
}
