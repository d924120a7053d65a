/** An account's in-memory state and the credits that reach it without entering its mailbox: each counts exactly once. */
import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import type { Disturbance } from '../../src/store/memory/memory-store.js';
import { accepted, Bench, codeOf } from '../world/bench.js';
import { FakeWorld } from '../world/fake-world.js';
import { GatedStore } from '../world/gated-store.js';
import { ada, ben } from '../world/people.js';

async function gated(tokens: { [name: string]: number }) {
  const world = new FakeWorld();
  const script: Disturbance[] = [];
  const store = new GatedStore({ world, disturb: () => script.shift() });
  const bench = await Bench.open({ world, store }, tokens);
  // After an hour without requests no account is in memory.
  await world.advance(3_600_000);
  bench.actors.registry.sweep(1_000);
  expect(bench.actors.registry.size).to.equal(0);
  return { bench, world, store, script };
}

/** Ben's balances in memory and in the store, once nothing is under way. */
async function heads(bench: Bench, did = ben) {
  const head = bench.actors.registry.peekAccount(did)?.account;
  const row = await bench.store.account(did);
  return { head: head?.available, row: row?.available };
}

/** Enters an account and loads it, as a command does. */
async function entering({ actors: { registry } }: Bench, store: GatedStore, did: string): Promise<void> {
  const entered = await registry.enter([`account/${did}`]);
  if (isRefusal(entered)) return expect.fail(entered.detail);
  await registry.account(did).load(store);
  registry.leave(entered);
}

describe('credits while an account is being loaded', () => {
  it('one committed after the row was read, before it arrived, counts once', async () => {
    const { bench, world, store } = await gated({ ada: 100, ben: 10 });
    accepted(await bench.transfer('ada', 'cyd', 1));
    store.hold('account');
    const spending = bench.startTransfer('ben', 'cyd', 15);
    await world.advance(1);
    expect(store.waiting('account')).to.equal(1);
    accepted(await bench.transfer('ada', 'ben', 5));
    store.letGo('account');
    accepted(await world.settle(spending));
    expect(await heads(bench)).to.deep.equal({ head: 0, row: 0 });
  });

  it('one that is on disk when the row is read, and announced after, counts once', async () => {
    const { bench, world, store } = await gated({ ada: 1_000, ben: 10 });
    for (let turns = 0; turns < 30; turns++) {
      await world.advance(3_600_000);
      bench.actors.registry.sweep(1_000);
      const paying = bench.startTransfer('ada', 'ben', 5);
      // During these turns the entry reaches the tables while its acknowledgement is still under way.
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      const loading = entering(bench, store, ben);
      accepted(await world.settle(paying));
      await world.settle(loading);
      const { head, row } = await heads(bench);
      expect(head, `${turns} turns`).to.equal(row);
    }
  });

  it('many, at every moment of a slow load, count once each', async () => {
    for (let at = 0; at < 12; at++) {
      const { bench, world, store, script } = await gated({ ada: 100, ben: 10 });
      accepted(await bench.transfer('ada', 'cyd', 1));
      script.push({ delayMs: 2 }, { delayMs: 2 }, { delayMs: 2 });
      const payments = [1, 2, 3].map((amount) => bench.startTransfer('ada', 'ben', amount));
      await world.advance(at);
      store.hold('account');
      const spending = bench.startTransfer('ben', 'cyd', 10);
      await world.advance(at % 4);
      store.letGo('account');
      accepted(await world.settle(spending));
      (await world.settle(Promise.all(payments))).map(accepted);
      expect(await heads(bench), `at ${at}`).to.deep.equal({ head: 6, row: 6 });
      expect(codeOf(await bench.transfer('ben', 'cyd', 7))).to.equal('INSUFFICIENT_BALANCE');
      accepted(await bench.transfer('ben', 'cyd', 6));
    }
  });

  it('debits and credits of a busy account agree with its row', async () => {
    const { bench, world, script } = await gated({ ada: 100, ben: 100 });
    for (let i = 0; i < 40; i++) script.push({ delayMs: (i * 7) % 5 });
    const asked = Array.from({ length: 40 }, (_, i) =>
      i % 2 === 0 ? bench.startTransfer('ada', 'ben', 2) : bench.startTransfer('ben', 'ada', 1),
    );
    (await world.settle(Promise.all(asked))).map(accepted);
    expect(await heads(bench)).to.deep.equal({ head: 120, row: 120 });
    expect(await heads(bench, ada)).to.deep.equal({ head: 80, row: 80 });
  });
});

describe('fees while the fee account is being loaded', () => {
  it('one committed and announced while the sums are being read counts once', async () => {
    for (const held of ['account', 'totals'] as const) {
      const { bench, world, store } = await gated({ ada: 100 });
      accepted(await bench.transfer('ada', 'ben', 1, {}, { fee: 5 }));
      store.hold(held);
      const collecting = bench.system.execute({
        kind: 'account',
        id: ben,
        action: 'collect',
        input: { to: ben, amount: 1 },
      });
      await world.advance(1);
      // The system key's own account, then the sums.
      if (held === 'account') store.letGo(held);
      const paying = bench.start('ada', 'account', ada, 'transfer', { to: ben, amount: 1, fee: 5 });
      await world.advance(1);
      store.letGo(held);
      accepted(await world.settle(collecting));
      accepted(await world.settle(paying));
      const collect = (amount: number) => bench.operate('account', ben, 'collect', { to: ben, amount });
      expect(codeOf(await collect(10)), held).to.equal('INSUFFICIENT_BALANCE');
      accepted(await collect(9));
      expect(bench.faults).to.deep.equal([]);
      expect(await bench.audit()).to.include({ ok: true });
    }
  });

  it('one that is on disk when the sums are read, and announced after, is not counted twice', async () => {
    const { bench, world, store } = await gated({ ada: 100 });
    accepted(await bench.transfer('ada', 'ben', 1, {}, { fee: 5 }));
    for (let turns = 0; turns < 30; turns++) {
      await world.advance(3_600_000);
      bench.actors.registry.sweep(1_000);
      const paying = bench.start('ada', 'account', ada, 'transfer', { to: ben, amount: 1, fee: 1 });
      for (let turn = 0; turn < turns; turn++) await Promise.resolve();
      const loading = entering(bench, store, 'fees');
      accepted(await world.settle(paying));
      await world.settle(loading);
      const { fees } = await store.totals();
      expect(bench.actors.registry.peekAccount('fees')?.account?.available, `${turns} turns`).to.equal(fees);
    }
  });
});
