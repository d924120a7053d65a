/** An agent with Tokens, and a host of its server that speaks a revision of the protocol with the SDK's own client. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, InMemoryTransport, type Transport } from '@modelcontextprotocol/client';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { realEnvironment } from '../../../packages/client/src/environment.js';
import { Http } from '../../../packages/client/src/http.js';
import { type HeldKey, keys } from '../../../packages/client/src/signing/key.js';
import { Agent, type AgentLimits } from '../../../packages/mcp/src/agent.js';
import { begin, end } from '../../../packages/mcp/src/data-block.js';
import { serverFactory } from '../../../packages/mcp/src/server.js';
import type { TestNode } from '../../node/support/node.js';

/** Today's revision, and the one that hosts of 2025 speak. */
export const revisions = ['2026-07-28', '2025-11-25'] as const;
export type Revision = (typeof revisions)[number];

/** What a person answers; `none`: the host can't ask; `urls`: it only shows pages; `silent`: no answer comes. */
export type Person = 'yes' | 'no' | 'cancel' | 'unticked' | 'none' | 'urls' | 'silent';

export interface HostOptions {
  readonly revision?: Revision;
  readonly person?: Person;
}

export interface ToolAnswer {
  /** The server's own words. */
  readonly says: string;
  /** What others wrote. */
  readonly data: unknown;
  /** As it came. */
  readonly blocks: readonly string[];
  readonly isError: boolean;
}

export class Host {
  readonly asked: string[] = [];

  private constructor(readonly client: Client) {}

  static async open(
    transport: Transport,
    { revision = '2026-07-28', person = 'yes' }: HostOptions = {},
  ): Promise<Host> {
    const capabilities = person === 'none' ? {} : { elicitation: person === 'urls' ? { url: {} } : { form: {} } };
    const mode = revision === '2025-11-25' ? ('legacy' as const) : { pin: revision };
    const host = new Host(new Client({ name: 'a host', version: '1' }, { capabilities, versionNegotiation: { mode } }));
    if (person !== 'none' && person !== 'urls')
      host.client.setRequestHandler('elicitation/create', async ({ params }) => {
        host.asked.push(params.message);
        if (person === 'silent') return new Promise<never>(() => {});
        if (person === 'no') return { action: 'decline' };
        if (person === 'cancel') return { action: 'cancel' };
        return { action: 'accept', content: { confirm: person === 'yes' } };
      });
    await host.client.connect(transport);
    return host;
  }

  async call(name: string, input: object = {}): Promise<ToolAnswer> {
    const found = await this.client.callTool({ name, arguments: { ...input } });
    const blocks = (found.content as { text: string }[]).map(({ text }) => text);
    const [says = '', written] = blocks;
    const data = written && (JSON.parse(written.slice(begin.length, -end.length)) as unknown);
    return { says, data, blocks, isError: found.isError === true };
  }

  /** @returns the handle */
  async propose(input: object): Promise<string> {
    const { says, blocks } = await this.call('propose', input);
    const handle = /[0-9a-f]{16}-\d+/.exec(says)?.[0];
    if (handle === undefined) throw new TypeError(`no handle in: ${blocks.join('\n')}`);
    return handle;
  }

  close(): Promise<void> {
    return this.client.close();
  }
}

/** A connection to a server in this process. */
export function linked(factory: ReturnType<typeof serverFactory>): Transport {
  const [near, far] = InMemoryTransport.createLinkedPair();
  serveStdio(factory, { transport: far as never });
  return near;
}

export class TestAgent {
  readonly #hosts: Host[] = [];

  private constructor(
    readonly node: TestNode,
    readonly key: HeldKey,
    /** 32 bytes, hex. */
    readonly seed: string,
    readonly folder: string,
  ) {}

  static async make(node: TestNode, tokens = 50): Promise<TestAgent> {
    const seed = crypto.getRandomValues(new Uint8Array(32));
    const key = await keys.fromSeed(seed);
    if (tokens > 0) await node.fund(key, tokens);
    return new TestAgent(node, key, Buffer.from(seed).toString('hex'), await mkdtemp(join(tmpdir(), 'svc-mcp-')));
  }

  /** A server in this process, as it is after a start. */
  agent(limits: Partial<AgentLimits> = {}, fetch?: typeof globalThis.fetch): Agent {
    const environment = { ...realEnvironment, ...(fetch && { fetch: fetch as never }) };
    const { key, folder, node } = this;
    const http = new Http({ url: node.url, readTimeoutMs: 10_000, writeTimeoutMs: 30_000, environment });
    return new Agent({ key, http, folder, limits: { askAbove: 0, askAboveDaily: 0, ...limits } });
  }

  async host(options: HostOptions = {}, agent = this.agent(), mayElicit = true): Promise<Host> {
    const host = await Host.open(linked(serverFactory({ agent, version: '1', mayElicit })), options);
    this.#hosts.push(host);
    return host;
  }

  /** Types of the events that it has signed, oldest first. */
  async events(): Promise<readonly string[]> {
    const { client } = this.node;
    const { body } = await client.get(`/api/v1/events?issuer=${this.key.did}&limit=100&order=oldest`);
    const { events } = body as { events: { event: { type: string } }[] };
    return events.map(({ event }) => event.type);
  }

  async discard(): Promise<void> {
    for (const host of this.#hosts) await host.close();
    await rm(this.folder, { recursive: true, force: true });
  }
}
