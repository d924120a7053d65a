/** The node's resources as MCP has them: what a host can show without a tool. All of it is data. */
import { type McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { pathOf } from '../../client/src/http.js';
import type { Agent } from './agent.js';
import { dataText, plainText, ToolRefusal } from './data-block.js';
import { foundView } from './reading.js';

type Reads = (agent: Agent, kind: string, id: string) => Promise<{ readonly mimeType: string; readonly text: string }>;

/** A home without its `did:svc:`, which no URI can have there. */
const template = 'svc://{home}/{kind}/{id}';

const json = (value: unknown) => ({ mimeType: 'application/json', text: dataText(value) });

/** By name: what comes after the template, what it is, and how it is read. */
const kinds: { readonly [name: string]: readonly [suffix: string, says: string, reads: Reads] } = {
  resource: [
    '',
    'A listing, order, contract or another resource.',
    async (agent, kind, id) => json((await foundView(agent, id, kind)).view),
  ],
  history: [
    '/history',
    'What has happened to it, oldest first.',
    async (agent, kind, id) => json(await agent.get(pathOf`/machines/${kind}/${id}/history`)),
  ],
  chart: [
    '/chart',
    'The states of its kind and what leads from one to another, as Mermaid text.',
    async ({ options }, kind) => {
      const path = pathOf`/api/v1/machines/${kind}`;
      const query = { format: 'mermaid' };
      const text = await options.http.send<string>({ method: 'GET', path, query, beside: 'text' });
      return { mimeType: 'text/plain', text: plainText(text) };
    },
  ],
};

export function addResources(server: McpServer, agent: Agent): void {
  for (const [name, [suffix, description, reads]] of Object.entries(kinds)) {
    const place = new ResourceTemplate(`${template}${suffix}`, { list: undefined });
    server.registerResource(name, place, { description }, async (uri, { home, kind, id }) => {
      const own = (await agent.place()).home.slice('did:svc:'.length);
      if (home !== own) throw new ToolRefusal(`This server reads at ${own}.`);
      return { contents: [{ uri: uri.href, ...(await reads(agent, String(kind), String(id))) }] };
    });
  }
}
