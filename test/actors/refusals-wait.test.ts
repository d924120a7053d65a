/** A refusal reveals the state that it was decided on, so it waits for the disk like an acceptance. */
import { expect } from 'chai';
import { type Disturbance, MemoryStore } from '../../src/store/memory/memory-store.js';
import { accepted, Bench, codeOf } from '../world/bench.js';
import { FakeWorld } from '../world/fake-world.js';

async function disturbed() {
  const world = new FakeWorld();
  const script: Disturbance[] = [];
  const store = new MemoryStore({ world, disturb: () => script.shift() });
  return { world, script, bench: await Bench.open({ world, store }, { ada: 100 }) };
}

describe('refusals', () => {
  it('based on state that is not on disk yet are returned once it is', async () => {
    const { bench, world, script } = await disturbed();
    script.push({ delayMs: 100 });
    const draining = bench.startTransfer('ada', 'ben', 100);
    let answer = '';
    const refused = bench.startTransfer('ada', 'ben', 1).then((result) => {
      answer = codeOf(result);
    });
    await world.advance(50);
    expect(answer, 'the disk has not answered').to.equal('');
    await world.advance(60);
    await world.settle(refused);
    expect(answer).to.equal('INSUFFICIENT_BALANCE');
    accepted(await world.settle(draining));
  });

  it('based on state that never reached the disk are not returned', async () => {
    const { bench, world, script } = await disturbed();
    script.push({ delayMs: 100, outcome: 'fail' });
    const results = [bench.startTransfer('ada', 'ben', 100), bench.startTransfer('ada', 'ben', 1)];
    await world.advance(110);
    expect((await world.settle(Promise.all(results))).map(codeOf)).to.deep.equal([
      'SERVICE_UNAVAILABLE',
      'SERVICE_UNAVAILABLE',
    ]);
  });
});
