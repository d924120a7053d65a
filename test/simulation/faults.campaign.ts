/** Many random requests at once on a store that is slow, fails, or loses replies; and on one shared by two processes. */
import { expect } from 'chai';
import fc from 'fast-check';
import type { Accepted } from '../../src/actors/command.js';
import { isRefusal, type Refusal } from '../../src/core/refusal.js';
import { type Disturbance, MemoryStore } from '../../src/store/memory/memory-store.js';
import { Tables } from '../../src/store/memory/tables.js';
import { isLong } from '../support/long.js';
import { Bench } from '../world/bench.js';
import { FakeWorld } from '../world/fake-world.js';
import { didOf } from '../world/people.js';

const effort = isLong ? { numRuns: 2_000 } : { numRuns: 60, seed: 7 };
const people = ['ada', 'ben', 'cyd'];
const someone = fc.constantFrom(...people);

/** One request. All start at once, or that many ms apart. */
const request = fc.record({
  do: fc.constantFrom('pay' as const, 'pay' as const, 'open' as const, 'release' as const, 'refund' as const),
  who: someone,
  to: someone,
  amount: fc.integer({ min: 1, max: 80 }),
  which: fc.nat(2),
  nonce: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined, freq: 1 }),
  key: fc.option(fc.nat(4), { nil: undefined }),
  pauseMs: fc.constantFrom(0, 0, 0, 1, 7),
  side: fc.nat(1),
});
type Asked = typeof request extends fc.Arbitrary<infer T> ? T : never;

function start(bench: Bench, asked: Asked): Promise<Accepted | Refusal> {
  const { who, to, amount, which, nonce, key } = asked;
  // An idempotency key stands for one whole request, as a careful client uses it.
  const stated = {
    nonce,
    ...(key === undefined ? {} : { key: `k${key}`, body: JSON.stringify({ ...asked, side: 0 }) }),
  };
  if (asked.do === 'pay') return bench.startTransfer(who, to, amount, stated);
  const id = `esc-${which}`;
  if (asked.do === 'open') {
    const body = { beneficiary: didOf(to), amount, releaseRules: [{ type: 'manual' }], autoFund: true };
    return bench.start(who, 'escrow', id, 'create', body, stated);
  }
  const resourcePrev = bench.store.tables.snapshot('escrow', id)?.lastHash ?? 'ab'.repeat(32);
  const body = asked.do === 'refund' ? { amount, reason: 'x' } : { amount };
  return bench.start(who, 'escrow', id, asked.do, body, asked.do === 'refund' ? { ...stated, resourcePrev } : stated);
}

/** Starts all requests, lets time pass, and returns their results. */
async function crowd(benches: readonly Bench[], requests: readonly Asked[]): Promise<(Accepted | Refusal)[]> {
  const { world } = benches[0]!;
  const started: Promise<Accepted | Refusal>[] = [];
  for (const asked of requests) {
    started.push(start(benches[asked.side % benches.length]!, asked));
    if (asked.pauseMs > 0) await world.advance(asked.pauseMs);
  }
  return world.settle(Promise.all(started));
}

/** Each acknowledged entry is in the journal once and unchanged, the balances add up, and the audit passes. */
async function sound(bench: Bench, results: readonly (Accepted | Refusal)[]): Promise<void> {
  const report = await bench.audit();
  expect(report.flaw, JSON.stringify(report.flaw)).to.equal(undefined);
  const { supply, available, reserved, escrowed, fees } = await bench.store.totals();
  expect(available + reserved + escrowed + fees)
    .to.equal(supply)
    .and.to.equal(300);
  const written = new Set<string>();
  for (const result of results) {
    if (isRefusal(result)) continue;
    const [stored] = await bench.store.entries({ after: result.entry.seq - 1, limit: 1 });
    expect(stored).to.deep.equal(result.entry);
    if (!result.replayed) expect(written, 'returned once').to.not.include(result.entry.entryHash);
    if (!result.replayed) written.add(result.entry.entryHash);
  }
}

const tokens = { ada: 100, ben: 100, cyd: 100 };

describe('simulation: crowds on an unreliable store', () => {
  it('nothing acknowledged is lost, nothing else half done, and the next process continues', async () => {
    const disturbances = fc.array(
      fc.record({
        delayMs: fc.constantFrom(0, 0, 3, 20, 2_000),
        outcome: fc.constantFrom<('fail' | 'lose' | undefined)[]>(...Array(20).fill(undefined), 'fail', 'lose'),
      }),
      { minLength: 20, maxLength: 20 },
    );
    const crowds = fc.array(fc.array(request, { minLength: 3, maxLength: 15 }), { minLength: 1, maxLength: 3 });
    let failed = 0;
    await fc.assert(
      fc.asyncProperty(crowds, disturbances, async (all, script) => {
        const world = new FakeWorld();
        let on = false;
        let call = 0;
        const disturb = (): Disturbance | undefined =>
          on ? (script[call++ % script.length] as Disturbance) : undefined;
        let bench = await Bench.open({ world, store: new MemoryStore({ world, disturb }) }, tokens);
        const results: (Accepted | Refusal)[] = [];
        for (const requests of all) {
          on = true;
          results.push(...(await crowd([bench], requests)));
          on = false;
          if (bench.faults.length > 0) {
            failed++;
            expect(bench.faults).to.have.length(1);
            bench = await Bench.open({ world, store: bench.store.survivor() });
          }
          await sound(bench, results);
        }
      }),
      effort,
    );
    expect(failed, 'the store did fail now and then').to.be.above(5);
  });
});

describe('simulation: crowds on two processes that share a store', () => {
  it('agree on one journal, and neither falls over', async () => {
    const requests = fc.array(request, { minLength: 5, maxLength: 25 });
    const delays = fc.array(fc.nat(9), { minLength: 7, maxLength: 7 });
    let won = 0;
    await fc.assert(
      fc.asyncProperty(requests, delays, async (asked, slow) => {
        const world = new FakeWorld();
        const tables = new Tables();
        let call = 0;
        const store = () =>
          new MemoryStore({
            world,
            tables,
            exclusive: false,
            disturb: () => ({ delayMs: slow[call++ % slow.length]! }),
          });
        const one = await Bench.open({ world, store: store() }, tokens);
        const other = await Bench.open({ world, store: store(), node: 'other node' });
        const results = await crowd([one, other], asked);
        await sound(one, results);
        for (const bench of [one, other]) expect(bench.faults).to.deep.equal([]);
        won += results.filter((result) => !isRefusal(result)).length;
      }),
      effort,
    );
    expect(won).to.be.above(100);
  });
});
