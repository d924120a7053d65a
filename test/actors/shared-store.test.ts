/** Two processes on one database: unique keys decide, the loser reads again; no write is lost, doubled or contradictory. */
import { expect } from 'chai';
import type { Accepted } from '../../src/actors/command.js';
import { isRefusal, type Refusal } from '../../src/core/refusal.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { Tables } from '../../src/store/memory/tables.js';
import { accepted, Bench, codeOf } from '../world/bench.js';
import { FakeWorld } from '../world/fake-world.js';
import { GatedStore } from '../world/gated-store.js';
import { ada, ben, names } from '../world/people.js';

const manual = [{ type: 'manual' }];

/** Two benches on the same tables, which wait for their commits; `slow` delays each append by that many ms. */
async function two(slow: (call: number) => number = () => 0) {
  const world = new FakeWorld();
  const tables = new Tables();
  let call = 0;
  const store = () => new MemoryStore({ world, tables, exclusive: false, disturb: () => ({ delayMs: slow(call++) }) });
  const one = await Bench.open({ world, store: store() }, { ada: 1_000, ben: 1_000, cyd: 1_000 });
  const other = await Bench.open({ world, store: store(), node: 'other node' });
  const all = <T>(asked: readonly Promise<T>[]) => world.settle(Promise.all(asked));
  return { one, other, world, both: [one, other] as const, all };
}

/** Audits from both processes, and expects that neither had a fault. */
async function sound(both: readonly Bench[]): Promise<void> {
  for (const bench of both) {
    const report = await bench.audit();
    expect(report.flaw).to.equal(undefined);
    expect(bench.faults).to.deep.equal([]);
  }
}

const tally = (results: readonly (Accepted | Refusal)[]): { [code: string]: number } => {
  const counts: { [code: string]: number } = {};
  for (const result of results) counts[codeOf(result)] = (counts[codeOf(result)] ?? 0) + 1;
  return counts;
};

const delays: { readonly [name: string]: (call: number) => number } = {
  'at once': () => 0,
  slowly: () => 5,
  unevenly: (call) => (call * 7) % 11,
};

describe('two processes on one store', () => {
  for (const [how, slow] of Object.entries(delays)) {
    describe(`that appends ${how}`, () => {
      it('of 64 requests with one nonce on either side exactly one wins', async () => {
        const { both, all } = await two(slow);
        const asked = Array.from({ length: 64 }, (_, i) =>
          both[i % 2]!.startTransfer('ada', 'ben', i + 1, { nonce: 1 }),
        );
        const results = await all(asked);
        expect(tally(results)).to.deep.equal({ accepted: 1, CONFLICT: 63 });
        for (const result of results) if (isRefusal(result)) expect(result.extras.nextNonce).to.equal(2);
        await sound(both);
      });

      it('requests without a stated nonce all succeed', async () => {
        const { both, all, one } = await two(slow);
        const asked = Array.from({ length: 12 }, (_, i) => both[i % 2]!.startTransfer('ada', 'ben', 1));
        expect(tally(await all(asked))).to.deep.equal({ accepted: 12 });
        expect(await one.store.account(ada)).to.include({ nonce: 12, available: 988 });
        await sound(both);
      });

      it('no account is overdrawn when both debit it', async () => {
        const { both, all, one } = await two(slow);
        const asked = Array.from({ length: 10 }, (_, i) => both[i % 2]!.startTransfer('ada', 'ben', 300));
        expect(tally(await all(asked))).to.deep.equal({ accepted: 3, INSUFFICIENT_BALANCE: 7 });
        expect(await one.store.account(ada)).to.include({ available: 100 });
        await sound(both);
      });

      it('one idempotency key on both sides is one entry', async () => {
        const { both, all, one } = await two(slow);
        const asked = both.map((bench) => bench.startTransfer('ada', 'ben', 1, { key: 'k', nonce: 1 }));
        const replies = (await all(asked)).map(accepted);
        expect(replies.map(({ replayed }) => replayed).sort()).to.deep.equal([false, true]);
        expect(replies[0]!.entry.entryHash).to.equal(replies[1]!.entry.entryHash);
        expect((await one.store.account(ada))?.nonce).to.equal(1);
        await sound(both);
      });

      it('an escrow released and refunded on both sides pays out what it holds', async () => {
        const { both, all, one, world } = await two(slow);
        const create = { beneficiary: ben, amount: 100, releaseRules: manual, autoFund: true };
        accepted(await world.settle(one.start('ada', 'escrow', 'esc-1', 'create', create)));
        const asked = Array.from({ length: 8 }, (_, i) =>
          both[i % 2]!.start('ada', 'escrow', 'esc-1', 'release', { amount: 30 }),
        );
        const results = tally(await all(asked));
        expect(results.accepted).to.equal(3);
        expect(results.UNPROCESSABLE).to.equal(5);
        const { context, version } = one.store.tables.snapshot('escrow', 'esc-1')!;
        expect(context).to.include({ released: 90 });
        expect(version).to.equal(4);
        await sound(both);
      });

      it('one resourcePrev stated on both sides wins once', async () => {
        const { both, all, one, world } = await two(slow);
        const create = { beneficiary: ben, amount: 100, releaseRules: manual };
        const made = accepted(await world.settle(one.start('ada', 'escrow', 'esc-1', 'create', create)));
        const stated = { resourcePrev: made.entry.core.event.hash };
        const asked = both.map((bench) => bench.start('ada', 'escrow', 'esc-1', 'fund', { amount: 100 }, stated));
        expect(tally(await all(asked))).to.deep.equal({ accepted: 1, CONFLICT: 1 });
        await sound(both);
      });

      it('people who pay each other everywhere at once neither make nor lose a Token', async () => {
        const { both, all, one } = await two(slow);
        const asked = Array.from({ length: 60 }, (_, i) => {
          const [from, to] = [names[i % 3]!, names[(i * 7 + 1) % 3]!];
          return both[(i * 5) % 2]!.startTransfer(from, to === from ? 'dan' : to, 1 + (i % 9), { key: `k${i}` });
        });
        expect(tally(await all(asked))).to.deep.equal({ accepted: 60 });
        const { supply, available, reserved, escrowed, fees } = await one.store.totals();
        expect(available + reserved + escrowed + fees)
          .to.equal(supply)
          .and.to.equal(3_000);
        await sound(both);
      });
    });
  }
});

describe('what another process did', () => {
  it('is known before a refusal: Tokens that arrived there can be spent here', async () => {
    const { one, other } = await two();
    accepted(await other.transfer('dan', 'ada', 1).then(async () => one.transfer('ada', 'ben', 1)));
    accepted(await other.transfer('ben', 'cyd', 1));
    accepted(await one.transfer('cyd', 'ben', 900));
    accepted(await other.transfer('ben', 'ada', 1_500));
    accepted(await one.transfer('ada', 'cyd', 2_400));
  });

  it('is known before a refusal: the next nonce is the next one', async () => {
    const { one, other } = await two();
    for (let nonce = 1; nonce <= 6; nonce++) {
      const bench = nonce % 2 === 0 ? one : other;
      const at = bench.world.now();
      accepted(await bench.transfer('ada', 'ben', 1, { nonce }));
      expect(bench.world.now() - at, 'no request waits for what is there').to.be.below(100);
    }
  });

  it('is known before a refusal: resourcePrev and prev are as that process left them', async () => {
    const { one, other } = await two();
    const create = { beneficiary: ben, amount: 100, releaseRules: manual, autoFund: true };
    let last = accepted(await one.ask('ada', 'escrow', 'esc-1', 'create', create)).entry.core.event.hash;
    for (const bench of [other, one, other, one]) {
      const stated = { resourcePrev: last, prev: last };
      last = accepted(await bench.ask('ada', 'escrow', 'esc-1', 'release', { amount: 1 }, stated)).entry.core.event
        .hash;
    }
  });

  it('is what readers see', async () => {
    const { one, other } = await two();
    const create = { beneficiary: ben, amount: 100, releaseRules: manual };
    accepted(await one.ask('ada', 'escrow', 'esc-1', 'create', create));
    expect((await other.actors.committed.resource('escrow', 'esc-1'))?.state).to.equal('created.open');
    expect(await other.actors.committed.account(ada)).to.include({ reserved: 100 });
    const { lastHash } = (await one.actors.committed.resource('escrow', 'esc-1'))!;
    accepted(await one.ask('ada', 'escrow', 'esc-1', 'fund', { amount: 100 }, { resourcePrev: lastHash }));
    expect((await other.actors.committed.resource('escrow', 'esc-1'))?.state).to.equal('funded');
    expect(await other.actors.committed.account(ada)).to.include({ reserved: 0, escrowed: 100 });
  });

  it('a nonce whose predecessor came in through the other process is accepted within its second', async () => {
    const { one, other, world } = await two();
    const second = one.startTransfer('ada', 'ben', 1, { nonce: 2 });
    await world.advance(200);
    accepted(await other.transfer('ada', 'ben', 1, { nonce: 1 }));
    accepted(await world.settle(second));
  });

  it('a payment that lost takes nothing from whom it would have credited, who is busy', async () => {
    const world = new FakeWorld();
    const tables = new Tables();
    const store = new GatedStore({ world, tables, exclusive: false });
    const one = await Bench.open({ world, store }, { ada: 100, ben: 100 });
    const elsewhere = new MemoryStore({ world, tables, exclusive: false });
    const other = await Bench.open({ world, store: elsewhere, node: 'other node' });
    accepted(await one.transfer('ada', 'ben', 1));
    accepted(await other.transfer('ada', 'cyd', 1));
    store.hold('recall');
    const busy = one.startTransfer('ben', 'cyd', 1, { key: 'k' });
    await world.advance(1);
    accepted(await one.transfer('ada', 'ben', 1));
    store.letGo('recall');
    accepted(await world.settle(busy));
    await sound([one, other]);
  });
});
