/** Clients from forty addresses send most of a large body and then wait: the node's memory stays bounded. */
import { setTimeout as wait } from 'node:timers/promises';
import { expect } from 'chai';
import { startNode } from '../cli/support/node.js';
import { isLong } from '../support/long.js';
import { scratch, tidy } from '../support/scratch.js';
import { flood, watch } from './floods.js';

/** Fewer rounds would not show whether garbage is collected in time. */
const rounds = 8;
const seconds = 6;
const connections = 1_500;

(isLong && process.platform === 'linux' ? describe : () => {})('hostile: bodies sent in part', () => {
  after(tidy);

  it('cost bounded memory, and no health check its answer', async () => {
    const node = await startNode(scratch(), [], { env: { SVC_CHAIN: 'none', SVC_LOG_LEVEL: 'error' } });
    const calm = watch(node);
    await wait(2_000);
    const before = await calm();
    const measured = watch(node);
    const length = 1024 * 1024;
    const head = `POST /api/v1/transfers HTTP/1.1\r\nHost: 127.0.0.1:${new URL(node.url).port}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`;
    for (let round = 0; round < rounds; round++) {
      const end = await flood(node, [head + ' '.repeat(length - 10)], connections);
      await wait(seconds * 1_000);
      await end();
    }
    const during = await measured();
    const growth = during.resident - before.resident;
    const figures = `${Math.round(growth)} MB more; /healthz p99 ${during.p99.toFixed(1)} ms, worst ${during.worst.toFixed(1)} ms of ${during.count}`;
    expect(during.worst, figures).to.be.finite;
    expect(growth, figures).to.be.below(320);
    console.log(figures);
    expect((await node.stop()).code).to.equal(0);
  });
});
