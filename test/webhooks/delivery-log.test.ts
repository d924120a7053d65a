/** The log of deliveries: bounded and in order, with several writers. */
import { expect } from 'chai';
import { type DeliveryLine, DeliveryLog, logTable } from '../../src/projections/webhooks/delivery-log.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { FakeWorld } from '../world/fake-world.js';

const line = (seq: number): DeliveryLine => ({
  ...{ id: `whk-1-${seq}`, type: 'escrow.released', seq, attempt: 1, outcome: 'delivered', status: 204, error: null },
  ...{ at: seq, durationMs: 1 },
});
const lines = (from: number, count: number) => Array.from({ length: count }, (_, index) => line(from + index));

describe('The log of deliveries', () => {
  const world = new FakeWorld();
  const open = () => {
    const store = new MemoryStore({ world });
    return { store, log: new DeliveryLog({ store, lines: 100 }) };
  };

  it('keeps the newest, and a page more than asked for at most', async () => {
    const { store, log } = open();
    for (let from = 1; from <= 1_000; from += 7) await world.settle(log.add('whk-1', lines(from, 7)));
    const kept = await world.settle(log.list('whk-1'));
    expect(kept.length).to.be.within(100, 150);
    expect(kept.map(({ seq }) => seq)).to.deep.equal(kept.map((_, index) => kept[0]!.seq! + index));
    expect(kept.at(-1)!.seq).to.equal(1_001);
    const { number } = kept[0]!;
    expect(kept.map((line) => line.number)).to.deep.equal(kept.map((_, index) => number + index));
    expect((await world.settle(store.listLocal(logTable('whk-1')))).length).to.be.at.most(3);
    expect(await world.settle(log.list('whk-2'))).to.deep.equal([]);
  });

  it('loses no line where two write at once', async () => {
    const { log, store } = open();
    const other = new DeliveryLog({ store, lines: 100 });
    await world.settle(Promise.all([log.add('whk-1', lines(1, 20)), other.add('whk-1', lines(101, 20))]));
    const kept = await world.settle(log.list('whk-1'));
    expect(kept.map(({ seq }) => seq!).sort((a, b) => a - b)).to.deep.equal(
      [...lines(1, 20), ...lines(101, 20)].map(({ seq }) => seq),
    );
  });

  it('is gone when it was removed', async () => {
    const { log, store } = open();
    await world.settle(log.add('whk-1', lines(1, 120)));
    await world.settle(log.remove('whk-1'));
    expect(await world.settle(store.localTables())).to.deep.equal([]);
  });
});
