/** Repeated `kill -9` under load: everything acknowledged is in the journal, and the journal has only what was requested. */
import { expect } from 'chai';
import { pause, realEnvironment } from '../../src/core/environment.js';
import { expectStatus } from '../node/support/answers.js';
import { isLong } from '../support/long.js';
import { scratch, tidy } from '../support/scratch.js';
import { until } from '../support/until.js';
import { Comparison } from './support/comparison.js';
import { auditOf, NodeProcess } from './support/process.js';
import { below } from './support/random.js';
import { Writer } from './support/writer.js';

const kills = isLong ? 200 : 5;
const people = 8;
const lanes = 4;
/** Enough that no writer runs out of Tokens before the last kill. */
const claims = Math.max(10, Math.ceil(kills / 8));
const endowment = claims * 100;

describe('a node that is killed', () => {
  after(tidy);

  it(`keeps every acknowledged write, and no half of another, through ${kills} kills`, async () => {
    const dir = scratch();
    let node = await NodeProcess.start(dir);
    const dids: string[] = [];
    const writers: Writer[] = [];
    while (writers.length < people) {
      const writer = await Writer.create(node.client, dids);
      writers.push(writer);
      dids.push(writer.did);
      const claim = () => node.client.post('/api/v1/faucet', { did: writer.did });
      for (const reply of await Promise.all(Array.from({ length: claims }, claim))) expectStatus(reply);
    }
    const comparison = new Comparison(writers, endowment);
    const acknowledged = () => writers.reduce((sum, writer) => sum + writer.acknowledged.length, 0);
    for (let kill = 1; kill <= kills; kill++) {
      const enough = acknowledged() + 10 + below(150);
      const running = writers.map((writer) => writer.run(node.client, lanes));
      await until('it acknowledges writes', () => acknowledged() >= enough, { everyMs: 1 + below(20) });
      expect(await node.kill()).to.include({ signal: 'SIGKILL' });
      await Promise.all(running);
      expect(writers.flatMap(({ refused }) => refused)).to.deep.equal([]);
      if (kill % 4 === 0) await killWhileStarting(dir);
      node = await NodeProcess.start(dir);
      await comparison.compare(node.client);
    }
    await comparison.compare(node.client);
    expect((await node.stop()).code).to.equal(0);
    const report = await auditOf(dir);
    expect(report).to.include({ ok: true, supply: people * endowment, entries: comparison.events });
  });
});

/** Kills a process while it recovers from a kill. */
async function killWhileStarting(dir: string): Promise<void> {
  const node = NodeProcess.spawn(dir);
  await pause(realEnvironment, below(600));
  await node.kill();
}
