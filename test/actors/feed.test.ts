import { expect } from 'chai';
import { Feed } from '../../src/core/feed.js';
import { FakeWorld } from '../world/fake-world.js';

const never = new AbortController().signal;

describe('The notifications of a journal that grows', () => {
  it('wake those alone whose entry is there', async () => {
    const feed = new Feed(3);
    const woken: number[] = [];
    const waits = [3, 4, 6].map((seq) => feed.beyond(seq, never).then(() => woken.push(seq)));
    feed.advance(5);
    await Promise.all(waits.slice(0, 2));
    expect(woken).to.deep.equal([3, 4]);
    feed.advance(7);
    await Promise.all(waits);
    expect(woken).to.deep.equal([3, 4, 6]);
  });

  it('end a wait at its time, and say whether the entry is there', async () => {
    const world = new FakeWorld();
    const feed = new Feed(3);
    const [soon, late] = [feed.beyondWithin(4, 2_000, world), feed.beyondWithin(9, 2_000, world)];
    feed.advance(5);
    expect(await soon).to.equal(true);
    await world.advance(2_000);
    expect(await late).to.equal(false);
  });
});
