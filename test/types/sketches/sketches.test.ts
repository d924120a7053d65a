/** Each sketch through the actors once: one entry a request, books that balance, an audit that is content. */
import { expect } from 'chai';
import { Alarms } from '../../../src/actors/alarms.js';
import type { JsonObject } from '../../../src/machines/kernel/canonical.js';
import { accepted, Bench, codeOf, type Stated } from '../../world/bench.js';
import { ben, cyd, dan } from '../../world/people.js';
import { sketched } from './sketched.js';

const dayMs = 86_400_000;

const open = () => Bench.open({ catalogue: sketched }, { ada: 1_000 });
const stateOf = (bench: Bench, kind: string, id: string) => bench.store.tables.snapshot(kind, id)?.state;

/** Accepted, in one entry; gives what it wrote. */
async function does(bench: Bench, ...asked: Parameters<Bench['ask']>): Promise<string[]> {
  const { seq } = await bench.store.head();
  const { entry } = accepted(await bench.ask(...asked));
  expect(entry.seq).to.equal(seq + 1);
  return entry.core.versions.map(({ kind, id, path }) => `${kind}/${id} ${path.join('>')}`);
}

describe('sketch: a contract with milestones', () => {
  const on =
    (bench: Bench) =>
    (who: string, action: string, body: JsonObject = {}, stated: Stated = {}) =>
      does(bench, who, 'contract', 'ctr-1', action, body, stated);

  it('is signed, activated into an escrow, paid by the milestone, and completed', async () => {
    const bench = await open();
    const act = on(bench);
    const milestones = [
      { id: 'm1', amount: 30 },
      { id: 'm2', amount: 50 },
    ];
    await act('ada', 'create', { provider: ben, milestones });
    await act('ada', 'sign');
    expect(codeOf(await bench.ask('ada', 'contract', 'ctr-1', 'sign', {}))).to.equal('CONTRACT_INVALID_STATE');
    await act('ben', 'sign');
    expect(stateOf(bench, 'contract', 'ctr-1')).to.equal('signed');
    const ids = { ids: { escrow: 'esc-1' } };
    expect(await act('ada', 'activate', { amount: 100 }, ids)).to.deep.equal([
      'contract/ctr-1 active',
      'escrow/esc-1 created>funded',
    ]);
    await act('ben', 'submit', { milestoneId: 'm1' });
    await act('ada', 'reject', { milestoneId: 'm1' });
    await act('ben', 'submit', { milestoneId: 'm1' });
    const approve = (milestoneId: string) => bench.ask('ada', 'contract', 'ctr-1', 'approve', { milestoneId });
    expect(codeOf(await approve('m2'))).to.equal('CONTRACT_INVALID_STATE');
    expect(codeOf(await approve('m3'))).to.equal('CONTRACT_MILESTONE_INVALID');
    expect(await act('ada', 'approve', { milestoneId: 'm1' })).to.deep.equal([
      'contract/ctr-1 active',
      'escrow/esc-1 funded',
    ]);
    expect(await bench.balances('ben')).to.deep.equal([30, 0, 0]);
    await act('ben', 'submit', { milestoneId: 'm2' });
    await act('ada', 'approve', { milestoneId: 'm2' });
    await act('ada', 'complete');
    expect(await bench.balances('ben')).to.deep.equal([100, 0, 0]);
    expect(stateOf(bench, 'escrow', 'esc-1')).to.equal('released');
    expect(await bench.audit()).to.include({ ok: true });
  });
});

describe('sketch: a task with bids', () => {
  async function withBids(): Promise<Bench> {
    const bench = await open();
    await does(bench, 'ada', 'task', 'lst-1', 'create', { closesAt: bench.world.now() + dayMs, maxBids: 3 });
    for (const [who, price] of [
      ['ben', 40],
      ['cyd', 30],
      ['dan', 50],
    ] as const) {
      await does(bench, who, 'bid', `bid-${who}`, 'create', { taskId: 'lst-1', price });
    }
    return bench;
  }

  it('refuses the bids that must not be', async () => {
    const bench = await withBids();
    const again = (who: string) => bench.ask(who, 'bid', `bid-${who}-2`, 'create', { taskId: 'lst-1', price: 1 });
    for (const who of ['ada', 'ben', 'eve']) expect(codeOf(await again(who)), who).to.equal('BID_NOT_ALLOWED');
    await does(bench, 'ada', 'task', 'lst-1', 'remove', {});
    expect(codeOf(await again('eve'))).to.equal('LISTING_NOT_ACTIVE');
  });

  it('accept writes bid, task, order, escrow and the other bids in one entry', async () => {
    const bench = await (await withBids()).restart();
    const ids = { ids: { order: 'task-ord-1', escrow: 'esc-1' } };
    expect(codeOf(await bench.ask('ben', 'bid', 'bid-cyd', 'accept', {}, ids))).to.equal('FORBIDDEN');
    expect(await does(bench, 'ada', 'bid', 'bid-cyd', 'accept', {}, ids)).to.deep.equal([
      'bid/bid-cyd accepted',
      'task/lst-1 assigned',
      'taskOrder/task-ord-1 accepted',
      'escrow/esc-1 created>funded',
      'bid/bid-ben rejected',
      'bid/bid-dan rejected',
    ]);
    expect(
      codeOf(await bench.ask('ada', 'bid', 'bid-ben', 'accept', {}, { ids: { order: 'o', escrow: 'e' } })),
    ).to.equal('ORDER_INVALID_STATE');
    await does(bench, 'cyd', 'taskOrder', 'task-ord-1', 'deliver', { deliverables: ['done'] });
    await does(bench, 'ada', 'taskOrder', 'task-ord-1', 'confirm', {});
    expect(await bench.balances('cyd')).to.deep.equal([30, 0, 0]);
    expect(await bench.balances('ada')).to.deep.equal([970, 0, 0]);
    expect(await bench.audit()).to.include({ ok: true });
  });

  it('an entry names what it rests on and does not write', async () => {
    const bench = await withBids();
    await does(bench, 'ada', 'bid', 'bid-ben', 'reject', {});
    const ids = { ids: { order: 'task-ord-1', escrow: 'esc-1' } };
    const { entry } = accepted(await bench.ask('ada', 'bid', 'bid-cyd', 'accept', {}, ids));
    expect(entry.core.reads).to.deep.equal([{ kind: 'bid', id: 'bid-ben', version: 2 }]);
    expect(await bench.audit()).to.include({ ok: true });
  });

  it('costs one more round for each level of reference, and no more', async () => {
    const bench = await (await withBids()).restart();
    const enter = bench.actors.registry.enter.bind(bench.actors.registry);
    let rounds = 0;
    bench.actors.registry.enter = (refs, work) => {
      rounds++;
      return enter(refs, work);
    };
    const ids = { ids: { order: 'task-ord-1', escrow: 'esc-1' } };
    await does(bench, 'ada', 'bid', 'bid-cyd', 'accept', {}, ids);
    // The bid, its task, what the task names: nothing was in memory.
    expect(rounds).to.equal(3);
  });

  it('two accepts that race: one wins whole, the other changes nothing', async () => {
    const bench = await withBids();
    const accept = (who: string) =>
      bench.start(
        'ada',
        'bid',
        `bid-${who}`,
        'accept',
        {},
        { ids: { order: `task-ord-${who}`, escrow: `esc-${who}` } },
      );
    const codes = (await bench.world.settle(Promise.all([accept('ben'), accept('dan')]))).map(codeOf);
    expect(codes.filter((code) => code === 'accepted')).to.have.length(1);
    expect(await bench.audit()).to.include({ ok: true });
    expect([ben, cyd, dan]).to.have.length(3);
  });

  it('an order or a bid is not made directly', async () => {
    const bench = await open();
    const order = { provider: ben, escrowId: 'esc-1', taskId: 'lst-1' };
    expect(codeOf(await bench.ask('ada', 'taskOrder', 'task-ord-1', 'create', order))).to.equal('FORBIDDEN');
  });
});

describe('sketch: a lease with metering', () => {
  async function leased(more: JsonObject = {}): Promise<Bench> {
    const bench = await open();
    const terms = {
      lessor: ben,
      pricePerUnit: 3,
      budget: 20,
      endsAt: bench.world.now() + dayMs,
      maxUnitsPerCall: 5,
      ...more,
    };
    const wrote = await does(bench, 'ada', 'lease', 'lease-1', 'create', terms, { ids: { escrow: 'esc-1' } });
    expect(wrote).to.deep.equal(['lease/lease-1 active', 'escrow/esc-1 created>funded']);
    return bench;
  }
  const invoke = (bench: Bench, who: string, units: number) => bench.ask(who, 'lease', 'lease-1', 'invoke', { units });

  it('the call that reaches the budget charges the rest, exhausts the lease and pays', async () => {
    const bench = await leased();
    expect(codeOf(await invoke(bench, 'ben', 1))).to.equal('FORBIDDEN');
    expect(codeOf(await invoke(bench, 'ada', 6))).to.equal('UNPROCESSABLE');
    expect(await does(bench, 'ada', 'lease', 'lease-1', 'invoke', { units: 5 })).to.deep.equal([
      'lease/lease-1 active',
    ]);
    expect(await does(bench, 'ada', 'lease', 'lease-1', 'invoke', { units: 5 })).to.deep.equal([
      'lease/lease-1 exhausted',
      'escrow/esc-1 released',
    ]);
    expect(await bench.balances('ben')).to.deep.equal([20, 0, 0]);
    expect(codeOf(await invoke(bench, 'ada', 1))).to.equal('LEASE_INVALID_STATE');
    expect(await bench.audit()).to.include({ ok: true });
  });

  it('metered by the lessor it pays out of the lessee’s escrow all the same', async () => {
    const bench = await leased({ meteredBy: 'lessor' });
    expect(codeOf(await invoke(bench, 'ada', 1))).to.equal('FORBIDDEN');
    accepted(await invoke(bench, 'ben', 5));
    accepted(await invoke(bench, 'ben', 5));
    expect(await bench.balances('ben')).to.deep.equal([20, 0, 0]);
  });

  it('the clock ends it: what was used is paid, the rest goes back, in one entry', async () => {
    const bench = await leased();
    accepted(await invoke(bench, 'ada', 2));
    const alarms = new Alarms({
      store: bench.store,
      world: bench.world,
      deliver: (alarm) => bench.system.execute({ ...alarm, input: {} }),
      log: () => {},
      bounds: { batch: 10, restMs: 5_000, jumpMs: 600_000 },
    });
    alarms.start();
    await bench.world.advance(dayMs + 1_000);
    await alarms.stop();
    expect(stateOf(bench, 'lease', 'lease-1')).to.equal('expired');
    expect(await bench.balances('ben')).to.deep.equal([6, 0, 0]);
    expect(await bench.balances('ada')).to.deep.equal([994, 0, 0]);
    expect(await bench.audit()).to.include({ ok: true });
  });
});
