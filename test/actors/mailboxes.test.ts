import { expect } from 'chai';
import { isRefusal } from '../../src/core/refusal.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { accepted, Bench, codeOf } from '../world/bench.js';
import { FakeWorld } from '../world/fake-world.js';
import { withPayouts } from '../world/payout.js';
import { ada, ben, cyd, didOf } from '../world/people.js';

/** Occupies these mailboxes until the returned function is called. */
async function occupy({ actors: { registry } }: Bench, refs: readonly string[]): Promise<() => void> {
  const entered = await registry.enter(refs);
  if (isRefusal(entered)) return expect.fail(entered.detail);
  return () => registry.leave(entered);
}

describe('mailboxes', () => {
  it('too many waiting is SERVICE_UNAVAILABLE with a time to come back, and writes nothing', async () => {
    const bench = await Bench.open(
      { bounds: { registry: { mailbox: 5, actors: 100, bytes: 2 ** 26 } } },
      { ada: 1_000 },
    );
    const asked = Array.from({ length: 20 }, () => bench.startTransfer('ada', 'ben', 1));
    const results = await bench.world.settle(Promise.all(asked));
    const codes = results.map(codeOf);
    // One request holds the mailbox, five wait.
    expect(codes.filter((code) => code === 'accepted')).to.have.length(6);
    const refused = results.filter(isRefusal);
    expect(refused).to.have.length(14);
    for (const { code, status, extras } of refused) {
      expect([code, status, extras.retryAfter]).to.deep.equal(['SERVICE_UNAVAILABLE', 503, 1]);
    }
    expect(await bench.balances('ben')).to.deep.equal([6, 0, 0]);
    accepted(await bench.transfer('ada', 'ben', 1));
  });

  it('commands on one resource run one at a time, in order of arrival', async () => {
    const bench = await Bench.open({}, { ada: 1_000 });
    const asked = Array.from({ length: 10 }, (_, i) => bench.startTransfer('ada', 'ben', i + 1));
    await bench.world.settle(Promise.all(asked));
    const entries = await bench.store.entries({ after: 0, limit: 100, issuer: ada });
    expect(entries.map(({ payload }) => payload?.input.amount)).to.deep.equal([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  it('what is only credited is not entered: many pay one who is busy', async () => {
    const world = new FakeWorld();
    const store = new MemoryStore({ world });
    const bench = await Bench.open({ world, store }, { ada: 100, ben: 100, cyd: 100 });
    const leave = await occupy(bench, [`account/${ada}`]);
    accepted(await bench.transfer('ben', 'ada', 10));
    accepted(await bench.transfer('cyd', 'ada', 10));
    leave();
    expect(await bench.balances('ada')).to.deep.equal([120, 0, 0]);
  });

  it('a command that throws leaves its mailboxes usable', async () => {
    const bench = await Bench.open({}, { ada: 100 });
    const command = bench.command('ada', 'account', ada, 'transfer', { to: ben, amount: 1 });
    if (isRefusal(command)) return expect.fail(command.detail);
    const broken = { ...command, action: 'no such action' };
    const failure = await bench.world.settle(bench.actors.execute(broken).then(String, String));
    expect(failure).to.match(/AssertionError/);
    accepted(await bench.transfer('ada', 'ben', 1));
  });
});

describe('several mailboxes', () => {
  it('opposite orders do not deadlock', async () => {
    const bench = await Bench.open({ catalogue: withPayouts }, { ada: 1_000, ben: 1_000 });
    const refs = [`account/${ada}`, `account/${ben}`, `account/${cyd}`, 'escrow/e', 'payout/e'];
    const rounds: Promise<unknown>[] = [];
    for (let i = 0; i < 50; i++) {
      const some = refs.filter((_, at) => (i >> (at % 3)) % 2 === 0 || at === i % 5);
      const order = i % 2 === 0 ? some : some.reverse();
      rounds.push(
        occupy(bench, order).then(async (leave) => {
          await new Promise((resolve) => setImmediate(resolve));
          leave();
        }),
      );
    }
    expect(await bench.world.settle(Promise.all(rounds))).to.have.length(50);
  });

  it('workflows over the same resources from two sides all come through', async () => {
    const bench = await Bench.open({ catalogue: withPayouts }, { ada: 1_000, ben: 1_000 });
    for (const [who, to, id] of [
      ['ada', ben, 'a'],
      ['ben', ada, 'b'],
    ] as const) {
      const input = { escrowId: `esc-${id}`, beneficiary: to, amount: 500, autoFund: true };
      accepted(await bench.ask(who, 'payout', id, 'start', input));
    }
    const asked = Array.from({ length: 40 }, (_, i) => {
      const [payout, who] = [['a', 'b'][i % 2]!, ['ada', 'ben', 'cyd'][i % 3]!];
      return bench.start(who, 'payout', payout, 'drive', { action: 'release', amount: 1 });
    });
    const results = await bench.world.settle(Promise.all(asked));
    expect(results.map(codeOf).filter((code) => code !== 'accepted')).to.deep.equal([]);
    expect(await bench.audit()).to.include({ ok: true });
  });

  it('what turns out to take part is entered before anything is written', async () => {
    const bench = await Bench.open({ catalogue: withPayouts }, { ada: 1_000 });
    const input = { escrowId: 'esc-1', beneficiary: ben, amount: 500, autoFund: true };
    accepted(await bench.ask('ada', 'payout', 'e', 'start', input));
    const next = await bench.restart();
    const leave = await occupy(next, ['escrow/esc-1']);
    const before = next.dump();
    const driven = next.start('cyd', 'payout', 'e', 'drive', { action: 'release', amount: 1 });
    await next.world.advance(10);
    expect(next.dump(), 'it waits for the escrow').to.equal(before);
    leave();
    accepted(await next.world.settle(driven));
  });
});

describe('actors in memory', () => {
  const crowd = Array.from({ length: 60 }, (_, i) => `guest ${i}`);

  it('idle ones beyond the bound leave, and come back as they were', async () => {
    const bench = await Bench.open(
      { bounds: { registry: { mailbox: 100, actors: 10, bytes: 2 ** 26 } } },
      { ada: 1_000 },
    );
    for (const name of crowd) {
      await bench.world.advance(1);
      accepted(await bench.transfer('ada', name, 2));
      accepted(await bench.transfer(name, 'ada', 1));
    }
    expect(bench.actors.registry.size).to.be.at.most(11);
    expect(bench.actors.registry.peekAccount(didOf('guest 0'))).to.equal(undefined);
    accepted(await bench.transfer('guest 0', 'ada', 1, { nonce: 2 }));
    expect(await bench.balances('ada')).to.deep.equal([1_000 - 60 + 1, 0, 0]);
    expect(await bench.audit()).to.include({ ok: true });
  });

  it('with entries that are not on disk yet they stay', async () => {
    const world = new FakeWorld();
    let slow = false;
    const store = new MemoryStore({ world, disturb: () => (slow ? { delayMs: 1_000 } : undefined) });
    const bench = await Bench.open(
      { world, store, bounds: { registry: { mailbox: 100, actors: 5, bytes: 2 ** 26 } } },
      { ada: 10 },
    );
    slow = true;
    const pending = bench.startTransfer('ada', 'ben', 10);
    await world.advance(10);
    for (const name of crowd.slice(0, 20)) bench.actors.registry.account(didOf(name));
    await world.advance(10);
    for (const name of crowd.slice(20, 40)) bench.actors.registry.account(didOf(name));
    const head = bench.actors.registry.peekAccount(ada)?.account;
    expect(head, 'the head that runs ahead of the disk').to.include({ available: 0, nonce: 1 });
    accepted(await world.settle(pending));
  });

  it('sweeping removes actors that were idle for this long, and no busy one', async () => {
    const bench = await Bench.open({}, { ada: 1_000 });
    accepted(await bench.transfer('ada', 'ben', 1));
    await bench.world.advance(60_000);
    accepted(await bench.transfer('ada', 'ben', 1));
    bench.actors.registry.account(ben);
    await bench.world.advance(30_000);
    bench.actors.registry.sweep(60_000);
    expect(bench.actors.registry.peekAccount(ada)).to.not.equal(undefined);
    const leave = await occupy(bench, [`account/${ada}`]);
    await bench.world.advance(60_001);
    bench.actors.registry.sweep(60_000);
    expect(bench.actors.registry.size, 'only the busy one').to.equal(1);
    leave();
  });
});
