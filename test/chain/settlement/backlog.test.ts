/** The settlement backlog, in operations and in time. */
import { expect } from 'chai';
import { MovableClock } from '../../../packages/fake-node/src/movable-clock.js';
import { Backlog } from '../../../src/chain/settlement/backlog.js';

describe('what waits for settlement', () => {
  const world = new MovableClock();
  let backlog: Backlog;
  beforeEach(() => {
    backlog = new Backlog(world);
  });
  const seconds = (ms: number): number => Math.floor(ms / 1_000);

  it('is as old as the oldest of it', () => {
    backlog.count(1, 2);
    world.outrun(5_000);
    backlog.count(2, 1);
    world.outrun(5_000);
    expect([backlog.lag, seconds(backlog.ageMs)]).to.deep.equal([3, 10]);
    backlog.settled(2, 2);
    expect([backlog.lag, seconds(backlog.ageMs)]).to.deep.equal([1, 5]);
    backlog.settled(3, 3);
    expect([backlog.lag, backlog.ageMs, backlog.stalledMs]).to.deep.equal([0, 0, 0]);
  });

  it('has an age also where it came within a second of what is settled, and nothing comes after it', () => {
    backlog.count(1, 1);
    backlog.count(2, 1);
    backlog.settled(1, 1);
    world.outrun(90_000);
    expect([backlog.lag, seconds(backlog.ageMs)]).to.deep.equal([1, 90]);
  });

  it('again, on a chain that has lost it, is as old as the loss', () => {
    backlog.count(1, 4);
    backlog.settled(4, 4);
    world.outrun(3_600_000);
    backlog.settled(1, 1);
    expect([backlog.lag, backlog.fresh, seconds(backlog.ageMs)]).to.deep.equal([3, 0, 0]);
    world.outrun(7_000);
    expect([seconds(backlog.ageMs), seconds(backlog.stalledMs)]).to.deep.equal([7, 7]);
  });
});
