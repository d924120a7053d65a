/** When a home sends what is new to several followers. */
import { expect } from 'chai';
import { feedBounds } from '../../../src/core/bounds.js';
import { Feed } from '../../../src/core/feed.js';
import { catalogue } from '../../../src/machines/catalogue.js';
import { FeedServer } from '../../../src/peers/feed/feed-server.js';
import { OwnCheckpoints } from '../../../src/peers/feed/own-checkpoints.js';
import { network } from '../../world/bench.js';
import { FakeWorld } from '../../world/fake-world.js';
import { life } from '../../world/history.js';
import { signer } from '../../world/people.js';

describe('Followers that are up to date', () => {
  it('are sent the same batches at the same time, under one signature', async () => {
    const { store } = await life();
    const world = new FakeWorld();
    const feed = new Feed(5);
    let signatures = 0;
    const server = new FeedServer({
      ...{ store, feed, catalogue, world },
      checkpoints: new OwnCheckpoints({ signer: signer('node'), network, world, onSigned: () => signatures++ }),
      resource: (kind, id) => store.load(kind, id),
      isResident: async () => false,
    });
    const over = new AbortController();
    const follow = (name: string) => {
      const batches: string[] = [];
      const writer = {
        write: async (lines: readonly string[]) => batches.push(lines.join()) > 0,
        end: () => {},
      };
      const request = { did: `did:svc:${name}` as const, query: new URLSearchParams('after=5'), signal: over.signal };
      const done = server.serve(request as never, { send: () => expect.fail(), open: () => writer } as never);
      return { batches, done };
    };
    const one = follow('one');
    await world.advance(feedBounds.gatherMs / 2);
    const other = follow('other');
    await world.advance(feedBounds.gatherMs * 2);
    const [first, begun] = [one.batches.length, signatures];
    const seen = () => [one, other].map(({ batches }) => batches.length - first);
    expect(other.batches).to.have.length(first);

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
    expect(one.batches.slice(first)).to.deep.equal(other.batches.slice(first));
    expect(one.batches.at(-1)).to.contain('{"seq":7,').and.contain('{"seq":8,');
    expect(signatures - begun).to.equal(2);
    over.abort();
    await world.advance(feedBounds.heartbeatMs);
    await Promise.all([one.done, other.done]);
  });
});
