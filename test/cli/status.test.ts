import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { expect } from 'chai';
import { scratch, tidy } from '../support/scratch.js';
import { json, svcNode } from './support/command.js';
import { startHere, type TestNode } from './support/node.js';

describe('svc-node status', () => {
  let node: TestNode;
  before(async () => {
    node = await startHere();
  });
  after(tidy);

  it('finds the node of the data directory', async () => {
    const end = await svcNode(['status', '--data', node.dataDir]);
    expect(end).to.include({ code: 0, stderr: '' });
    for (const line of [
      `API      ${node.url}`,
      `Node     ${node.did}`,
      'Network  devnet',
      'State    ready',
      'Journal  1 entries, synced',
    ]) {
      expect(end.stdout.split('\n')).to.include(line);
    }
  });

  it('prints for programs what GET /api/v1/node returns', async () => {
    const here = json(await svcNode(['status', '--data', node.dataDir, '--json']));
    const there = json(await svcNode(['status', '--data', scratch(), '--url', `${node.url}/`, '--json']));
    expect(here).to.include({ url: node.url, did: node.did, height: 1 });
    expect(Object.keys(here)).to.deep.equal(Object.keys(there));
  });

  it('names the API keys that expire within 14 days, to the operator and to admin keys', async () => {
    const make = async (...more: string[]) =>
      json<{ key: string }>(await svcNode(['api-key', 'create', '--data', node.dataDir, '--json', ...more])).key;
    await make('--scope', 'read', '--label', 'later', '--expires', '15d');
    await make('--scope', 'read', '--label', 'soon', '--expires', '13d');
    const admin = await make('--scope', 'admin');
    const there = ['--data', scratch(), '--url', node.url, '--key', admin];
    for (const where of [['--data', node.dataDir], there]) {
      const { stdout } = await svcNode(['status', ...where]);
      expect(stdout).to.match(/^Keys +soon expires \d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/m);
      const { expiringKeys } = json<{ expiringKeys: { label: string }[] }>(
        await svcNode(['status', ...where, '--json']),
      );
      expect(expiringKeys.map(({ label }) => label)).to.deep.equal(['soon']);
    }
    const reader = await make('--scope', 'read');
    const unknown = await svcNode(['status', '--data', scratch(), '--url', node.url, '--key', reader, '--json']);
    expect(json(unknown)).to.include({ expiringKeys: null });
  });

  it('says that the node is degraded, and why', async () => {
    const dir = scratch();
    const key = join(dir, 'operator.key');
    writeFileSync(key, `0x${'12'.repeat(32)}\n`, { mode: 0o600 });
    const address = (digit: string) => `0x${digit.repeat(40)}`;
    const contracts = { token: address('1'), registry: address('2'), vault: address('3'), settlement: address('4') };
    const chain = { SVC_CHAIN: 'auto', SVC_RPC_URL: 'http://127.0.0.1:1', SVC_OPERATOR_KEY_FILE: key };
    const node = await startHere(dir, { ...chain, SVC_CONTRACTS: JSON.stringify(contracts) });
    const end = await svcNode(['status', '--data', dir]);
    expect(end.code).to.equal(0);
    expect(end.stdout).to.match(/^State +degraded: .*SVC_RPC_URL was asked for its chain id and gave no answer/m);
    expect(json(await svcNode(['status', '--data', dir, '--json']))).to.include({ state: 'degraded' });
    await node.stop();
  });

  it('needs no key of the operator, but one over HTTP where the node asks for it', async () => {
    const dir = scratch();
    const node = await startHere(dir);
    expect((await svcNode(['status', '--data', dir])).code).to.equal(0);
    // As a node on mainnet would, which needs a chain.
    const keys: unknown[] = [];
    const strict = createServer((request, response) => {
      keys.push(request.headers['x-api-key']);
      response.writeHead(401, { 'Content-Type': 'application/problem+json' });
      response.end(JSON.stringify({ type: '/errors/unauthorized', status: 401, detail: 'an API key is needed' }));
    });
    await new Promise<void>((listening) => strict.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(strict.address() as { port: number }).port}`;
    const keyless = await svcNode(['status', '--url', url]);
    expect(keyless.code).to.equal(1);
    expect(keyless.stderr).to.match(/answers 401: an API key is needed/);
    await svcNode(['status', '--url', url, '--key', 'svck_mine']);
    expect(keys).to.deep.equal([undefined, 'svck_mine']);
    await new Promise((closed) => strict.close(closed));
    await node.stop();
  });

  it('is told by any command that waits because the node refuses: why, how long, and which retry it is', async () => {
    let asked = 0;
    const full = createServer((_, response) => {
      const [status, body] =
        asked++ === 0
          ? [503, { error: { code: 'UNAVAILABLE' }, detail: 'the disk is nearly full' }]
          : [200, { wallets: [] }];
      response.writeHead(status as number, { 'Content-Type': 'application/problem+json', 'Retry-After': '1' });
      response.end(JSON.stringify(body));
    });
    await new Promise<void>((listening) => full.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(full.address() as { port: number }).port}`;
    const end = await svcNode(['event', 'list', '--url', url]);
    expect(end.stderr).to.match(/^the disk is nearly full: retry 1 of 3 in 1 s\n/);
    full.closeAllConnections();
    await new Promise((closed) => full.close(closed));
  });

  it('ends with 1 when no node runs', async () => {
    const dir = scratch();
    const says = `svc-node: no node runs on ${dir}: svc-node start starts one\n`;
    expect(await svcNode(['status', '--data', dir])).to.include({ code: 1, stdout: '', stderr: says });
  });

  it('ends with 1 when no node answers, or another program does', async () => {
    const stranger = createServer((_, response) => response.end('{}'));
    await new Promise<void>((listening) => stranger.listen(0, '127.0.0.1', listening));
    const url = `http://127.0.0.1:${(stranger.address() as { port: number }).port}`;
    const other = await svcNode(['status', '--url', url]);
    expect(other).to.include({ code: 1, stderr: `svc-node: ${url}/api/v1/node answers 200: it is not an svc-node\n` });
    await new Promise((closed) => stranger.close(closed));
    const gone = await svcNode(['status', '--url', url]);
    expect(gone.code).to.equal(1);
    expect(gone.stderr).to.include(`${url} does not answer: connect ECONNREFUSED`);
    // Left by a killed node whose process id now belongs to another process.
    const dir = scratch();
    writeFileSync(join(dir, 'api.json'), JSON.stringify({ url, pid: process.pid }));
    expect((await svcNode(['status', '--data', dir])).code).to.equal(1);
  });
});
