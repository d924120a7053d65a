/** Caches of caller-supplied data are bounded in bytes as well as in number. */
import { expect } from 'chai';
import { ResourceActor, weightOf } from '../../src/actors/actors.js';
import { Committed } from '../../src/actors/committed.js';
import { Registry } from '../../src/actors/registry.js';
import type { JsonObject } from '../../src/core/canonical.js';
import { taskListing } from '../../src/machines/task-order/listing.js';
import type { Snapshot, StoreReader } from '../../src/store/store.js';
import { accepted, Bench } from '../world/bench.js';
import { FakeWorld } from '../world/fake-world.js';
import { ben } from '../world/people.js';

const kib = 1024;
/** An escrow of about 32 KiB. */
const big = { beneficiary: ben, amount: 1, releaseRules: Array(4).fill({ type: 'scan', note: 'x'.repeat(8_000) }) };

async function withBigEscrows(bench: Bench, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    accepted(await bench.ask('ada', 'escrow', `esc-${i}`, 'create', big as unknown as JsonObject));
    await bench.world.advance(1);
  }
}

describe('the weight of a value', () => {
  it('is at least that of its texts, and no more than some times its JSON', () => {
    for (const value of [
      { a: 1 },
      big as unknown as JsonObject,
      { list: Array.from({ length: 500 }, (_, i) => i) },
      { deep: { deeper: { deepest: ['x', null, true, 'y'.repeat(1000)] } } },
    ]) {
      const { length } = JSON.stringify(value);
      expect(weightOf(value), JSON.stringify(value).slice(0, 50)).to.be.within(length / 2, 100 + 12 * length);
    }
  });
});

describe('what is kept in memory', () => {
  it('for readers is what was written last, within its bytes', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    await withBigEscrows(bench, 12);
    const reader = new Committed(bench.store, { count: 100, bytes: 200 * kib });
    const load = (id: number): Promise<Snapshot | undefined> | Snapshot | undefined =>
      reader.resource('escrow', `esc-${id}`);
    for (let id = 0; id < 12; id++) await load(id);
    const isKept = (id: number) => !(load(id) instanceof Promise);
    expect(Array.from({ length: 12 }, (_, id) => id).filter(isKept)).to.deep.equal([6, 7, 8, 9, 10, 11]);
  });

  it('for readers counts a resource once, however often it is written', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    await withBigEscrows(bench, 2);
    const reader = new Committed(bench.store, { count: 100, bytes: 100 * kib });
    const [one, two] = [
      bench.store.tables.snapshot('escrow', 'esc-0')!,
      bench.store.tables.snapshot('escrow', 'esc-1')!,
    ];
    reader.acknowledge([one], []);
    for (let i = 0; i < 50; i++) reader.acknowledge([two], []);
    expect(reader.resource('escrow', 'esc-0')).to.equal(one);
    expect(reader.resource('escrow', 'esc-1')).to.equal(two);
  });

  it('for writers leaves when it is idle, beyond its bytes', async () => {
    const bench = await Bench.open(
      { bounds: { registry: { mailbox: 100, actors: 1_000, bytes: 200 * kib } } },
      { ada: 100 },
    );
    await withBigEscrows(bench, 30);
    expect(bench.actors.registry.size).to.be.below(15);
    accepted(await bench.ask('ada', 'escrow', 'esc-0', 'cancel', {}));
    expect(await bench.audit()).to.include({ ok: true });
  });

  it('for writers keeps whom a command is about to enter, also where what may not leave is too much already', async () => {
    const world = new FakeWorld();
    const registry = new Registry(world, { mailbox: 100, actors: 1_000, bytes: kib });
    const bench = await Bench.open({}, { ada: 100 });
    await withBigEscrows(bench, 1);
    const heavy = registry.resource('escrow', 'esc-0');
    heavy.pending++;
    heavy.adopt(bench.store.tables.snapshot('escrow', 'esc-0')!);
    registry.account(ben);
    const entered = await registry.enter([`account/${ben}`, 'escrow/esc-1']);
    expect(entered).to.deep.equal([registry.peekAccount(ben), registry.peekResource('escrow', 'esc-1')]);
    expect(registry.peekResource('escrow', 'esc-0')).to.equal(heavy);
  });

  it('for writers is counted down when it leaves: small ones stay then', async () => {
    const bench = await Bench.open(
      { bounds: { registry: { mailbox: 100, actors: 1_000, bytes: 200 * kib } } },
      { ada: 1_000 },
    );
    await withBigEscrows(bench, 10);
    await bench.world.advance(60_000);
    bench.actors.registry.sweep(1_000);
    const { size } = bench.actors.registry;
    for (let i = 0; i < 40; i++) {
      const body = { ...big, releaseRules: [{ type: 'manual' }] };
      accepted(await bench.ask('ada', 'escrow', `small-${i}`, 'create', body));
      await bench.world.advance(1);
    }
    expect(bench.actors.registry.size).to.be.at.least(size + 40);
  });

  it('for writers is weighed as another process has left it', async () => {
    let bytes = 0;
    const actor = new ResourceActor('escrow', 'esc-0', 10, (more) => {
      bytes += more;
    });
    const snapshot = { kind: 'escrow', id: 'esc-0', version: 1, context: { note: 'x' } } as unknown as Snapshot;
    await actor.load({ load: async () => snapshot } as unknown as StoreReader);
    const context = { note: 'x'.repeat(kib) };
    actor.learn({ ...snapshot, version: 2, context });
    expect(bytes).to.equal(weightOf(context));
    expect(actor.weight).to.equal(bytes);
  });

  it('for writers keeps nothing for ids that do not exist', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    const { size } = bench.actors.registry;
    // The mailbox set also contains the same id in the other markets.
    accepted(await bench.ask('ada', 'task-listing', 'lst-0', 'create', taskListing.create.example as JsonObject));
    const kinds = ['task-listing', 'info-listing', 'capability-listing'];
    const held = kinds.filter((kind) => bench.actors.registry.peekResource(kind, 'lst-0'));
    expect(held).to.deep.equal(['task-listing']);
    expect(bench.actors.registry.size).to.be.at.most(size + 2);
  });
});
