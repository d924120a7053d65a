/** When a home sends what is new to several followers. */
import { expect } from 'chai';
import { feedBounds } from '../../../src/core/bounds.js';
import { Feed } from '../../../src/core/feed.js';
import { FeedServer } from '../../../src/peers/feed/feed-server.js';
import { OwnCheckpoints } from '../../../src/peers/feed/own-checkpoints.js';
import { network } from '../../world/bench.js';
import { FakeWorld } from '../../world/fake-world.js';
import { life } from '../../world/history.js';
import { signer } from '../../world/people.js';

async function serving() {
  const { store } = await life();
  const world = new FakeWorld();
  const feed = new Feed(5);
  const count = { signatures: 0 };
  const server = new FeedServer({
    ...{ store, feed, world },
    checkpoints: new OwnCheckpoints({ signer: signer('node'), network, world, onSigned: () => count.signatures++ }),
  });
  const over = new AbortController();
  const followers: Promise<void>[] = [];
  const follow = (name: string) => {
    const batches: string[] = [];
    const writer = {
      write: async (lines: readonly string[]) => batches.push(lines.join()) > 0,
      end: () => {},
    };
    const request = { did: `did:svc:${name}` as const, query: new URLSearchParams('after=5'), signal: over.signal };
    followers.push(server.serve(request as never, { send: () => expect.fail(), open: () => writer } as never));
    return batches;
  };
  const end = async () => {
    over.abort();
    await world.advance(feedBounds.heartbeatMs);
    await Promise.all(followers);
  };
  return { world, feed, count, follow, end };
}

describe('Followers that are up to date', () => {
  it('are sent the same batches at the same time, under one signature', async () => {
    const { world, feed, count, follow, end } = await serving();
    const one = follow('one');
    await world.advance(feedBounds.gatherMs / 2);
    const other = follow('other');
    await world.advance(feedBounds.gatherMs * 2);
    const [first, begun] = [one.length, count.signatures];
    const seen = () => [one, other].map(({ length }) => length - first);
    expect(other).to.have.length(first);

    feed.advance(6);
    await world.advance(1);
    expect(seen(), 'the first is sent at once').to.deep.equal([1, 1]);
    feed.advance(7);
    await world.advance(5);
    feed.advance(8);
    await world.advance(5);
    expect(seen(), 'more are collected').to.deep.equal([1, 1]);
    await world.advance(feedBounds.gatherMs);
    expect(seen()).to.deep.equal([2, 2]);
    expect(one.slice(first)).to.deep.equal(other.slice(first));
    expect(one.at(-1)).to.contain('{"seq":7,').and.contain('{"seq":8,');
    expect(count.signatures - begun).to.equal(2);
    await end();
  });

  it('wait longer for the next batch of a home that has many, so that a batch has more entries', async () => {
    const { world, feed, follow, end } = await serving();
    const all = Array.from({ length: feedBounds.gatherFollowers + 2 }, (_, index) => follow(`follower ${index}`));
    await world.advance(1);
    feed.advance(6);
    await world.advance(1);
    const before = all.map(({ length }) => length);
    feed.advance(7);
    await world.advance(feedBounds.gatherMs * 2);
    const seen = () => all.map(({ length }, index) => length - before[index]!);
    expect(seen()).to.deep.equal(all.map(() => 0));
    await world.advance(2 * feedBounds.gatherFurtherMs);
    expect(seen()).to.deep.equal(all.map(() => 1));
    await end();
  });
});
