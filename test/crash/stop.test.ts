/** SIGTERM under load: waiting callers get their answers, and the process exits with 0. */
import { expect } from 'chai';
import { pause, realEnvironment } from '../../src/core/environment.js';
import { expectStatus } from '../node/support/answers.js';
import { scratch, tidy } from '../support/scratch.js';
import { expectWithin } from '../support/within.js';
import { Comparison } from './support/comparison.js';
import { auditOf, NodeProcess } from './support/process.js';
import { Writer } from './support/writer.js';

const claims = 3;

describe('a node that is stopped', () => {
  afterEach(tidy);

  it('answers what is in flight, ends with 0 within 10 s, and has kept all that it acknowledged', () =>
    expectWithin(10_000, stoppedUnderLoad));

  /** @returns how long the node takes to end */
  async function stoppedUnderLoad(): Promise<number> {
    const node = await NodeProcess.start(scratch());
    const dids: string[] = [];
    const writers: Writer[] = [];
    for (let i = 0; i < 8; i++) {
      const writer = await Writer.create(node.client, dids);
      writers.push(writer);
      dids.push(writer.did);
      for (let claim = 0; claim < claims; claim++) {
        expectStatus(await node.client.post('/api/v1/faucet', { did: writer.did }));
      }
    }
    const comparison = new Comparison(writers, claims * 100);
    const running = writers.map((writer) => writer.run(node.client, 4));
    await pause(realEnvironment, 300);
    const asked = realEnvironment.monotonic();
    node.signal('SIGTERM');
    // No writer hangs: each has its answer, or a connection that was refused or closed before use.
    await Promise.all(running);
    expect(await node.ended).to.include({ code: 0, signal: null });
    const tookMs = realEnvironment.monotonic() - asked;
    for (const refused of writers.flatMap((writer) => writer.refused)) expect(refused).to.match(/ 503 /);

    const again = await NodeProcess.start(node.dir);
    await comparison.compare(again.client);
    expect((await again.stop()).code).to.equal(0);
    expect(await auditOf(node.dir)).to.include({ ok: true, supply: 8 * claims * 100 });
    return tookMs;
  }

  it('answers a write whose body it has, when the signal comes while it is at work', async () => {
    const node = await NodeProcess.start(scratch());
    const passphrase = 'correct horse battery staple';
    // Each creates a key, which takes long enough for the signal to arrive before the answer.
    const replies = Array.from({ length: 12 }, () => node.client.post('/api/v1/identities', { passphrase }));
    // They were sent together: when the first is answered, the others have been read.
    await Promise.race(replies);
    node.signal('SIGTERM');
    for (const reply of await Promise.all(replies)) expect([201, 503]).to.include(reply.status);
    expect(await node.ended).to.include({ code: 0 });
  });

  it('keeps its data directory to itself, also after others were killed on it', async () => {
    const dir = scratch();
    await (await NodeProcess.start(dir)).kill();
    const node = await NodeProcess.start(dir);
    const second = await NodeProcess.spawn(dir).ended;
    expect(second.code).to.equal(1);
    expect(second.stderr).to.include(`${dir} is in use by process ${node.pid}`);
    expectStatus(await node.client.get('/readyz'));
    expect((await node.stop()).code).to.equal(0);
    expect((await (await NodeProcess.start(dir)).stop()).code).to.equal(0);
  });
});
