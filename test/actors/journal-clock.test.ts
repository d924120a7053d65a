/** Which times get into the journal (docs/decisions/0036-the-clock.md). */
import { expect } from 'chai';
import { type ClockState, JournalClock, type JournalClockOptions } from '../../src/actors/journal-clock.js';
import { dayMs } from '../../src/core/bounds.js';
import { isRefusal } from '../../src/core/refusal.js';
import { forgetExpired } from '../../src/node/health.js';
import { Alarms } from '../../src/projections/alarms.js';
import { accepted, Bench, codeOf } from '../world/bench.js';
import { FakeWorld, noon } from '../world/fake-world.js';
import { coreOf } from '../world/history.js';
import { ben, didOf } from '../world/people.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const skewMs = 10 * minuteMs;
const jumps = [
  ['11 minutes ahead', 11 * minuteMs],
  ['11 minutes behind', -11 * minuteMs],
  ['400 days ahead', 400 * dayMs],
  ['400 days behind', -400 * dayMs],
] as const;

/** Keeps what a restarted process of the same boot reads. */
class Kept {
  state: Partial<ClockState> = {};
  read = () => this.state;
  keep = (state: ClockState) => {
    this.state = state;
  };
}

function clockOf(world: FakeWorld, more: Partial<JournalClockOptions> = {}) {
  const logged: string[] = [];
  const clock = new JournalClock({ world, skewMs, log: (message) => logged.push(message), ...more });
  return { clock, logged };
}

const timeOf = (clock: JournalClock): number | undefined => {
  const taken = clock.take();
  return isRefusal(taken) ? undefined : taken;
};

describe('the clock of the journal', () => {
  for (const [what, jumpMs] of jumps) {
    it(`takes no time of a clock that jumped ${what}, and says so, until the clocks agree again`, async () => {
      const world = new FakeWorld();
      const { clock, logged } = clockOf(world);
      const before = timeOf(clock)!;
      await world.advance(minuteMs);
      world.setWall(jumpMs);
      for (let tries = 0; tries < 3; tries++) {
        expect(clock.take()).to.include({ code: 'SERVICE_UNAVAILABLE' });
        expect(clock.doubt).to.include(
          `this machine’s clock has jumped ${what.replace('behind', 'back')}: nothing is written`,
        );
      }
      expect(clock.now, 'looked up by others meanwhile').to.equal(before);
      world.setWall(-jumpMs);
      expect(timeOf(clock)).to.equal(before + minuteMs);
      expect(logged).to.deep.equal([
        'no entry is written: the clock is in doubt',
        'entries are written again: the clock is right',
      ]);
    });

    it(`takes it after the operator has said that a jump ${what} was right`, async () => {
      const world = new FakeWorld();
      const { clock } = clockOf(world);
      timeOf(clock);
      world.setWall(jumpMs);
      clock.accept();
      if (jumpMs > 0) expect(timeOf(clock)).to.equal(world.now());
      else expect(clock.doubt).to.match(/behind this node’s newest entry.*clock correct/);
    });

    it(`is not fooled by a restart while the clock is ${what}`, async () => {
      const world = new FakeWorld();
      const record = new Kept();
      timeOf(clockOf(world, { record }).clock);
      world.setWall(jumpMs);
      await world.advance(minuteMs);
      const { clock } = clockOf(world, { record });
      expect(timeOf(clock)).to.equal(undefined);
      world.setWall(-jumpMs);
      expect(timeOf(clock)).to.equal(world.now());
    });
  }

  it('notices a jump that comes with a sleep, and no sleep by itself', async () => {
    const world = new FakeWorld();
    const { clock } = clockOf(world);
    timeOf(clock);
    world.sleep(16 * hourMs);
    expect(timeOf(clock)).to.equal(world.now());
    world.sleep(hourMs);
    world.setWall(-hourMs);
    expect(clock.doubt, 'the wall clock stood still').to.match(/jumped 60 minutes back/);
  });

  it('reads the boot-time clock no more than once while nothing has changed', () => {
    const world = new FakeWorld();
    const { clock } = clockOf(world);
    timeOf(clock);
    let reads = 0;
    world.uptime = () => assertNever(reads++);
    for (let n = 0; n < 100; n++) timeOf(clock);
    expect(reads).to.equal(0);
  });

  it('waits for a clock that is behind the newest entry, and says how far', async () => {
    const world = new FakeWorld();
    const { clock } = clockOf(world);
    clock.begin(world.now() + 12 * minuteMs);
    expect(clock.doubt).to.match(/12 minutes behind this node’s newest entry/);
    await world.advance(3 * minuteMs);
    expect(timeOf(clock), 'less than ten minutes are no doubt').to.equal(world.now() + 9 * minuteMs);
  });

  it('takes a block that is ahead as proof that the clock is slow, unless the operator contradicts it', async () => {
    const world = new FakeWorld();
    let block = world.now();
    const { clock } = clockOf(world, { blockTime: () => block });
    expect(timeOf(clock)).to.equal(world.now());
    block = world.now() + 11 * minuteMs;
    expect(clock.doubt).to.match(/11 minutes behind the newest block/);
    block -= 11 * minuteMs;
    expect(clock.doubt, 'the block was withdrawn').to.equal(undefined);
    block = world.now() + 11 * minuteMs;
    expect(clock.doubt).to.not.equal(undefined);
    world.setWall(11 * minuteMs);
    expect(clock.doubt, 'set right').to.equal(undefined);
  });

  it('is not held again by a chain that the operator has contradicted, unless it is clearly further ahead', async () => {
    const world = new FakeWorld();
    let block = world.now() + dayMs;
    const parts = { record: new Kept(), blockTime: () => block };
    const { clock } = clockOf(world, parts);
    expect(clock.doubt).to.match(/24 hours behind/);
    await world.advance(hourMs);
    expect(clock.accept(), 'no block has come meanwhile').to.equal(undefined);
    block = world.now() + dayMs;
    expect(clock.doubt, 'the next block').to.equal(undefined);
    block = world.now();
    expect(clock.doubt, 'a good one').to.equal(undefined);
    block = world.now() + dayMs;
    expect(clock.doubt, 'another wrong one').to.equal(undefined);
    const { clock: restarted } = clockOf(world, parts);
    expect(restarted.doubt, 'after a restart').to.equal(undefined);
    block = world.now() + 2 * dayMs;
    expect(restarted.doubt).to.match(/48 hours|2 days/);
  });

  it('is in doubt after a jump, though a block that was withdrawn had shown it slow', () => {
    const world = new FakeWorld();
    let block = world.now() + dayMs;
    const { clock } = clockOf(world, { blockTime: () => block });
    expect(clock.doubt).to.match(/24 hours behind/);
    block = world.now();
    expect(clock.doubt).to.equal(undefined);
    world.setWall(dayMs);
    block = world.now();
    expect(clock.doubt).to.match(/jumped 24 hours ahead/);
  });

  for (const stepMs of [9 * minuteMs, -9 * minuteMs])
    it(`notices steps of ${stepMs / minuteMs} minutes that add up`, async () => {
      const world = new FakeWorld();
      const { clock } = clockOf(world);
      timeOf(clock);
      for (let steps = 0; steps < 2; steps++) {
        expect(clock.doubt, `${steps} steps`).to.equal(undefined);
        await world.advance(17 * minuteMs);
        world.setWall(stepMs);
      }
      expect(clock.doubt).to.match(/jumped 18 minutes/);
    });

  it('corrects the journal only by a clock that nothing else contradicts', () => {
    const world = new FakeWorld();
    const { clock } = clockOf(world);
    timeOf(clock);
    world.setWall(-dayMs);
    expect(clock.takeCorrection()).to.include({ code: 'SERVICE_UNAVAILABLE' });
    expect(clock.accept()).to.match(/behind this node’s newest entry/);
    expect(clock.takeCorrection()).to.equal(world.now());
  });

  it('has nothing to correct when another process is a little ahead', () => {
    const world = new FakeWorld();
    const { clock } = clockOf(world);
    clock.saw(world.now() + 1);
    expect(clock.isJournalAhead).to.equal(false);
  });

  it('lets deadlines wait anew at a start that finds the clock in doubt noted, of this boot or another', async () => {
    for (const isThisBoot of [true, false]) {
      const world = new FakeWorld();
      const record = new Kept();
      const { clock } = clockOf(world, { record });
      expect(clock.deadlinesWaitMs).to.equal(0);
      world.setWall(dayMs);
      expect(clock.deadlinesWaitMs).to.equal(Number.POSITIVE_INFINITY);
      await world.advance(5 * hourMs);
      world.setWall(-dayMs);
      record.state = isThisBoot ? record.state : { deadlinesWait: record.state.deadlinesWait! };
      const { clock: next } = clockOf(world, { record });
      expect(next.deadlinesWaitMs).to.equal(hourMs);
      await world.advance(hourMs);
      expect(next.deadlinesWaitMs).to.equal(0);
      expect(clockOf(world, { record }).clock.deadlinesWaitMs, 'noted that it is over').to.equal(0);
    }
  });

  it('keeps nothing of a start that other clocks hold, and is held by them no more once accepted', () => {
    const world = new FakeWorld();
    const record = new Kept();
    const { clock } = clockOf(world, { record });
    clock.compare([dayMs, dayMs]);
    expect(clock.doubt).to.match(/24 hours behind most/);
    expect(record.state).to.deep.equal({});
    world.setWall(dayMs);
    expect(clockOf(world, { record: new Kept() }).clock.doubt, 'set right before the next start').to.equal(undefined);
    clockOf(world, { record }).clock.accept();
    const { clock: next } = clockOf(world, { record });
    next.compare([-dayMs, -dayMs]);
    expect(next.doubt).to.equal(undefined);
    expect(next.deadlinesWaitMs).to.equal(hourMs);
  });

  it('takes a block that is behind for a slow chain', () => {
    const world = new FakeWorld();
    const { clock } = clockOf(world, { blockTime: () => world.now() - 400 * dayMs });
    expect(timeOf(clock)).to.equal(world.now());
  });

  const day = 400 * dayMs;
  for (const [what, others, isHeld] of [
    ['no other', [], false],
    ['one other', [day], false],
    ['two that agree', [day, day], true],
    ['two that contradict each other', [day, -day], false],
    ['one of two', [0, day], false],
    ['two of three', [0, day, day], false],
    ['three of four', [0, day, day, day], true],
    ['a hundred that are 9 minutes away', Array(100).fill(9 * minuteMs), false],
  ] as const) {
    it(`a start is ${isHeld ? '' : 'not '}held by ${what}`, () => {
      const world = new FakeWorld();
      const { clock } = clockOf(world);
      clock.compare(others);
      expect(clock.doubt !== undefined).to.equal(isHeld);
      if (!isHeld) return;
      expect(clock.doubt).to.match(/400 days behind most of the clocks/);
      world.setWall(day);
      expect(clock.doubt, 'set right').to.equal(undefined);
    });
  }

  it('raises no alarm in 1,000 hours of slews, leap smears and sleep', async () => {
    const world = new FakeWorld();
    let random = 1;
    const draw = () => {
      random = (random * 48_271) % 2_147_483_647;
      return random / 2_147_483_647;
    };
    const { clock } = clockOf(world);
    let slewPpm = 500;
    let checks = 0;
    for (let hours = 0; hours < 1_000; hours++) {
      if (hours % 24 === 0) slewPpm = [500, -500, 11.6, -11.6, 0][Math.floor(draw() * 5)]!;
      if (draw() < 0.1) world.sleep(Math.floor(draw() * 60 * hourMs));
      // A weekend without an entry: only the background checks see the clock.
      const isIdle = Math.floor(hours / 48) % 3 === 2;
      for (let part = 0; part < 6; part++) {
        await world.advance(10 * minuteMs);
        world.setWall(Math.round((10 * minuteMs * slewPpm) / 1_000_000));
        expect(clock.doubt, `hour ${hours}`).to.equal(undefined);
        if (!isIdle) expect(timeOf(clock), `hour ${hours}`).to.be.a('number');
        checks++;
      }
      if (hours % 100 === 0) world.setWall(hours % 200 === 0 ? 1_000 : -1_000); // a leap second that is not smeared
      // A step of a time service that had not run for a while.
      if (draw() < 0.02) world.setWall(Math.round((draw() - 0.5) * 9 * minuteMs));
    }
    expect(checks).to.equal(6_000);
  });
});

const assertNever = (read: number): number => {
  throw new RangeError(`read ${read + 1} of the boot-time clock`);
};

describe('writes and deadlines of a node whose clock jumped', () => {
  const release = { beneficiary: ben, amount: 10, releaseRules: [{ type: 'manual' }], autoFund: true };
  const stateOf = (bench: Bench) => bench.store.tables.snapshot('escrow', 'esc-1')?.state;

  function deadlinesOf(bench: Bench) {
    const alarms = new Alarms({
      ...{ store: bench.store, world: bench.world, log: () => {} },
      deliver: (alarm) => bench.system.execute({ ...alarm, input: {} }),
      waitMs: () => bench.actors.clock.deadlinesWaitMs,
      bounds: { batch: 100, restMs: 5_000 },
    });
    alarms.start();
    return alarms;
  }

  async function withEscrow(): Promise<Bench> {
    const bench = await Bench.open({}, { ada: 10_000 });
    const expiresAt = bench.world.now() + 30 * dayMs;
    accepted(await bench.ask('ada', 'escrow', 'esc-1', 'create', { ...release, expiresAt }));
    return bench;
  }

  for (const [what, jumpMs] of jumps) {
    it(`are held while it is ${what}: no caller, key or role passes, and no later entry has the time`, async () => {
      const bench = await withEscrow();
      const alarms = deadlinesOf(bench);
      bench.world.setWall(jumpMs);
      expect(codeOf(await bench.ask('eve', 'escrow', 'esc-1', 'expire', {}))).to.equal('SERVICE_UNAVAILABLE');
      expect(codeOf(await bench.transfer('ada', 'ben', 1))).to.equal('SERVICE_UNAVAILABLE');
      expect(codeOf(await bench.operate('account', didOf('ada'), 'freeze', {}))).to.equal('SERVICE_UNAVAILABLE');
      await bench.world.advance(minuteMs);
      expect(stateOf(bench)).to.equal('funded');
      bench.world.setWall(-jumpMs);
      const { entry } = accepted(await bench.transfer('ada', 'ben', 1));
      expect(entry.core.time).to.equal(bench.world.now());
      const times = bench.store.tables.journal.map((row) => coreOf(row).time);
      expect(Math.max(...times)).to.equal(bench.world.now());
      await alarms.stop();
    });
  }

  it('let deadlines wait for an hour after a doubt, in which callers may act', async () => {
    const bench = await withEscrow();
    await bench.world.advance(30 * dayMs - hourMs / 2);
    const alarms = deadlinesOf(bench);
    bench.world.setWall(dayMs);
    await bench.world.advance(minuteMs);
    bench.world.setWall(-dayMs);
    await bench.world.advance(59 * minuteMs);
    expect(stateOf(bench), 'half an hour late').to.equal('funded');
    await bench.world.advance(2 * minuteMs);
    expect(stateOf(bench)).to.equal('expired');
    await alarms.stop();
  });

  it('let callers not expire in the clock’s place for that hour', async () => {
    const bench = await withEscrow();
    await bench.world.advance(30 * dayMs - minuteMs);
    const expire = () => bench.ask('eve', 'escrow', 'esc-1', 'expire', {});
    bench.world.setWall(dayMs);
    expect(codeOf(await expire())).to.equal('SERVICE_UNAVAILABLE');
    bench.world.setWall(-dayMs);
    expect(codeOf(await expire()), 'not due').to.equal('ESCROW_INVALID_STATE');
    await bench.world.advance(2 * minuteMs);
    const early = await expire();
    expect(isRefusal(early) && [early.code, early.extras.retryAfter]).to.deep.equal(['SERVICE_UNAVAILABLE', 3_480]);
    accepted(await bench.transfer('ada', 'ben', 1));
    await bench.world.advance(hourMs);
    accepted(await expire());
  });

  it('let replies and quotas that it would have expired be kept', async () => {
    const { actors, store, world } = await Bench.open({}, {});
    const forget = () => forgetExpired(actors, store, world);
    const kept = async () =>
      (await store.listLocal('local-replies')).length + (await store.listLocal('stored-bytes')).length;
    await store.putLocal('local-replies', 'makeThing me#k', { fingerprint: 'f', at: world.now(), made: 'x' }, 0);
    await store.putLocal('stored-bytes', `${Math.floor(world.now() / dayMs)} me`, { bytes: 1 }, 0);
    world.setWall(3 * dayMs);
    await forget();
    expect(await kept()).to.equal(2);
    actors.clock.accept();
    await forget();
    expect(await kept()).to.equal(0);
  });

  it('go on with the right time after a correction, if a start has taken a wrong one', async () => {
    const world = new FakeWorld('ahead', noon + 400 * dayMs);
    const bench = await Bench.open({ world }, { ada: 100 });
    world.setWall(-400 * dayMs);
    const pay = () => bench.transfer('ada', 'ben', 1);
    expect(codeOf(await pay()), 'the jump back').to.equal('SERVICE_UNAVAILABLE');
    expect(bench.actors.clock.accept()).to.match(/400 days behind this node’s newest entry/);
    expect(codeOf(await pay()), 'the time of the journal').to.equal('SERVICE_UNAVAILABLE');
    const again = await bench.restart();
    expect(codeOf(await again.transfer('ada', 'ben', 1)), 'a start behind it').to.equal('SERVICE_UNAVAILABLE');
    const correction = { reason: 'it started with a wrong clock', operator: 'cyd' };
    accepted(await again.operate('node', didOf('node'), 'correct-clock', correction));
    const expiresAt = world.now() + 30 * dayMs;
    const { entry } = accepted(await again.ask('ada', 'escrow', 'esc-1', 'create', { ...release, expiresAt }));
    expect(entry.core.time).to.equal(world.now());
    expect(codeOf(await again.ask('eve', 'escrow', 'esc-1', 'expire', {}))).to.equal('ESCROW_INVALID_STATE');
    expect(await again.audit()).to.include({ ok: true });
  });
});
