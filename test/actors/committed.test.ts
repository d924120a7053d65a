import { expect } from 'chai';
import { Committed } from '../../src/actors/committed.js';
import { Feed } from '../../src/core/feed.js';
import { accepted, Bench } from '../world/bench.js';
import { FakeWorld } from '../world/fake-world.js';
import { GatedStore } from '../world/gated-store.js';
import { ada, ben } from '../world/people.js';

const create = { beneficiary: ben, amount: 10, releaseRules: [{ type: 'manual' }] };

async function gated() {
  const world = new FakeWorld();
  const store = new GatedStore({ world });
  return { world, store, bench: await Bench.open({ world, store }, { ada: 100 }) };
}

describe('what readers see', () => {
  it('a read that a commit overtook is not kept', async () => {
    const { world, store, bench } = await gated();
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create));
    const reader = new Committed(store, { count: 10, bytes: 2 ** 20 });
    store.hold('load');
    const reading = reader.resource('escrow', 'esc-1') as Promise<unknown>;
    await world.advance(1);
    const { lastHash } = store.tables.snapshot('escrow', 'esc-1')!;
    const ready = bench.start('ada', 'escrow', 'esc-1', 'fund', { amount: 10 }, { resourcePrev: lastHash });
    const { snapshots } = accepted(await world.settle(ready));
    reader.acknowledge(snapshots, [ada]);
    store.letGo('load');
    expect(await reading).to.include({ state: 'created.open' });
    expect(await reader.resource('escrow', 'esc-1')).to.include({ state: 'funded' });
  });

  it('an account is read again once an entry touched it', async () => {
    const { bench } = await gated();
    expect(await bench.actors.committed.account(ada)).to.include({ available: 100 });
    accepted(await bench.transfer('ada', 'ben', 1));
    expect(await bench.actors.committed.account(ada)).to.include({ available: 99 });
    expect(await bench.actors.committed.account(ben)).to.include({ available: 1 });
  });

  it('is never older than the store, which shows an entry before its append is answered', async () => {
    const { world, store, bench } = await gated();
    const { committed } = bench.actors;
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', create));
    expect(await committed.account(ada)).to.include({ reserved: 10, escrowed: 0 });
    expect(committed.resource('escrow', 'esc-1')).to.include({ state: 'created.open' });
    store.hold('append');
    const { lastHash } = store.tables.snapshot('escrow', 'esc-1')!;
    const funds = bench.start('ada', 'escrow', 'esc-1', 'fund', { amount: 10 }, { resourcePrev: lastHash });
    while (store.waiting('append') === 0) await world.advance(1);
    expect(await store.entries({ after: 0, limit: 10, resource: 'escrow/esc-1' })).to.have.length(2);
    expect(await committed.account(ada)).to.include({ reserved: 0, escrowed: 10 });
    expect(await committed.resource('escrow', 'esc-1')).to.include({ state: 'funded' });
    store.letGo('append');
    accepted(await world.settle(funds));
    expect(committed.resource('escrow', 'esc-1')).to.include({ state: 'funded' });
  });

  it('is never older than the store while two appends are under way', async () => {
    const { store, bench } = await gated();
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', { ...create, autoFund: true }));
    const release = async () => accepted(await bench.ask('ada', 'escrow', 'esc-1', 'release', { amount: 1 })).snapshots;
    const reader = new Committed(store, { count: 10, bytes: 2 ** 20 });
    const first = await release();
    for (let appends = 0; appends < 2; appends++) reader.beginAppend(first, []);
    expect(await reader.resource('escrow', 'esc-1')).to.deep.equal(first[0]);
    const second = await release();
    expect(await reader.resource('escrow', 'esc-1')).to.deep.equal(second[0]);
    reader.acknowledge(first, []);
    expect(await reader.resource('escrow', 'esc-1')).to.deep.equal(second[0]);
    reader.acknowledge(second, []);
    expect(reader.resource('escrow', 'esc-1')).to.equal(second[0]);
  });

  it('a read that is kept costs no promise, and the bound holds', async () => {
    const { store, bench } = await gated();
    for (const id of ['esc-1', 'esc-2', 'esc-3']) accepted(await bench.ask('ada', 'escrow', id, 'create', create));
    const reader = new Committed(store, { count: 2, bytes: 2 ** 20 });
    for (const id of ['esc-1', 'esc-2', 'esc-3']) await reader.resource('escrow', id);
    expect(reader.resource('escrow', 'esc-3')).to.not.be.instanceOf(Promise);
    expect(reader.resource('escrow', 'esc-1')).to.be.instanceOf(Promise);
  });

  it('an unused account is an empty one', async () => {
    const { bench } = await gated();
    expect(await bench.actors.committed.account(ben)).to.include({ available: 0, nonce: 0, lastHash: null });
  });
});

describe('the feed', () => {
  it('wakes who waits once the journal has grown past them', async () => {
    const feed = new Feed(5);
    const { signal } = new AbortController();
    const woken: number[] = [];
    const waits = [4, 5, 6].map((seq) => feed.beyond(seq, signal).then(() => woken.push(seq)));
    await waits[0];
    expect(woken).to.deep.equal([4]);
    feed.advance(5);
    feed.advance(6);
    await waits[1];
    expect(feed.head).to.equal(6);
    feed.advance(7);
    await Promise.all(waits);
    expect(woken).to.deep.equal([4, 5, 6]);
  });

  it('forgets callers that give up', async () => {
    const feed = new Feed(0);
    const controller = new AbortController();
    const wait = feed.beyond(0, controller.signal);
    controller.abort();
    await wait;
    await feed.beyond(0, controller.signal);
  });
});
