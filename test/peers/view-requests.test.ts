/** What a node sends to another home is less than what that home takes from a peer (docs/reference/limits.md). */
import { setMaxListeners } from 'node:events';
import { expect } from 'chai';
import { actBounds, peerBounds, viewBounds } from '../../src/core/bounds.js';
import { isRefusal } from '../../src/core/refusal.js';
import type { SentFor } from '../../src/peers/views/foreign-views.js';
import { type HomeLink, ViewRequests } from '../../src/peers/views/view-requests.js';
import { FakeWorld } from '../world/fake-world.js';

describe('Acts that are sent to a home', () => {
  const sentIn = async (seconds: number, size: number) => {
    const world = new FakeWorld();
    let [requests, bytes] = [0, 0];
    const link = {
      connection: {
        did: 'did:svc:z6Mk',
        async request(_: string, __: string, { body }: { body: string }) {
          requests += 1;
          bytes += body.length;
          return { status: 200, body: '{"status":200,"body":{}}' };
        },
      },
    } as unknown as HomeLink;
    const views = new ViewRequests(world, actBounds);
    const ended = new AbortController();
    setMaxListeners(0, ended.signal);
    const one = () => views.ask(link, '/events', AbortSignal.any([ended.signal]), { body: { text: 'x'.repeat(size) } });
    // As many as a program could ask for.
    const writer = async () => {
      while (!ended.signal.aborted) await one();
    };
    const writers = Array.from({ length: 20 }, writer);
    for (let ms = 0; ms < seconds * 1_000; ms += 50) await world.advance(50);
    ended.abort();
    await world.advance(actBounds.timeMs);
    await Promise.all(writers);
    return { requests, bytes };
  };

  it('are, with views, fewer than a peer may send', async () => {
    const { requests } = await sentIn(20, 10);
    expect(requests).to.be.within(20 * actBounds.perSecond, actBounds.burst + 21 * actBounds.perSecond);
    expect(actBounds.burst + viewBounds.burst).to.be.below(peerBounds.requestBurst);
    expect(actBounds.perSecond + viewBounds.perSecond).to.be.below(peerBounds.requestsPerSecond);
  });

  it('have fewer bytes than a peer may send', async () => {
    const { bytes } = await sentIn(20, 300_000);
    expect(bytes).to.be.within(5 * 300_000, actBounds.bytesBurst + 21 * actBounds.bytesPerSecond);
    // Of a view, its path and who reads.
    const viewBytes = viewBounds.pathLength + 1_024;
    expect(actBounds.bytesBurst + viewBounds.burst * viewBytes).to.be.below(peerBounds.bodyBytesBurst);
    expect(actBounds.bytesPerSecond + viewBounds.perSecond * viewBytes).to.be.below(peerBounds.bodyBytesPerSecond);
    expect(actBounds.requestBytes).to.be.below(actBounds.bytesBurst);
  });
});

it('Views of a home are refused beyond what one second allows, however fast it answers', async () => {
  const world = new FakeWorld();
  const connection = { did: 'did:svc:z6Mk', request: async () => ({ status: 200, body: '{"status":200,"body":{}}' }) };
  const views = new ViewRequests(world, viewBounds);
  const link = { connection } as unknown as HomeLink;
  const refusedOf = async (count: number, sent?: SentFor): Promise<number> => {
    let refused = 0;
    for (let asked = 0; asked < count; asked += 1) {
      const answer = await views.ask(link, '/node', new AbortController().signal, sent);
      if (isRefusal(answer)) refused += 1;
    }
    return refused;
  };
  expect(await refusedOf(viewBounds.burst + 3)).to.equal(3);
  await world.advance(1_000);
  expect(await refusedOf(viewBounds.perSecond + 3)).to.equal(3);
  await world.advance(1_000);
  // So are those for a reader: they wait for nothing, so that acts need not wait for them.
  expect(await refusedOf(viewBounds.perSecond + 3, { reader: 'v1.x.y', isView: true })).to.equal(3);
});
