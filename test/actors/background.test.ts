/** Repeated background work, which only its owner ends. */
import { expect } from 'chai';
import sinon from 'sinon';
import { Background } from '../../src/core/background.js';
import { FakeWorld } from '../world/fake-world.js';

function working(round: () => Promise<number | undefined>) {
  const world = new FakeWorld();
  const failures: unknown[] = [];
  const work = new Background({ world, round, onFailure: (error) => failures.push(error) });
  work.start();
  return { world, work, failures };
}

describe('background work', () => {
  it('continues after any failure with longer and longer pauses, and reports each trouble once', async () => {
    const trouble = new Error('the database does not answer');
    const round = sinon.stub().rejects(trouble);
    const { world, work, failures } = working(round);
    await world.advance(1_000);
    expect(round.callCount).to.equal(4);
    await world.advance(3_600_000);
    expect(round.callCount, 'every five seconds').to.be.within(720, 730);
    expect(failures).to.deep.equal([trouble]);
    round.resolves(1_000).resetHistory();
    await world.advance(10_000);
    expect(round.callCount, 'every second').to.be.within(5, 10);
    round.rejects(new Error('the database does not answer'));
    await world.advance(5_000);
    expect(failures).to.have.length(2);
    await work.stop();
    expect(world.timers).to.equal(0);
  });

  it('is woken early, but not out of the rest after a failure', async () => {
    const at: number[] = [];
    let fails = false;
    const { world, work } = working(async () => {
      at.push(world.monotonic());
      if (fails) throw new Error('no');
      return undefined;
    });
    await world.advance(10_000);
    expect(at).to.have.length(1);
    work.wake(500);
    work.wake(100);
    work.wake(900);
    await world.advance(2_000);
    expect(at.map((each) => each - at[0]!)).to.deep.equal([0, 10_100]);
    fails = true;
    work.wake();
    await world.advance(1);
    work.wake();
    await world.advance(98);
    expect(at).to.have.length(3);
    fails = false;
    await world.advance(2);
    expect(at).to.have.length(4);
  });

  it('starts one more round if it was woken during one, and none once it is stopped', async () => {
    let finish = () => {};
    const round = sinon.spy(() => {
      work.wake();
      return new Promise<undefined>((resolve) => {
        finish = () => resolve(undefined);
      });
    });
    const { world, work } = working(round);
    await world.advance(100);
    expect(round.callCount, 'one at a time').to.equal(1);
    finish();
    await world.advance(100);
    expect(round.callCount).to.equal(2);
    const stopped = work.stop();
    finish();
    await world.settle(stopped);
    await world.advance(10_000);
    expect(round.callCount).to.equal(2);
  });
});
