/** Three homes that send as much as a node reads, besides honest traffic: what it costs the node. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import { askNode } from '../../src/node/control/client.js';
import { startNode } from '../cli/support/node.js';
import { isLong } from '../support/long.js';
import { residentMb } from '../support/resident-memory.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { expectWithin } from '../support/within.js';
import type { FlatOut } from './flat-out-liars.js';
import { watch } from './floods.js';

const hashes = isLong ? 2_000_000 : 50_000;
const cards = isLong ? 20_000 : 1_000;
const mostGrowthMb = 128;
const mostP99Ms = 100;

describe('Three homes that send all they can', () => {
  after(tidy);

  it('cost bounded memory and delay, and all that they show is read', () => expectWithin(mostP99Ms, flood));

  /** @returns the time within which 99 of 100 health checks are answered meanwhile */
  async function flood(): Promise<number> {
    const dir = scratch();
    // Of 1 GiB for the whole process, as in compose.peers.yaml.
    const env = {
      SVC_LISTEN: '/ip4/127.0.0.1/tcp/0',
      SVC_LOG_LEVEL: 'error',
      NODE_OPTIONS: '--max-old-space-size=768',
    };
    const node = await startNode(dir, [], { env });
    const operator = async (act: string, input = {}) => {
      const answer = await askNode(dir, act, input);
      if (isRefusal(answer)) expect.fail(answer.detail);
      // biome-ignore lint/suspicious/noExplicitAny: each act has its own
      return answer as any;
    };
    const workerData: FlatOut = { target: (await operator('peers.list')).listens[0], hashes, cards };
    const worker = new Worker(new URL('./flat-out-liars.js', import.meta.url), { workerData });
    const [liars] = (await once(worker, 'message')) as [{ address: string; did: string }[]];
    const before = residentMb(node.pid);
    const measured = watch(node);
    const began = performance.now();
    let hashedMs = 0;
    for (const { address } of liars) await operator('peers.add', { address });
    worker.postMessage('on');
    const ended = { isTrue: false };
    const traffic = honest(node.url, ended);
    const reads = async (): Promise<number> => {
      const { peers } = await operator('peers.list');
      const [hasher, carder] = liars.map(({ did }) => peers.find((peer: { did: string }) => peer.did === did));
      if (hasher.followed >= hashes) hashedMs ||= performance.now() - began;
      return Math.min(hasher.followed / hashes, carder.followed / cards);
    };
    await until('all is read', reads, { is: (part) => part >= 1, longestMs: 3_600_000 });
    const during = await measured();
    ended.isTrue = true;
    const written = await traffic;
    worker.postMessage('end');
    await once(worker, 'exit');
    const growth = during.resident - before;
    const figures = `${Math.round(hashes / (hashedMs / 1_000))} hashes/s; ${Math.round(growth)} MB more; /healthz p99 ${during.p99.toFixed(1)} ms, worst ${during.worst.toFixed(1)} ms of ${during.count}; ${written} transfers meanwhile`;
    process.stdout.write(`      ${figures}\n`);
    expect(written, figures).to.be.above(0);
    expect(growth, figures).to.be.below(mostGrowthMb);
    expect((await node.stop()).code).to.equal(0);
    return during.p99;
  }
});

/** A resident writes, one write after the other. @returns how many were accepted */
async function honest(url: string, ended: { readonly isTrue: boolean }): Promise<number> {
  let accepted = 0;
  for (; !ended.isTrue; accepted++) {
    const body = JSON.stringify({ did: (await (await fetch(`${url}/api/v1/node`)).json()).did });
    const headers = { 'Content-Type': 'application/json' };
    const { status } = await fetch(`${url}/api/v1/faucet`, { method: 'POST', headers, body });
    expect(status).to.be.oneOf([200, 201]);
  }
  return accepted;
}
