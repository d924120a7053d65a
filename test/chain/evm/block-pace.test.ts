/** Distinguishes a chain that has stopped from one that is slow, or makes blocks only for transactions. */
import { expect } from 'chai';
import { BlockPace } from '../../../src/chain/evm/block-pace.js';

/** Observes a chain every 4 s. `blocks` gives number and timestamp of the newest block at a second. */
function watched(
  seconds: number,
  block: (second: number) => { number: number; timestamp: number },
  sent = 0,
): BlockPace {
  const pace = new BlockPace();
  for (let second = 0; second <= seconds; second += 4) pace.saw(block(second), second * 1_000, sent);
  return pace;
}
const every = (gap: number) => (second: number) => {
  const number = Math.floor(second / gap);
  return { number, timestamp: number * gap };
};

describe('the pace of a chain', () => {
  it('of a block a second: silent after ten', () => {
    const pace = watched(60, every(1));
    expect(pace.silence(69_000)).to.equal(undefined);
    expect(pace.silence(71_000)).to.deep.equal({ ms: 11_000, usualMs: 1_000 });
    pace.saw({ number: 71, timestamp: 71 }, 71_000, 0);
    expect(pace.silence(72_000)).to.equal(undefined);
  });

  it('of a block every 12 s: silent after three times that', () => {
    const pace = watched(120, every(12));
    expect(pace.silence(150_000)).to.equal(undefined);
    expect(pace.silence(157_000)).to.include({ usualMs: 12_000 });
  });

  it('of a chain that was slow before allows it again', () => {
    const pace = watched(60, every(1));
    pace.saw({ number: 61, timestamp: 100 }, 100_000, 0);
    expect(pace.silence(200_000)).to.equal(undefined);
    expect(pace.silence(221_000)).to.include({ usualMs: 40_000 });
  });

  it('of a chain that mines each transaction at once, or was just found, is not known', () => {
    const onDemand = watched(60, every(4), 1);
    expect(onDemand.silence(1_000_000)).to.equal(undefined);
    expect(watched(0, every(1)).silence(1_000_000)).to.equal(undefined);
  });
});
