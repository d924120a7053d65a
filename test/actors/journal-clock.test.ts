/** Which times get into the journal (docs/decisions/0036-the-clock.md). */
import { expect } from 'chai';
import { type ClockState, JournalClock, type JournalClockOptions } from '../../src/actors/journal-clock.js';
import { isRefusal } from '../../src/core/refusal.js';
import { Alarms } from '../../src/projections/alarms.js';
import { accepted, Bench, codeOf } from '../world/bench.js';
import { FakeWorld, noon } from '../world/fake-world.js';
import { coreOf } from '../world/history.js';
import { ben, didOf } from '../world/people.js';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const skewMs = 10 * minuteMs;
const jumps = [
  ['11 minutes ahead', 11 * minuteMs],
  ['11 minutes behind', -11 * minuteMs],
  ['400 days ahead', 400 * dayMs],
  ['400 days behind', -400 * dayMs],
] as const;

/** Keeps what a restarted process of the same boot reads. */
class Kept {
  state: ClockState | undefined;
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
    expect(clock.doubt, 'the chain has said it once').to.not.equal(undefined);
    world.setWall(11 * minuteMs);
    expect(clock.doubt).to.equal(undefined);
    block = world.now() + dayMs;
    expect(clock.doubt).to.not.equal(undefined);
    expect(clock.accept()).to.equal(undefined);
    await world.advance(minuteMs);
    block += minuteMs;
    expect(clock.doubt, 'overruled').to.equal(undefined);
    block = world.now();
    expect(clock.doubt, 'they agree').to.equal(undefined);
    block = world.now() + dayMs;
    expect(clock.doubt, 'a new disagreement').to.match(/24 hours behind/);
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
