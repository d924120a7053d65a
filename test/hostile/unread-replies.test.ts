/**
 * Clients from forty addresses request the largest replies and read nothing: the node's memory stays bounded, and health checks
 * are answered. In the long form the attack lasts as long as the quotas of a minute.
 */
import http from 'node:http';
import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { post, startNode, type TestNode } from '../cli/support/node.js';
import { isLong } from '../support/long.js';
import { residentMb } from '../support/resident-memory.js';
import { waitedMs } from '../support/scheduling.js';
import { scratch, tidy } from '../support/scratch.js';
import type { Flood } from './support/never-reads.js';

const seconds = isLong ? 75 : 8;
const connections = 2_000;

const addresses = (from: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `127.0.0.${from + index}`);

/** @returns ms until the answer, without the time in which the node or this test waited for a processor */
function healthCheck(port: number, pid: number, localAddress: string, agent: http.Agent): Promise<number> {
  const [began, waited] = [performance.now(), waitedMs(pid)];
  const took = () => Math.max(0, performance.now() - began - (waitedMs(pid) - waited));
  return new Promise((resolve) => {
    const lost = () => resolve(Number.POSITIVE_INFINITY);
    const request = http.get({ port, host: '127.0.0.1', path: '/healthz', localAddress, agent }, (reply) => {
      reply.resume().on('end', () => (reply.statusCode === 200 ? resolve(took()) : lost()));
    });
    request.on('error', lost);
  });
}

/** Checks the node's health from ten addresses, each within its quota, until stopped. */
function watch({ url, pid }: TestNode) {
  const port = Number(new URL(url).port);
  const checks: Promise<number>[] = [];
  const agents = addresses(200, 10).map((address) => ({ address, agent: new http.Agent({ keepAlive: true }) }));
  let resident = 0;
  const timer = setInterval(() => {
    const { address, agent } = agents[checks.length % agents.length]!;
    checks.push(healthCheck(port, pid, address, agent));
    resident = Math.max(resident, residentMb(pid));
  }, 25);
  return async () => {
    clearInterval(timer);
    const times = (await Promise.all(checks)).sort((a, b) => a - b);
    for (const { agent } of agents) agent.destroy();
    return { resident, p99: times[Math.floor(times.length * 0.99)]!, worst: times.at(-1)!, count: times.length };
  };
}

/** Creates a listing with the largest content, and enough large contracts for a page. */
async function plant({ url }: TestNode): Promise<string[]> {
  const passphrase = 'correct horse battery staple';
  const { did } = (await post(`${url}/api/v1/identities`, { passphrase })).body;
  const other = (await post(`${url}/api/v1/identities`, { passphrase })).body;
  const signed = (nonce: number) => ({ did, passphrase, nonce });
  const listing = await post(`${url}/api/v1/markets/info`, {
    ...signed(1),
    title: 'Rain',
    description: 'Rain by the hour',
    category: 'weather',
    infoType: 'dataset',
    accessMethod: { type: 'download' },
    license: { type: 'MIT' },
    pricing: { price: 1 },
    content: { format: 'text/csv', data: 'x'.repeat(750 * 1024) },
  });
  expect(listing.status, JSON.stringify(listing.body)).to.equal(201);
  const milestone = (index: number) => ({
    id: `m${index}`,
    title: 'A stage',
    amount: 1,
    description: 'x'.repeat(4_000),
  });
  for (let nonce = 2; nonce < 7; nonce++) {
    const contract = await post(`${url}/api/v1/contracts`, {
      ...signed(nonce),
      provider: other.did,
      terms: { text: 'x'.repeat(65_000) },
      payment: { totalAmount: 50 },
      milestones: Array.from({ length: 50 }, (_, index) => milestone(index)),
    });
    expect(contract.status, JSON.stringify(contract.body)).to.equal(201);
  }
  return [
    `/api/v1/markets/info/${listing.body.listingId}/content`,
    '/api/v1/contracts?limit=100',
    '/api/v1/events?limit=100',
    '/openapi.json',
    '/api/v1/machines/contract',
  ];
}

async function flood(node: TestNode, paths: readonly string[]): Promise<() => Promise<void>> {
  const port = Number(new URL(node.url).port);
  const workerData: Flood = { port, connections, addresses: addresses(2, 40), paths, pipelined: 100 };
  const worker = new Worker(new URL('./support/never-reads.js', import.meta.url), { workerData });
  await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  return async () => {
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('end');
    await ended;
  };
}

(process.platform === 'linux' ? describe : describe.skip)('hostile: replies that no client reads', () => {
  after(tidy);

  for (const limited of isLong ? [true, false] : [true]) {
    it(`from 40 addresses ${limited ? 'at their limits' : 'without limits'} cost bounded memory, and no health check its answer`, async () => {
      const node = await startNode(scratch(), [], {
        env: { SVC_CHAIN: 'none', SVC_LOG_LEVEL: 'error', SVC_RATE_LIMIT_LOOPBACK: limited ? 'on' : 'off' },
      });
      const paths = await plant(node);
      const calm = watch(node);
      await wait(2_000);
      const before = await calm();
      const measured = watch(node);
      const end = await flood(node, paths);
      await wait(seconds * 1_000);
      const during = await measured();
      await end();
      const growth = during.resident - before.resident;
      const figures = `${Math.round(growth)} MB more; /healthz p99 ${during.p99.toFixed(1)} ms, worst ${during.worst.toFixed(1)} ms of ${during.count} (before: p99 ${before.p99.toFixed(1)} ms)`;
      expect(during.worst, figures).to.be.finite;
      // Without limits there is less protection: the node stays alive and answers.
      expect(growth, figures).to.be.below(limited ? 256 : 1_024);
      console.log(figures);
      // On a busy machine the processors are slower too: other programs use half of a core and the caches.
      const isQuiet = loadavg()[0]! < availableParallelism();
      expect(during.p99, figures).to.be.below(isQuiet ? 100 : 250);
      expect((await node.stop()).code).to.equal(0);
    }).timeout((seconds + 60) * 1_000);
  }
});
