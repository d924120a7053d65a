import { expect } from 'chai';
import sinon from 'sinon';
import type { Accepted } from '../../src/actors/command.js';
import { dayMs } from '../../src/core/bounds.js';
import type { Refusal } from '../../src/core/refusal.js';
import { refuse } from '../../src/core/refusal.js';
import { Alarms } from '../../src/projections/alarms.js';
import type { Alarm, StoreReader } from '../../src/store/store.js';
import { accepted, Bench } from '../world/bench.js';
import { ben } from '../world/people.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const bounds = { batch: 100, restMs: 5_000 };

type Deliver = (alarm: Alarm) => Promise<Accepted | Refusal>;

/** An alarm clock over a bench's actors, wired as in the node. */
function clockOn(bench: Bench, deliver?: Deliver, more: Partial<typeof bounds> = {}) {
  const logged: string[] = [];
  const rung: Alarm[] = [];
  const alarms = new Alarms({
    store: bench.store,
    world: bench.world,
    deliver(alarm) {
      rung.push(alarm);
      return deliver ? deliver(alarm) : bench.system.execute({ ...alarm, input: {} });
    },
    waitMs: () => bench.actors.clock.deadlinesWaitMs,
    log: (message) => logged.push(message),
    bounds: { ...bounds, ...more },
  });
  alarms.start();
  return { alarms, logged, rung };
}

/**
 * A bench with one escrow of Ada's for Ben per argument, which expires after that many ms. A negative number makes an unfunded
 * one.
 */
async function withDeadlines(...inMs: readonly number[]): Promise<Bench> {
  const bench = await Bench.open({}, { ada: 10_000 });
  for (const [index, ms] of inMs.entries()) {
    const expiresAt = bench.world.now() + Math.abs(ms);
    const body = { beneficiary: ben, amount: 10, releaseRules: [{ type: 'manual' }], expiresAt, autoFund: ms > 0 };
    accepted(await bench.ask('ada', 'escrow', `esc-${index}`, 'create', body));
  }
  return bench;
}

const stateOf = (bench: Bench, index = 0) => bench.store.tables.snapshot('escrow', `esc-${index}`);

describe('alarms', () => {
  it('ring soon after their time, and not before', async () => {
    const bench = await withDeadlines(hourMs);
    const { alarms } = clockOn(bench);
    await bench.world.advance(hourMs - 1);
    expect(stateOf(bench)?.state).to.equal('funded');
    await bench.world.advance(100);
    expect(stateOf(bench)?.state).to.equal('expired');
    expect(await bench.balances('ada')).to.deep.equal([10_000, 0, 0]);
    await alarms.stop();
  });

  it('lapse what was never funded', async () => {
    const bench = await withDeadlines(-hourMs);
    const { alarms } = clockOn(bench);
    await bench.world.advance(hourMs + 100);
    expect(stateOf(bench)?.state).to.equal('created.lapsed');
    await alarms.stop();
  });

  it('ring as system entries, which an auditor accepts', async () => {
    const bench = await withDeadlines(hourMs);
    const { alarms } = clockOn(bench);
    await bench.world.advance(hourMs + 100);
    const [entry] = await bench.store.entries({ after: 0, limit: 100, type: 'escrow.expired' });
    expect(entry?.core.event.issuer).to.equal(bench.system.signer.did);
    expect(await bench.audit()).to.include({ ok: true });
    await alarms.stop();
  });

  it('ring once each, many at one time, more than a batch', async () => {
    const bench = await withDeadlines(...Array(25).fill(hourMs));
    const { alarms, rung } = clockOn(bench, undefined, { batch: 10 });
    await bench.world.advance(hourMs + 1_000);
    expect(rung).to.have.length(25);
    expect(await bench.store.due(bench.world.now() + dayMs, 1)).to.deep.equal([]);
    await alarms.stop();
  });

  it('what moved meanwhile does not ring', async () => {
    const bench = await withDeadlines(hourMs, hourMs);
    const { alarms, rung } = clockOn(bench);
    accepted(await bench.ask('ada', 'escrow', 'esc-0', 'release', { amount: 10 }));
    await bench.world.advance(hourMs + 100);
    expect(rung.map(({ id }) => id)).to.deep.equal(['esc-1']);
    await alarms.stop();
  });

  it('that were missed while the process was down ring at the start', async () => {
    const bench = await withDeadlines(hourMs);
    await bench.world.advance(2 * hourMs);
    const next = await bench.restart();
    const { alarms } = clockOn(next);
    await next.world.advance(100);
    expect(stateOf(next)?.state).to.equal('expired');
    await alarms.stop();
  });

  it('set later ring too: a nearer deadline is heard of at once', async () => {
    const bench = await withDeadlines(10 * hourMs);
    const { alarms, rung } = clockOn(bench, undefined, { restMs: dayMs });
    await bench.world.advance(minuteMs);
    const body = { beneficiary: ben, amount: 1, releaseRules: [{ type: 'manual' }], autoFund: true };
    const expiresAt = bench.world.now() + 2 * minuteMs;
    accepted(await bench.ask('ada', 'escrow', 'esc-soon', 'create', { ...body, expiresAt }));
    alarms.wakeBy(expiresAt);
    await bench.world.advance(2 * minuteMs + 100);
    expect(rung.map(({ id }) => id)).to.deep.equal(['esc-soon']);
    await bench.world.advance(10 * hourMs);
    expect(rung.map(({ id }) => id)).to.deep.equal(['esc-soon', 'esc-0']);
    await alarms.stop();
  });

  it('one that is set while the clock looks is heard of, too', async () => {
    const bench = await withDeadlines(10 * hourMs);
    const { alarms, rung } = clockOn(bench, undefined, { restMs: dayMs });
    const soon = bench.world.now() + hourMs;
    const body = { beneficiary: ben, amount: 1, releaseRules: [{ type: 'manual' }], autoFund: true };
    const due = bench.store.due.bind(bench.store);
    bench.store.due = async (...asked) => {
      bench.store.due = due;
      const found = await due(...asked);
      accepted(await bench.start('ada', 'escrow', 'esc-soon', 'create', { ...body, expiresAt: soon }));
      alarms.wakeBy(soon);
      return found;
    };
    await bench.world.advance(hourMs + 100);
    expect(rung.map(({ id }) => id)).to.deep.equal(['esc-soon']);
    await alarms.stop();
  });

  it('one that is set just as the clock has looked is heard of, too', async () => {
    for (let turns = 0; turns < 12; turns++) {
      const timers: { delayMs: number; call: () => void }[] = [];
      const alarms = new Alarms({
        store: { due: async () => [] } as unknown as StoreReader,
        world: {
          now: () => 0,
          monotonic: () => 0,
          uptime: () => 0,
          random: (bytes) => new Uint8Array(bytes),
          after(delayMs, call) {
            timers.push({ delayMs, call });
            return { cancel: () => {} };
          },
        },
        deliver: async () => refuse('CONFLICT', 'none'),
        log: () => {},
        bounds,
      });
      alarms.start();
      timers[0]!.call();
      for (let turn = 0; turn < turns; turn++) await undefined;
      alarms.wakeBy(1_000);
      await new Promise((resolve) => setImmediate(resolve));
      expect(timers.at(-1)?.delayMs, `after ${turns} turns`).to.equal(1_000);
    }
  });

  it('actors report every deadline that is on disk', async () => {
    const onAlarm = sinon.spy();
    const bench = await Bench.open({ onAlarm }, { ada: 100 });
    const body = { beneficiary: ben, amount: 1, releaseRules: [{ type: 'manual' }] };
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', body));
    sinon.assert.calledOnceWithExactly(onAlarm, bench.world.now() + 30 * dayMs);
  });

  it('stopped ones ring no more', async () => {
    const bench = await withDeadlines(hourMs);
    const { alarms, rung } = clockOn(bench);
    await alarms.stop();
    await bench.world.advance(2 * hourMs);
    alarms.wakeBy(bench.world.now());
    await bench.world.advance(2 * hourMs);
    expect(rung).to.deep.equal([]);
    expect(bench.world.timers).to.equal(0);
  });
});

describe('alarms that are stopped while one rings', () => {
  it('finish that one, and no other', async () => {
    const bench = await withDeadlines(hourMs, hourMs);
    let letGo = (): void => {};
    const { alarms, rung } = clockOn(bench, async (alarm) => {
      await new Promise<void>((resolve) => (letGo = resolve));
      return bench.system.execute({ ...alarm, input: {} });
    });
    await bench.world.advance(hourMs + 100);
    const stopping = alarms.stop();
    letGo();
    await bench.world.settle(stopping);
    expect(rung).to.have.length(1);
    expect([stateOf(bench, 0)?.state, stateOf(bench, 1)?.state]).to.deep.equal(['expired', 'funded']);
    expect(bench.world.timers).to.equal(0);
  });
});

describe('alarms that are refused', () => {
  const refusing: Deliver = async () => refuse('ESCROW_INVALID_STATE', 'not now');

  it('do not spin: they ring again a minute later', async () => {
    const bench = await withDeadlines(hourMs);
    const { alarms, rung, logged } = clockOn(bench, refusing);
    await bench.world.advance(hourMs + 59_000);
    expect(rung).to.have.length(1);
    expect(logged).to.deep.equal(['alarm refused']);
    await bench.world.advance(5 * minuteMs);
    expect(rung.length).to.be.within(5, 7);
    await alarms.stop();
  });

  it('let the clock sleep until the first that may ring', async () => {
    const bench = await withDeadlines(hourMs, hourMs + 10 * minuteMs);
    const due = sinon.spy(bench.store, 'due');
    const { alarms, rung } = clockOn(bench, refusing, { restMs: dayMs });
    await bench.world.advance(hourMs + 100);
    expect(rung).to.have.length(1);
    due.resetHistory();
    await bench.world.advance(minuteMs - 200);
    sinon.assert.notCalled(due);
    await bench.world.advance(200);
    expect(rung, 'a minute later').to.have.length(2);
    await bench.world.advance(9 * minuteMs);
    expect(rung.at(-1)?.id, 'the next deadline is found all the same').to.equal('esc-1');
    await alarms.stop();
  });

  it('do not hide another deadline of the same resource', async () => {
    const bench = await withDeadlines(hourMs);
    const { alarms, rung } = clockOn(bench, refusing);
    await bench.world.advance(hourMs + 100);
    const [alarm] = rung;
    bench.store.due = async () => [{ ...alarm!, at: bench.world.now() }];
    await bench.world.advance(10_000);
    expect(rung.map(({ at }) => at - alarm!.at)).to.deep.include(0);
    expect(rung.length).to.be.greaterThan(1);
    await alarms.stop();
  });

  it('do not keep others from ringing, however many they are', async () => {
    const bench = await withDeadlines(...Array(12).fill(hourMs), hourMs + 1);
    const last = 'esc-12';
    const { alarms, rung } = clockOn(
      bench,
      async (alarm) => (alarm.id === last ? bench.system.execute({ ...alarm, input: {} }) : refusing(alarm)),
      { batch: 5 },
    );
    await bench.world.advance(hourMs + 10_000);
    expect(rung.filter(({ id }) => id === last)).to.have.length(1);
    expect(stateOf(bench, 12)?.state).to.equal('expired');
    await alarms.stop();
  });

  it('one whose delivery always fails keeps no other from ringing, and does not spin', async () => {
    const bench = await withDeadlines(hourMs, hourMs + 1);
    const { alarms, logged } = clockOn(bench, async (alarm) => {
      if (alarm.id === 'esc-1') return bench.system.execute({ ...alarm, input: {} });
      throw new RangeError('a fault of the delivery');
    });
    await bench.world.advance(hourMs + 11_000);
    expect(stateOf(bench, 1)?.state).to.equal('expired');
    expect(logged.length).to.be.within(2, 4);
    await alarms.stop();
  });

  it('a delivery that fails does not end the clock', async () => {
    const bench = await withDeadlines(hourMs);
    let broken = true;
    const { alarms, logged } = clockOn(bench, async (alarm) => {
      if (!broken) return bench.system.execute({ ...alarm, input: {} });
      broken = false;
      throw new RangeError('a fault of the delivery');
    });
    await bench.world.advance(hourMs + 10_000);
    expect(logged).to.deep.equal(['alarms failed']);
    expect(stateOf(bench)?.state).to.equal('expired');
    await alarms.stop();
  });
});
