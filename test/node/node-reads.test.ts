/** The node's status (docs/reference/node.md#node-status). */
import { readFile } from 'node:fs/promises';
import { expect } from 'chai';
import { expectInvalid, expectPage, expectProblem, expectStatus } from './support/answers.js';
import { nodeForSuite } from './support/node.js';
import { onMongo } from './support/shared-store.js';

describe('The node about itself', () => {
  const node = nodeForSuite();
  const get = (path: string) => node().client.get(path);

  it('GET /node: who it is, on what, and how high its journal stands', async () => {
    const status = expectStatus(await get('/api/v1/node'));
    expect(status).to.include.all.keys([
      ...['did', 'peerId', 'network', 'version', 'synced', 'height', 'blockHeight', 'peers', 'uptime', 'chain'],
      ...['store', 'config'],
    ]);
    const { version } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(status).to.include({ did: node().did, network: 'devnet', version, synced: true, peers: 0 });
    expect(status.chain).to.include.all.keys('kind', 'chainId', 'blockNumber', 'connected', 'lag', 'settlement');
    expect(status.store).to.include({ kind: onMongo ? 'mongodb' : 'sqlite' });
    expect(status.store.durability).to.match(onMongo ? /in the journal of/ : /fsync/);
    expect(status.uptime).to.be.a('number');
    await node().rich(1);
    expect(expectStatus(await get('/api/v1/node')).height).to.equal(status.height + 1);
  });

  it('GET /node/peers: a page, empty without peers', async () => {
    const body = expectStatus(await get('/api/v1/node/peers?limit=5'));
    expect(body).to.include({ total: 0 });
    expect(body.peers).to.deep.equal([]);
    expectPage(body.pagination, { total: 0, limit: 5, hasMore: false });
    expectInvalid(await get('/api/v1/node/peers?limit=0'), 'limit');
  });

  it('GET /node/config: the configuration, no secret in it, paths for local callers and admins only', async () => {
    const local = await get('/api/v1/node/config');
    expect(expectStatus(local)).to.include({ network: 'devnet', dataDir: node().dir });
    expect(local.text).not.to.include('the passphrase of the node');
    const remote = node().client.with({ 'X-Forwarded-For': '203.0.113.9' });
    for (const client of [remote, await node().keyed({ scope: 'write' })]) {
      for (const path of ['/api/v1/node/config', '/api/v1/node']) {
        const { text } = await client.get(path);
        expect(text).to.include('devnet').and.not.include(node().dir);
      }
    }
    const admin = await node().keyed({ scope: 'admin' });
    expect(expectStatus(await admin.get('/api/v1/node/config')).dataDir).to.equal(node().dir);
  });

  it('needs no key for these from elsewhere on devnet, and one for everything else', async () => {
    const remote = node().client.with({ 'X-Forwarded-For': '203.0.113.9' });
    for (const path of ['/node', '/node/peers', '/node/config', '/identities/self']) {
      expectStatus(await remote.get(`/api/v1${path}`));
    }
    expectProblem(await remote.get(`/api/v1/node/peers/${node().did}/evidence`), 'NOT_FOUND');
    for (const path of ['/events', `/wallets/${node().did}`, `/identities/${node().did}`, '/escrows']) {
      expectProblem(await remote.get(`/api/v1${path}`), 'UNAUTHORIZED');
    }
  });

  it('answers a wrong version, a typo and a wrong method as problems', async () => {
    expectProblem(await get('/api/v2/node'), 'NOT_FOUND');
    expectProblem(await get('/api/v1/nodes'), 'NOT_FOUND');
    const wrong = await node().client.post('/api/v1/node');
    expectProblem(wrong, 'METHOD_NOT_ALLOWED');
    expect(wrong.headers.allow).to.match(/\bGET\b/);
  });

  it('is ready, healthy, and counts', async () => {
    expect(expectStatus(await get('/readyz'))).to.include({ status: 'ready' });
    expect(expectStatus(await get('/healthz'))).to.include({ status: 'ok' });
    expect((await get('/metrics')).text).to.match(/svc_journal_height \d+/);
  });
});
