/** The server over HTTP on this machine: for those who have its token, and whom no page in a browser can speak to. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect } from 'chai';
import { type McpOverHttp, serveOverHttp } from '../../packages/mcp/src/http.js';
import { publishes } from '../node/support/market.js';
import { nodeForSuite } from '../node/support/node.js';
import { Host, revisions, TestAgent } from './support/agent.js';

describe('A server of MCP over HTTP', () => {
  const node = nodeForSuite();
  let agent: TestAgent;
  let served: McpOverHttp;
  let token: string;

  before(async () => {
    agent = await TestAgent.make(node());
    const onError = () => {};
    served = await serveOverHttp(agent.agent().options, { version: '1', port: 0, onError });
    token = readFileSync(served.tokenFile, 'utf8').trim();
  });
  after(async () => {
    await served.close();
    await agent.discard();
  });

  /** @returns the status */
  const asks = (headers: Record<string, string>, path = '/mcp', method = 'POST') =>
    new Promise<number>((resolve, reject) => {
      const { port } = new URL(served.url);
      const sent = {
        Host: `127.0.0.1:${port}`,
        Authorization: `Bearer ${token}`,
        'Content-Type': 'application/json',
        Accept: 'application/json, text/event-stream',
      };
      const asked = request({ host: '127.0.0.1', port, path, method, headers: { ...sent, ...headers } }, (response) => {
        response.resume();
        resolve(response.statusCode!);
      });
      asked.on('error', reject).end(method === 'POST' ? '{"jsonrpc":"2.0","id":1,"method":"ping"}' : undefined);
    });

  for (const revision of revisions) {
    it(`serves ${revision}, and lets only a terminal confirm`, async () => {
      const headers = { Authorization: `Bearer ${token}` };
      const transport = new StreamableHTTPClientTransport(new URL(served.url), { requestInit: { headers } });
      const host = await Host.open(transport, { revision });
      const { listingId } = await publishes(await node().person(), { pricing: { price: 5 } });
      expect((await host.call('read', { id: listingId })).says).to.include('info-listing');
      const proposal = await host.propose({ action: 'info-order.create', input: { listingId } });
      expect((await host.call('commit', { proposal })).says).to.include(`svc-node mcp approve ${proposal}`);
      expect([host.asked, await agent.events()]).to.deep.equal([[], []]);
      await host.close();
    });
  }

  it('listens on this machine alone, and keeps its token to its user', () => {
    expect(served.url).to.match(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    expect(statSync(served.tokenFile).mode & 0o077).to.equal(0);
    expect(token.length).to.equal(43);
  });

  it('makes its token anew where a part of one was left', async () => {
    const other = await TestAgent.make(node(), 0);
    writeFileSync(join(other.folder, 'token'), token.slice(0, 20));
    const again = await serveOverHttp(other.agent().options, { version: '1', port: 0, onError: () => {} });
    const made = readFileSync(again.tokenFile, 'utf8').trim();
    await again.close();
    await other.discard();
    expect(made.length).to.equal(43);
  });

  it('refuses who has no token, or another one', async () => {
    const wrong = ['', 'Bearer', 'Bearer ', `Bearer ${token}x`, `Bearer ${token.slice(1)}`, `Basic ${token}`, token];
    for (const Authorization of wrong) expect(await asks({ Authorization }), Authorization).to.equal(401);
    expect(await asks({ Authorization: `Bearer ${'é'.repeat(20)}` })).to.equal(401);
  });

  it('refuses pages, and names that lead here', async () => {
    const { port } = new URL(served.url);
    for (const Host of ['example.org', `example.org:${port}`, '127.0.0.1', '127.0.0.1:1', `[::1]:${port}`])
      expect(await asks({ Host }), Host).to.equal(403);
    for (const Origin of ['https://example.org', 'null', `https://127.0.0.1:${port}`, 'http://127.0.0.1:1'])
      expect(await asks({ Origin }), Origin).to.equal(403);
    expect(await asks({ Origin: `http://127.0.0.1:${port}` })).to.be.below(400);
    expect(await asks({ Host: `localhost:${port}` })).to.be.below(400);
  });

  it('serves one path', async () => {
    for (const path of ['/', '/mcp/', '/mcp?x', '/token', '/../token'])
      expect(await asks({}, path), path).to.equal(404);
    expect(await asks({}, '/mcp', 'GET')).to.equal(405);
  });
});
