/** Floods of a node, and what they cost it: memory, and the time until health checks are answered. */
import http from 'node:http';
import { Worker } from 'node:worker_threads';
import type { TestNode } from '../cli/support/node.js';
import { residentMb } from '../support/resident-memory.js';
import { waitedMs } from '../support/scheduling.js';
import type { Flood } from './flood.js';

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
export function watch({ url, pid }: TestNode) {
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

/** Opens connections from forty addresses and sends the texts. @returns ends the flood */
export async function flood(
  node: TestNode,
  texts: readonly string[],
  connections: number,
): Promise<() => Promise<void>> {
  const port = Number(new URL(node.url).port);
  const workerData: Flood = { port, connections, addresses: addresses(2, 40), texts };
  const worker = new Worker(new URL('./flood.js', import.meta.url), { workerData });
  await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
  return async () => {
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    worker.postMessage('end');
    await ended;
  };
}
