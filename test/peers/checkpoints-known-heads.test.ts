/** The newest checkpoint of each home: what is accepted from peers, at which cost, and how a fork is proven. */
import { expect } from 'chai';
import fc from 'fast-check';
import { bounds } from '../../src/core/bounds.js';
import { signatureText } from '../../src/core/codecs/signature-check.js';
import { signCheckpoint, violationOfEquivocation } from '../../src/peers/checkpoint.js';
import { FakeWorld, flush } from '../world/fake-world.js';
import { signer } from '../world/people.js';
import { network, PaperHome, type PaperJournal, paperFollower, Records, sendNews } from './support/paper.js';

const stranger = signer('stranger');

function setUp() {
  const world = new FakeWorld();
  const home = new PaperHome('home', world);
  home.journal.grow(20, 'a');
  return { world, home };
}

describe('Known heads', () => {
  it('keep the newest checkpoint of a followed home, and the one up to which it is followed', async () => {
    const { world, home } = setUp();
    const one = await paperFollower('one', world, { follows: [home.did] });
    await one.follow(home, 7);
    expect(one.heads.receive(home.checkpoint(20), 'peer')).to.equal('news');
    await flush();
    expect(one.heads.newest(home.did)?.seq).to.equal(20);
    expect(one.chains.get(home.did)?.checkpoint?.seq).to.equal(7);
    await one.follow(home, 20);
    expect(one.chains.get(home.did)?.checkpoint?.seq).to.equal(20);
    expect(one.heads.mayFollow(home.did)).to.equal(true);
  });

  it('follow the home’s clock while nothing happens, without a write', async () => {
    const { world, home } = setUp();
    const one = await paperFollower('one', world, { follows: [home.did] });
    await one.follow(home, 20);
    const before = one.records.writes;
    expect(before).to.equal(1);
    world.setWall(1_000);
    one.heads.receive(home.checkpoint(), home.did);
    await flush();
    expect(one.heads.newest(home.did)?.time).to.equal(world.now());
    expect(one.records.writes).to.equal(before);
  });

  it('take nothing that is forged, replayed, of another network, from the future, or malformed', async () => {
    const { world, home } = setUp();
    const one = await paperFollower('one', world, { follows: [home.did] });
    await one.follow(home, 7);
    const before = home.checkpoint(7);
    world.setWall(5_000);
    one.heads.receive(home.checkpoint(7), home.did);
    const newest = one.heads.newest(home.did);
    expect(newest?.time).to.equal(world.now());
    const good = home.checkpoint(20);
    const forged = { ...good, sig: signer('mallory').sign('something else') };
    const malleated = { ...good, sig: signatureText(new Uint8Array(64).fill(255)) };
    const late = signCheckpoint(home.signer, good, { network, time: world.now() + bounds.clockSkewMs + 1 });
    const elsewhere = signCheckpoint(home.signer, good, { network: 'testnet', time: world.now() });
    expect(one.heads.receive(before, 'peer'), 'replayed').to.equal('known');
    expect(one.heads.receive(forged, 'peer')).to.equal('forged');
    expect(one.heads.receive(malleated, 'peer')).to.equal('forged');
    expect(one.heads.receive({ ...good, seq: 21 }, 'peer')).to.equal('forged');
    expect(one.heads.receive(elsewhere, 'peer')).to.equal('not ours');
    expect(one.heads.receive(late, 'peer')).to.equal('from the future');
    for (const value of [null, 7, {}, { ...good, more: 1 }, { ...good, seq: 0.5 }]) {
      expect(one.heads.receive(value, 'peer')).to.equal('malformed');
    }
    await flush();
    expect(one.heads.newest(home.did)).to.deep.equal(newest);
    expect(one.heads.counts.get('forged')).to.equal(3);
    expect(one.equivocations.all()).to.deep.equal([]);
  });

  it('keep nothing of homes that are not followed, however many there are, and count them', async () => {
    const { world, home } = setUp();
    const one = await paperFollower('one', world, { follows: [home.did] });
    await one.follow(home, 7);
    for (let i = 0; i < 50; i++) {
      const unknown = new PaperHome(`unknown ${i}`, world);
      expect(one.heads.receive(unknown.checkpoint(), 'peer')).to.equal('not ours');
      expect(one.heads.newest(unknown.did)).to.equal(undefined);
    }
    expect(one.heads.counts.get('not ours')).to.equal(50);
  });

  it('read and check only so many a second of one peer, and still those of others', async () => {
    const { world, home } = setUp();
    const one = await paperFollower('one', world, { follows: [home.did] });
    await one.follow(home, 7);
    const signed = home.checkpoint();
    const forged = Array.from({ length: 10_000 }, (_, i) => ({ ...signed, seq: 21 + i }));
    const old = [1, 2, 3, 4, 5, 6].map((seq) => ({ ...home.checkpoint(seq), sig: signed.sig }));
    const ended = new Map<string, number>();
    for (const each of forged) {
      const heard = one.heads.receive(each, 'mallory');
      ended.set(heard, (ended.get(heard) ?? 0) + 1);
    }
    expect(Object.fromEntries(ended)).to.deep.equal({
      forged: bounds.checkpointChecksPerSecond,
      'too many': 10_000 - bounds.checkpointChecksPerSecond,
    });
    // Old checkpoints that agree with what was followed are known, whatever their signature.
    for (const each of old) expect(one.heads.receive(each, 'other')).to.equal('known');
    expect(one.heads.receive(home.checkpoint(20), 'honest')).to.equal('news');
    await world.advance(1_000);
    expect(one.heads.receive({ ...forged[0]!, seq: 99 }, 'mallory')).to.equal('forged');
  });

  it('cost little: what is over the share is not even parsed', async () => {
    const { world, home } = setUp();
    const one = await paperFollower('one', world, { follows: [home.did] });
    const poison = new Proxy(home.checkpoint(), {
      ownKeys: () => expect.fail('parsed'),
    });
    for (let i = 0; i < bounds.checkpointsPerSecond; i++) one.heads.receive(null, 'mallory');
    expect(one.heads.receive(poison, 'mallory')).to.equal('too many');
  });

  it('are not kept from a fork by a forged checkpoint that came before the signed one', async () => {
    const { world, home } = setUp();
    const one = await paperFollower('one', world, { follows: [home.did] });
    await one.follow(home, 12);
    const other = home.fork(3);
    other.grow(10, 'b');
    const real = home.checkpoint(9, other);
    one.heads.receive({ ...real, sig: home.checkpoint(2).sig }, 'mallory');
    expect(one.heads.receive(real, 'peer')).to.equal('news');
    await flush();
    expect(one.heads.mayFollow(home.did)).to.equal(false);
  });

  it('behind a restart know up to where the home was followed', async () => {
    const { world, home } = setUp();
    const one = await paperFollower('one', world, { follows: [home.did] });
    await one.follow(home, 7);
    const again = await paperFollower('one', world, { follows: [home.did], records: one.records });
    expect(again.chains.get(home.did)?.head).to.deep.equal(one.chains.get(home.did)?.head);
    expect(again.heads.newest(home.did)?.seq).to.equal(7);
    // A home that has lost its newest entries learns of them from a peer that has them.
    again.heads.news.resend(home.did);
    expect(again.heads.news.for(home.did)?.message.checkpoints.map(({ seq }) => seq)).to.deep.equal([7]);
  });
});

describe('A home that forks', () => {
  it('is proven by the second checkpoint, at both sides with the next exchange', async () => {
    const { world, home } = setUp();
    const other = home.fork(5);
    other.grow(9, 'b');
    const one = await paperFollower('one', world, { follows: [home.did] });
    const two = await paperFollower('two', world, { follows: [home.did] });
    await one.follow(home, 8);
    await one.follow(home, 12);
    await two.follow(home, 6, other);
    await two.follow(home, 10, other);
    // One more exchange, and one more for the proof that one of them finds in it.
    for (let round = 0; round < 2; round++) {
      sendNews(one, two);
      sendNews(two, one);
      await flush(20);
    }
    for (const each of [one, two]) {
      expect(each.heads.mayFollow(home.did), each.did).to.equal(false);
      const { proof } = each.equivocations.of(home.did)!;
      expect(violationOfEquivocation(proof)).to.equal(undefined);
    }
  });

  it('is proven by two checkpoints that are both ahead of what was followed', async () => {
    const { world, home } = setUp();
    const other = home.fork(5);
    other.grow(9, 'b');
    const one = await paperFollower('one', world, { follows: [home.did] });
    one.heads.receive(home.checkpoint(12), 'two');
    one.heads.receive(home.checkpoint(12, other), 'three');
    expect(one.heads.mayFollow(home.did)).to.equal(false);
  });

  it('is proven although the longer journal is known when the shorter one is followed', async () => {
    const { world, home } = setUp();
    const other = home.fork(5);
    other.grow(9, 'b');
    const one = await paperFollower('one', world, { follows: [home.did] });
    const two = await paperFollower('two', world, { follows: [home.did] });
    await two.follow(home, 12, other);
    await one.follow(home, 4);
    sendNews(two, one);
    await one.follow(home, 9);
    await flush(20);
    sendNews(one, two);
    await flush(20);
    expect(two.heads.mayFollow(home.did)).to.equal(false);
  });

  it('is proven by what was followed before a restart, after the longer journal was heard of', async () => {
    const { world, home } = setUp();
    const other = home.fork(5);
    other.grow(9, 'b');
    const before = await paperFollower('one', world, { follows: [home.did] });
    await before.follow(home, 9);
    const one = await paperFollower('one', world, { follows: [home.did], records: before.records });
    const two = await paperFollower('two', world, { follows: [home.did] });
    await two.follow(home, 12, other);
    sendNews(two, one);
    sendNews(one, two);
    await flush(20);
    expect(two.heads.mayFollow(home.did)).to.equal(false);
  });

  it('can’t hide the checkpoint of an entry by a forged one of the same entry', async () => {
    const { world, home } = setUp();
    const other = home.fork(5);
    other.grow(20, 'b');
    const one = await paperFollower('one', world, { follows: [home.did] });
    await one.follow(home, 4);
    one.heads.receive(home.checkpoint(20), 'two');
    const signed = home.checkpoint(12, other);
    one.heads.receive({ ...signed, sig: home.checkpoint(2).sig }, 'mallory');
    one.heads.receive(signed, 'three');
    await one.follow(home, 14);
    expect(one.heads.mayFollow(home.did)).to.equal(false);
  });

  it('is not proven by an entry that is too old to be remembered, but by a peer that is behind', async () => {
    const { world, home } = setUp();
    home.journal.grow(bounds.equivocationLinks, 'a');
    const other = home.fork(5);
    other.grow(bounds.equivocationLinks + 20, 'b');
    const one = await paperFollower('one', world, { follows: [home.did] });
    const two = await paperFollower('two', world, { follows: [home.did] });
    await one.follow(home, bounds.equivocationLinks + 10);
    await two.follow(home, 8, other);
    sendNews(two, one);
    sendNews(one, two);
    await flush(20);
    expect(one.heads.mayFollow(home.did)).to.equal(true);
    expect(two.heads.newest(home.did)?.seq, 'it is known to be behind').to.equal(bounds.equivocationLinks + 10);
    await two.follow(home, bounds.equivocationLinks + 12, other);
    expect(two.heads.mayFollow(home.did)).to.equal(false);
  });

  it('is proven wherever it forks, by any two followers that saw different journals', async () => {
    const seqs = fc.uniqueArray(fc.integer({ min: 1, max: 2_000 }), { minLength: 1, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1_900 }), seqs, seqs, async (at, seen, otherSeen) => {
        const world = new FakeWorld();
        const home = new PaperHome('home', world);
        home.journal.grow(2_000, 'a');
        const other = home.fork(at);
        other.grow(2_000 - at, 'b');
        const one = await paperFollower('one', world, { follows: [home.did] });
        const two = await paperFollower('two', world, { follows: [home.did] });
        const read = async (who: typeof one, journal: PaperJournal, steps: readonly number[]) => {
          for (const step of [...steps].sort((a, b) => a - b)) await who.follow(home, step, journal);
        };
        await read(one, home.journal, seen);
        await read(two, other, otherSeen);
        for (let round = 0; round < 2; round++) {
          sendNews(one, two);
          sendNews(two, one);
          await flush(20);
        }
        const parted = Math.min(Math.max(...seen), Math.max(...otherSeen)) > at;
        for (const who of [one, two]) {
          expect(who.heads.mayFollow(home.did)).to.equal(!parted);
          const found = who.equivocations.of(home.did);
          expect(found !== undefined).to.equal(parted);
          if (found) expect(violationOfEquivocation(found.proof)).to.equal(undefined);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is followed again once the operator has accepted a journal, until it signs another one anew', async () => {
    const { world, home } = setUp();
    const other = home.fork(5);
    other.grow(30, 'b');
    const one = await paperFollower('one', world, { follows: [home.did] });
    await one.follow(home, 8);
    const stale = home.checkpoint(7, other);
    one.heads.receive(stale, 'two');
    await flush();
    expect(one.heads.mayFollow(home.did)).to.equal(false);
    expect(await one.equivocations.accept(home.did, 'f'.repeat(64))).to.have.property('code', 'INVALID_REQUEST');
    expect(await one.equivocations.accept(stranger.did, stale.chainHash)).to.have.property('code', 'NOT_FOUND');
    await one.equivocations.accept(home.did, home.journal.at(7).chainHash);
    expect(one.heads.mayFollow(home.did)).to.equal(true);
    await world.advance(1_000);
    await one.follow(home, 15);
    // Checkpoints and proofs signed before the decision have no effect, alone or together.
    const { proof } = one.equivocations.of(home.did)!;
    one.heads.receive(home.checkpoint(14), 'three');
    one.heads.receive(stale, 'three');
    one.heads.receiveProof(proof, 'three');
    await flush();
    expect(one.heads.mayFollow(home.did)).to.equal(true);
    one.heads.receive(home.checkpoint(9, other), 'two');
    await flush();
    expect(one.heads.mayFollow(home.did)).to.equal(false);
  });
});

describe('A home that forks, and a peer that sends two checkpoints of it at once', () => {
  it('is proven by what that peer follows, although it sends the newest of the other journal after it', async () => {
    const { world, home } = setUp();
    const other = home.fork(5);
    other.grow(30, 'b');
    const one = await paperFollower('one', world, { follows: [home.did] });
    await one.follow(home, 12);
    one.heads.receive(home.checkpoint(9, other), 'two');
    one.heads.receive(home.checkpoint(20), 'two');
    await flush(10);
    expect(one.heads.mayFollow(home.did)).to.equal(false);
  });
});

describe('A proof of equivocation that a peer shows', () => {
  async function shown() {
    const { world, home } = setUp();
    const other = home.fork(5);
    other.grow(9, 'b');
    const one = await paperFollower('one', world, { follows: [home.did] });
    await one.follow(home, 8);
    await one.follow(home, 12);
    one.heads.receive(home.checkpoint(9, other), 'two');
    await flush();
    const { proof } = one.equivocations.of(home.did)!;
    return { world, home, one, proof };
  }

  it('bans the home also where nothing of it was read', async () => {
    const { world, home, proof } = await shown();
    const three = await paperFollower('three', world, { follows: [home.did] });
    expect(proof.links?.entryHashes).to.have.length(3);
    expect(three.heads.receiveProof(JSON.parse(JSON.stringify(proof)), 'one')).to.equal('news');
    expect(three.heads.mayFollow(home.did)).to.equal(false);
    expect(three.heads.receiveProof(proof, 'four')).to.equal('known');
    expect(three.heads.news.for('five')?.message.equivocations).to.deep.equal([proof]);
  });

  it('is refused when any part of it is changed', async () => {
    const { world, home, proof } = await shown();
    const three = await paperFollower('three', world, { follows: [home.did] });
    const { first, second, links } = proof;
    const hashes = links!.entryHashes;
    const flawed = [
      { first, second },
      { first: second, second: first, links },
      { first, second, links: { ...links!, chainHash: first.chainHash } },
      { first, second, links: { ...links!, chainHash: second.chainHash } },
      { first, second, links: { ...links!, entryHashes: hashes.slice(1) } },
      { first, second, links: { ...links!, entryHashes: [...hashes].reverse() } },
      { first: { ...first, time: 1 }, second, links },
      { first, second: { ...second, time: 1 }, links },
      { first: { ...first, chainHash: 'f'.repeat(64) }, second, links },
    ];
    for (const each of flawed) {
      await world.advance(1_000);
      expect(three.heads.receiveProof(each, 'mallory'), JSON.stringify(each)).to.equal('forged');
    }
    const long = { ...links!, entryHashes: new Array(bounds.equivocationLinks + 1).fill(hashes[0]) };
    await world.advance(1_000);
    expect(three.heads.receiveProof({ first, second, links: long }, 'mallory')).to.equal('malformed');
    expect(three.heads.mayFollow(home.did)).to.equal(true);
  });

  it('can’t be made of two checkpoints of one journal', async () => {
    const { home } = setUp();
    const entries = await home.journal.entries({ after: 5, limit: 4 });
    const links = { chainHash: home.journal.at(5).chainHash, entryHashes: entries.map(({ entryHash }) => entryHash) };
    const proof = { first: home.checkpoint(5), second: home.checkpoint(9), links };
    expect(violationOfEquivocation(proof)).to.equal('the two checkpoints agree');
  });

  it('is checked only so often a second for one peer', async () => {
    const { world, home, proof } = await shown();
    const three = await paperFollower('three', world, { follows: [home.did] });
    const flawed = { ...proof, first: { ...proof.first, time: 1 } };
    const heard = Array.from({ length: 10 }, () => three.heads.receiveProof(flawed, 'mallory'));
    expect(heard.filter((each) => each === 'forged')).to.have.length(bounds.equivocationsPerSecond);
    expect(three.heads.receiveProof(proof, 'honest')).to.equal('news');
  });

  it('survives a restart', async () => {
    const { world, home, one } = await shown();
    await world.advance(10);
    expect(one.equivocations.isSaved(home.did)).to.equal(true);
    const again = await paperFollower('one', world, { follows: [home.did], records: one.records });
    expect(again.heads.mayFollow(home.did)).to.equal(false);
    expect(again.equivocations.of(home.did)).to.deep.equal(one.equivocations.of(home.did));
    expect(again.heads.news.for('peer')?.message.equivocations).to.have.length(1);
  });

  it('bans the home while the disk is full, and is kept once there is room', async () => {
    const { world, home, proof } = await shown();
    const records = new Records();
    records.isFull = true;
    const three = await paperFollower('three', world, { follows: [home.did], records });
    three.heads.receiveProof(proof, 'one');
    await world.advance(20_000);
    expect(three.heads.mayFollow(home.did)).to.equal(false);
    expect(three.equivocations.isSaved(home.did)).to.equal(false);
    // A failed write would end the node.
    expect(records.attempts).to.equal(0);
    records.isFull = false;
    await world.advance(10_000);
    expect(three.equivocations.isSaved(home.did)).to.equal(true);
  });
});

describe('A checkpoint of our own home', () => {
  it('that another process has signed is reported: ahead of our journal, or of another one', async () => {
    const { world } = setUp();
    const me = new PaperHome('me', world);
    const one = await paperFollower('me', world, { follows: [] });
    me.journal.grow(9, 'a');
    one.journal.copy(me.journal, 5);
    one.heads.signed(me.checkpoint(5));
    one.heads.receive(me.checkpoint(3), 'two');
    one.heads.receive(me.checkpoint(5), 'two');
    await flush();
    expect(one.conflicts).to.deep.equal([]);
    one.heads.receive(me.checkpoint(7), 'two');
    await flush();
    const other = me.fork(2);
    other.grow(2, 'b');
    one.heads.receive({ ...me.checkpoint(4, other), time: 1 }, 'mallory');
    one.heads.receive(me.checkpoint(4, other), 'three');
    await flush();
    expect(one.conflicts.map(({ what, from }) => [what, from])).to.deep.equal([
      ['ahead', 'two'],
      ['fork', 'three'],
    ]);
  });
});
