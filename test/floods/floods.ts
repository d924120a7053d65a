/** Floods of a node, and what they cost it: memory, and the time until health checks are answered. */
import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
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

/** A flood and what it costs, compared with the calm before it. */
export async function measured(
  node: TestNode,
  texts: readonly string[],
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
) {
  const calm = watch(node);
  await wait(2_000);
  const before = await calm();
  const watched = watch(node);
  const end = await flood(node, texts, connections);
  await wait(seconds * 1_000);
  const during = await watched();
  await end();
  const growth = during.resident - before.resident;
  const figures = `${Math.round(growth)} MB more; /healthz p99 ${during.p99.toFixed(1)} ms, worst ${during.worst.toFixed(1)} ms of ${during.count} (before: p99 ${before.p99.toFixed(1)} ms)`;
  console.log(figures);
  return { before, during, growth, figures };
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
