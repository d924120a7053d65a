/** The statistics kept about calls: bounded in size, and close to the exact figures. */
import { expect } from 'chai';
import fc from 'fast-check';
import { MachineStepper } from '../../../src/machines/kernel/stepper.js';
import { type Latencies, longestMs, percentileMs, withLatency } from '../../../src/machines/lease/latency.js';
import { type LeaseContext, leaseMachine } from '../../../src/machines/lease/machine.js';
import { LeaseStory } from '../../world/lease-story.js';

const all = (latencies: readonly number[]): Latencies => latencies.reduce(withLatency, [] as Latencies);

/** The exact percentile of all latencies, by nearest rank. */
const exact = (latencies: readonly number[], percent: number): number =>
  [...latencies].sort((a, b) => a - b)[Math.ceil((latencies.length * percent) / 100) - 1]!;

const latency = fc.oneof(fc.integer({ min: 0, max: longestMs }), fc.double({ min: 0, max: 2_000, noNaN: true }));

describe('lease: latencies', () => {
  it('are exact to a sixteenth', () => {
    fc.assert(
      fc.property(fc.array(latency, { minLength: 1, maxLength: 200 }), fc.constantFrom(50, 95), (given, percent) => {
        const estimate = percentileMs(all(given), percent)!;
        const real = exact(given, percent);
        expect(Math.abs(estimate - real)).to.be.at.most(real / 16 + 0.001);
      }),
    );
  });

  it('are exact where all took equally long', () => {
    for (const ms of [0, 0.25, 7, 123, 1_234.5, longestMs]) {
      const same = all(Array.from({ length: 9 }, () => ms));
      expect([percentileMs(same, 50), percentileMs(same, 95)]).to.deep.equal([ms, ms]);
    }
  });

  it('are 464 sizes at most, in order', () => {
    const wide: number[] = [];
    for (let ms = 0.001; ms < longestMs; ms *= 1.01) wide.push(ms);
    const kept = all([...wide, longestMs, 0]);
    expect(kept.length).to.be.at.most(464);
    expect(kept.map(([size]) => size)).to.deep.equal([...kept.map(([size]) => size)].sort((a, b) => a - b));
    expect(kept.reduce((sum, [, calls]) => sum + calls, 0)).to.equal(wide.length + 2);
  });
});

describe('lease: a hundred thousand calls', () => {
  it('take no more room than a thousand', async () => {
    const story = await LeaseStory.leased({ budget: 900 }, { pricing: { price: 0 }, quota: { maxCalls: 1_000_000 } });
    const stepper = new MachineStepper(leaseMachine);
    const { state, context, lastHash } = story.bench.store.tables.snapshot('lease', story.id)!;
    let now = context;
    let afterAThousand = 0;
    const time = story.now;
    for (let n = 0; n < 100_000; n++) {
      const input = { latency: 20 + ((n * 7_919) % 1_000), success: n % 10 > 0 };
      const happening = {
        type: 'invoke',
        signer: '',
        roles: [],
        time,
        network: '',
        home: '',
        id: story.id,
        lastHash,
      };
      now = stepper.move(state, now, { ...happening, input }).context;
      if (n === 999) afterAThousand = JSON.stringify(now).length;
    }
    const { usage } = now as unknown as LeaseContext;
    expect(usage).to.include({ calls: 100_000, succeeded: 90_000 });
    expect(JSON.stringify(now).length).to.be.below(afterAThousand * 1.2);
    expect(percentileMs(usage.latencies, 50)).to.be.within(500, 540);
    expect(percentileMs(usage.latencies, 95)).to.be.within(940, 1_000);
  });
});
