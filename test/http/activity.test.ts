/** The activity figures of the last minutes, and the console's files as the server sends them. */
import { expect } from 'chai';
import type { Environment } from '../../src/core/environment.js';
import { Activity, activityEveryMs, activityPoints } from '../../src/http/server/metrics.js';

class TickingWorld implements Environment {
  at = 1_000;
  #due: (() => void) | undefined;
  now = () => this.at;
  monotonic = () => this.at;
  uptime = () => this.at;
  random = (bytes: number) => new Uint8Array(bytes);

  after(_delayMs: number, call: () => void) {
    this.#due = call;
    return {
      cancel: () => {
        this.#due = undefined;
      },
    };
  }

  tick(): boolean {
    const due = this.#due;
    this.at += activityEveryMs;
    due?.();
    return due !== undefined;
  }
}

describe('activity', () => {
  const started = (height = () => 0, lag = () => 0) => {
    const world = new TickingWorld();
    const activity = new Activity({ world, height, lag });
    activity.start();
    return { world, activity };
  };

  it('reports rates and quantiles of each interval, and begins anew with the next', () => {
    let height = 7;
    const { world, activity } = started(
      () => height,
      () => 3,
    );
    for (let i = 0; i < 99; i++) activity.answered(200, 0.002);
    activity.answered(500, 0.4);
    height = 17;
    world.tick();
    world.tick();
    const [first, second] = activity.points;
    expect(first).to.include({ measuredAt: 6_000, requests: 20, failures: 0.2, entries: 2, height: 17, lag: 3 });
    expect(first!.p50Ms).to.be.within(1.8, 2.2);
    expect(first!.p99Ms).to.be.within(1.8, 2.2);
    expect(second).to.include({ requests: 0, failures: 0, entries: 0, p50Ms: null, p99Ms: null });
  });

  it('takes any duration', () => {
    const { world, activity } = started();
    for (const seconds of [0, 1e-9, 1e6]) activity.answered(200, seconds);
    world.tick();
    expect(activity.points[0]!.p50Ms).to.be.below(0.1);
    expect(activity.points[0]!.p99Ms).to.be.above(60_000);
  });

  it('keeps a bounded number of points, and none once it is stopped', () => {
    const { world, activity } = started();
    for (let i = 0; i < activityPoints + 5; i++) world.tick();
    expect(activity.points).to.have.length(activityPoints);
    expect(activity.points.at(-1)!.measuredAt).to.equal(world.at);
    activity.stop();
    expect(world.tick()).to.equal(false);
  });
});
