/** What is sent to each peer, and what a home does that receives a proof against itself. */
import { expect } from 'chai';
import { bounds, feedBounds } from '../../src/core/bounds.js';
import { proofOfEquivocation } from '../../src/peers/checkpoint.js';
import { type PeerServiceOptions, peerService } from '../../src/peers/peering/peer-requests.js';
import type { PeerReply, PeerRequest } from '../../src/peers/transport/transport.js';
import { FakeWorld, flush } from '../world/fake-world.js';
import { PaperHome, paperFollower, Records, sendNews } from './support/paper.js';

function setUp() {
  const world = new FakeWorld();
  const home = new PaperHome('home', world);
  home.journal.grow(20, 'a');
  return { world, home };
}

describe('What a peer is sent', () => {
  it('is each piece of news once, not to whom it came from, and the oldest first', async () => {
    const { world, home } = setUp();
    const one = await paperFollower('one', world, { follows: [home.did] });
    await one.follow(home, 7);
    expect(one.heads.news.for(home.did)).to.equal(undefined);
    const first = one.heads.news.for('two')!;
    expect(first.message.checkpoints).to.deep.equal([one.heads.newest(home.did)]);
    expect(one.heads.news.for('two')?.message, 'until it was delivered').to.deep.equal(first.message);
    first.delivered();
    expect(one.heads.news.for('two')).to.equal(undefined);
    one.heads.dropPeer('two');
    expect(one.heads.news.for('two')?.message.checkpoints).to.have.length(1);
  });

  it('is in several messages what one does not take', async () => {
    const world = new FakeWorld();
    const homes = Array.from({ length: bounds.newsItems + 20 }, (_, i) => new PaperHome(`home ${i}`, world));
    const one = await paperFollower('one', world, { follows: homes.map(({ did }) => did) });
    for (const [i, home] of homes.entries()) {
      home.journal.grow(1, 'a');
      one.heads.receive(home.checkpoint(), `peer ${Math.floor(i / 90)}`);
    }
    const sent: string[] = [];
    for (let news = one.heads.news.for('two'); news; news = one.heads.news.for('two')) {
      expect(news.message.checkpoints.length).to.be.at.most(bounds.newsItems);
      sent.push(...news.message.checkpoints.map(({ home }) => home));
      news.delivered();
    }
    expect(sent).to.deep.equal(homes.map(({ did }) => did));
  });

  it('is of several proofs as many at a time as one verifies', async () => {
    const world = new FakeWorld();
    const homes = Array.from({ length: 7 }, (_, i) => new PaperHome(`home ${i}`, world));
    const follows = homes.map(({ did }) => did);
    const one = await paperFollower('one', world, { follows });
    const two = await paperFollower('two', world, { follows });
    for (const home of homes) {
      home.journal.grow(5, 'a');
      const other = home.fork(2);
      other.grow(3, 'b');
      one.equivocations.take(proofOfEquivocation(home.checkpoint(5), home.checkpoint(5, other)), one.did);
    }
    // Something urgent is sent once between two messages.
    for (let sent = 0; one.heads.news.for(two.did); sent++) {
      sendNews(one, two);
      await world.advance(sent === 0 ? feedBounds.gatherMs : feedBounds.newsMs);
    }
    expect(two.heads.counts.get('too many')).to.equal(undefined);
    for (const { did } of homes) expect(two.heads.mayFollow(did)).to.equal(false);
  });

  it('is sent again to one that asks for its own head, also what it has shown itself', async () => {
    const { world, home } = setUp();
    const one = await paperFollower('one', world, { follows: [home.did] });
    await one.follow(home, 7);
    expect(one.heads.news.for(home.did)).to.equal(undefined);
    const service = peerService({
      heads: one.heads,
      followed: () => undefined,
      now: () => 0,
    } as unknown as PeerServiceOptions);
    const asked = { did: home.did, method: 'GET', path: '/head', query: new URLSearchParams() };
    await service.handle(asked as PeerRequest, { send: async () => true } as unknown as PeerReply);
    expect(one.heads.news.for(home.did)?.message.checkpoints).to.deep.equal([one.heads.newest(home.did)]);
  });

  it('is not sent by a message that was on its way to its last life', async () => {
    const { world, home } = setUp();
    const one = await paperFollower('one', world, { follows: [home.did] });
    await one.follow(home, 7);
    const late = one.heads.news.for('two')!;
    one.heads.news.resend('two');
    late.delivered();
    expect(one.heads.news.for('two')?.message).to.deep.equal(late.message);
  });
});

describe('A proof of equivocation against our own home', () => {
  async function accused() {
    const world = new FakeWorld();
    const me = new PaperHome('me', world);
    me.journal.grow(9, 'a');
    const other = me.fork(5);
    other.grow(9, 'b');
    const records = new Records();
    const open = async () => {
      const opened = await paperFollower('me', world, { follows: [], records });
      opened.journal.copy(me.journal, 9);
      return opened;
    };
    const proof = proofOfEquivocation(me.checkpoint(9), me.checkpoint(9, other));
    return { world, me, other, open, proof };
  }

  it('comes from the peer that has found it in what this home has shown', async () => {
    const { world, me, other } = await accused();
    const two = await paperFollower('two', world, { follows: [me.did] });
    two.heads.receive(me.checkpoint(9), me.did);
    two.heads.receive(me.checkpoint(9, other), me.did);
    expect(two.heads.news.for(me.did)?.message.equivocations).to.have.length(1);
  });

  it('stops it, also after a restart in which no peer is in reach', async () => {
    const { world, open, proof } = await accused();
    const one = await open();
    one.heads.receiveProof(proof, 'two');
    expect(one.conflicts.map(({ what, from }) => [what, from])).to.deep.equal([['fork', 'two']]);
    await world.advance(10);
    const again = await open();
    expect(again.conflicts).to.deep.equal(one.conflicts);
  });

  it('changes nothing any more once the operator has decided, until another journal is signed', async () => {
    const { world, me, other, open, proof } = await accused();
    const one = await open();
    one.heads.receiveProof(proof, 'two');
    await one.equivocations.accept(me.did, me.journal.at(9).chainHash);
    await world.advance(1_000);
    const again = await open();
    again.heads.receiveProof(proof, 'two');
    again.heads.receive(proof.second, 'two');
    await flush(10);
    expect(again.conflicts).to.deep.equal([]);
    again.heads.receive(me.checkpoint(8, other), 'two');
    await flush(10);
    expect(again.conflicts.map(({ what }) => what)).to.deep.equal(['fork']);
  });
});
