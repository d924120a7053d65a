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
