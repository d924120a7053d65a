/** How often a node sends its peers what is new. */
import { expect } from 'chai';
import { feedBounds } from '../../src/core/bounds.js';
import { NewsExchange } from '../../src/peers/peering/news-exchange.js';
import type { PeerLink } from '../../src/peers/peering/peer-link.js';
import { FakeWorld } from '../world/fake-world.js';

/** A node in whose network there is always news. */
function exchanges(peers: number) {
  const world = new FakeWorld();
  const sent: { readonly peer: number; readonly at: number }[] = [];
  const all = Array.from({ length: peers }, (_, peer) => {
    const request = async (method: string) => {
      if (method === 'POST') sent.push({ peer, at: world.monotonic() });
      return { status: method === 'POST' ? 204 : 200, body: '{}' };
    };
    const news = { for: () => ({ message: { checkpoints: [], copies: [], equivocations: [] }, delivered() {} }) };
    return new NewsExchange({
      link: { member: { did: `did:svc:${peer}` }, request, next() {}, statesTime() {} } as unknown as PeerLink,
      heads: { news, dropPeer() {} } as never,
      ...{ world, peers: () => peers, onOwnHead() {} },
    });
  });
  for (const each of all) each.start();
  return { world, sent, all };
}

const seconds = 60;

describe('News', () => {
  it('is sent to each of a few peers every second', async () => {
    const { world, sent, all } = exchanges(feedBounds.newsPeers);
    for (let ms = 0; ms < seconds * 1_000; ms += 100) await world.advance(100);
    for (const peer of all.keys()) {
      const count = sent.filter((each) => each.peer === peer).length;
      expect(count).to.be.within(seconds - 1, seconds + 1);
    }
  });

  it('is sent to many peers as often in all, at times that are spread, and each gets it', async () => {
    const { world, sent, all } = exchanges(20);
    const turns = 20 / feedBounds.newsPeers;
    // They start at one time.
    await world.advance(10_000);
    const begun = world.monotonic();
    sent.length = 0;
    for (let ms = 0; ms < seconds * 1_000; ms += 100) await world.advance(100);
    expect(sent.length).to.be.within(0.8 * seconds * feedBounds.newsPeers, 1.2 * seconds * feedBounds.newsPeers);
    const busy = new Set(sent.map(({ at }) => Math.floor((at - begun) / 1_000)));
    expect(busy.size, 'seconds with a message').to.be.at.least(0.9 * seconds);
    for (const peer of all.keys()) {
      const times = [begun, ...sent.filter((each) => each.peer === peer).map(({ at }) => at)];
      for (const [index, at] of times.slice(1).entries()) {
        expect(at - times[index]!).to.be.at.most(1.5 * turns * feedBounds.newsMs + 100);
      }
    }
  });

  it('is sent at once to each of many peers if it is urgent', async () => {
    const { world, sent, all } = exchanges(20);
    await world.advance(10_000);
    sent.length = 0;
    for (const each of all) each.wake();
    await world.advance(feedBounds.gatherMs);
    expect(new Set(sent.map(({ peer }) => peer)).size).to.equal(20);
  });
});
