/** The client in a page of another origin, in Chromium: what CORS permits (docs/reference/access.md#cors). */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join, normalize } from 'node:path';
import { expect } from 'chai';
import { missing, Window } from '../browser/support/browser.js';
import { TestNode } from '../node/support/node.js';
import { clientFile, found, tourFile } from './support/tours.js';

/** A web server with the client's files and an empty page. */
async function site(): Promise<{ readonly server: Server; readonly origin: string }> {
  const server = createServer(({ url = '/' }, response) => {
    const [, name] = /^\/client\/([\w/-]+\.js)$/.exec(url) ?? [];
    const file = name ? join(dirname(clientFile), normalize(name)) : url === '/tour.mjs' ? tourFile : undefined;
    if (file) response.setHeader('Content-Type', 'text/javascript').end(readFileSync(file));
    else response.setHeader('Content-Type', 'text/html').end('<!doctype html><link rel="icon" href="data:,">');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

(missing === undefined ? describe : describe.skip)(`client: in a browser (${missing ?? 'Chromium'})`, () => {
  let node: TestNode;
  let ours: Awaited<ReturnType<typeof site>>;
  let foreign: Awaited<ReturnType<typeof site>>;
  let key: string;

  before(async () => {
    [ours, foreign] = [await site(), await site()];
    node = await TestNode.start({ variables: { SVC_CORS_ORIGINS: ours.origin } });
    ({ key } = await node.key({ scope: 'admin' }));
  });
  after(async () => {
    for (const { server } of [ours, foreign]) {
      server.closeAllConnections();
      server.close();
    }
    await node?.discard();
  });

  /** Runs a program in a page of that origin with the client's modules as `client`. Returns its result. */
  async function inPage(origin: string, program: string): Promise<unknown> {
    const window = await Window.open(origin);
    try {
      await window.page.goto(origin);
      return await window.page.evaluate(`(async () => {
        const client = await import('/client/index.js');
        const { tour } = await import('/tour.mjs');
        const [url, key] = ${JSON.stringify([node.url, key])};
        ${program}
      })()`);
    } finally {
      await window.close();
    }
  }

  it('does with a key, from an origin that is named, what it does everywhere', async () => {
    expect(await inPage(ours.origin, 'return tour(client, { url, key });')).to.deep.equal(found);
  });

  it('reads what a page may see of an answer: how long to wait', async () => {
    const program = `
      const reply = await fetch(url + '/api/v1/node', { headers: { 'X-Api-Key': key } });
      return [reply.headers.get('X-Request-Id') !== null, reply.headers.get('RateLimit') !== null];`;
    expect(await inPage(ours.origin, program)).to.deep.equal([true, true]);
  });

  it('has nothing of the privilege of this machine without a key', async () => {
    const program = `
      const keyless = new client.Client({ url });
      return keyless.identities.create('correct horse battery staple').catch(({ status, code }) => [status, code]);`;
    expect(await inPage(ours.origin, program)).to.deep.equal([401, 'UNAUTHORIZED']);
  });

  it('reaches nothing from an origin that is not named, not even with a key', async () => {
    const program = `
      const asking = new client.Client({ url, key, environment: { wait: async () => {} } });
      return asking.node.status().catch((error) => error instanceof client.UnreachableError);`;
    expect(await inPage(foreign.origin, program)).to.equal(true);
  });
});
