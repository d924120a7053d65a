/** The embedded store: in-memory states run ahead of the disk, and no caller learns anything that is not on disk yet. */
import { expect } from 'chai';
import { type Disturbance, MemoryStore } from '../../src/store/memory/memory-store.js';
import { StoreFault } from '../../src/store/store.js';
import { accepted, Bench, codeOf } from '../world/bench.js';
import { FakeWorld } from '../world/fake-world.js';
import { ada, ben } from '../world/people.js';

/** A bench whose appends are disturbed from now on, one disturbance per call. */
async function disturbed() {
  const world = new FakeWorld();
  const script: Disturbance[] = [];
  const store = new MemoryStore({ world, disturb: () => script.shift() });
  const bench = await Bench.open({ world, store }, { ada: 1_000 });
  return { bench, world, script };
}

describe('early release', () => {
  it('builds on what is not on disk yet: many commands on one account are in flight at once', async () => {
    const { bench, world, script } = await disturbed();
    for (let i = 0; i < 10; i++) script.push({ delayMs: i === 0 ? 500 : 0 });
    const asked = Array.from({ length: 10 }, () => bench.startTransfer('ada', 'ben', 100));
    await world.advance(10);
    expect(bench.actors.committer.inFlight).to.equal(10);
    expect(codeOf(await bench.transfer('ada', 'ben', 1)), 'the Tokens are spoken for').to.equal('INSUFFICIENT_BALANCE');
    (await world.settle(Promise.all(asked))).map(accepted);
    expect(await bench.balances('ben')).to.deep.equal([1_000, 0, 0]);
  });

  it('readers see only what is on disk', async () => {
    const { bench, world, script } = await disturbed();
    const create = { beneficiary: ben, amount: 10, releaseRules: [{ type: 'manual' }] };
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create));
    script.push({ delayMs: 500 });
    const { lastHash } = (await bench.actors.committed.resource('escrow', 'esc-1'))!;
    const funding = bench.start('ada', 'escrow', 'esc-1', 'fund', { amount: 10 }, { resourcePrev: lastHash });
    await world.advance(10);
    expect(bench.actors.registry.peekResource('escrow', 'esc-1')?.snapshot?.state).to.equal('funded');
    expect((await bench.actors.committed.resource('escrow', 'esc-1'))?.state).to.equal('created.open');
    expect(await bench.actors.committed.account(ada)).to.include({ reserved: 10, escrowed: 0, nonce: 1 });
    accepted(await world.settle(funding));
    expect((await bench.actors.committed.resource('escrow', 'esc-1'))?.state).to.equal('funded');
    expect(await bench.actors.committed.account(ada)).to.include({ reserved: 0, escrowed: 10, nonce: 2 });
  });

  it('answers come after the disk, in the order of the journal', async () => {
    const { bench, world, script } = await disturbed();
    script.push({ delayMs: 100 }, { delayMs: 100 });
    const answered: number[] = [];
    const asked = [1, 2].map((amount) => bench.startTransfer('ada', 'ben', amount).then(() => answered.push(amount)));
    await world.advance(99);
    expect(answered).to.deep.equal([]);
    await world.advance(1);
    expect(answered).to.deep.equal([1]);
    await world.settle(Promise.all(asked));
    expect(answered).to.deep.equal([1, 2]);
  });

  for (const outcome of ['fail', 'lose'] as const) {
    it(`where an append ${outcome}s nothing built on it is acknowledged, and the fault is reported once`, async () => {
      const { bench, world, script } = await disturbed();
      script.push({ delayMs: 100 }, { delayMs: 100, outcome }, { delayMs: 100 });
      const asked = Array.from({ length: 5 }, (_, i) => bench.startTransfer('ada', 'ben', i + 1, { key: `k${i}` }));
      await world.advance(10);
      const again = bench.startTransfer('ada', 'ben', 2, { key: 'k1' });
      const results = (await world.settle(Promise.all([...asked, again]))).map(codeOf);
      expect(results).to.deep.equal(['accepted', ...Array(5).fill('SERVICE_UNAVAILABLE')]);
      expect(bench.faults).to.have.length(1);
      expect(bench.faults[0]).to.be.instanceOf(StoreFault);
      expect(bench.actors.committer.failed).to.equal(true);
      const onDisk = outcome === 'lose' ? 2 : 1;
      expect(await bench.actors.committed.account(ada), 'readers see the disk').to.include({ nonce: onDisk });
      expect(codeOf(await bench.transfer('ada', 'ben', 1))).to.equal('SERVICE_UNAVAILABLE');
    });

    it(`after an append that ${outcome}s the next process finds one consistent state, and continues`, async () => {
      const { bench, world, script } = await disturbed();
      script.push({ delayMs: 10, outcome });
      const asked = [1, 2, 3].map((amount) => bench.startTransfer('ada', 'ben', amount, { key: `k${amount}` }));
      await world.settle(Promise.all(asked));
      const next = await Bench.open({ world, store: bench.store.survivor({}) });
      const written = outcome === 'lose' ? 1 : 0;
      expect((await next.account('ada')).nonce).to.equal(written);
      const again = accepted(await next.transfer('ada', 'ben', 1, { key: 'k1' }));
      expect(again.replayed, 'a lost reply is found again').to.equal(outcome === 'lose');
      accepted(await next.transfer('ada', 'ben', 2, { key: 'k2' }));
      expect(await next.balances('ben')).to.deep.equal([3, 0, 0]);
      expect(await next.audit()).to.include({ ok: true });
    });
  }

  it('a store that refuses an adopted entry is a fault: memory and disk disagree', async () => {
    const { bench, script } = await disturbed();
    script.push({ outcome: 'refuse' });
    expect(codeOf(await bench.transfer('ada', 'ben', 1))).to.equal('SERVICE_UNAVAILABLE');
    expect(bench.faults).to.have.length(1);
  });
});
