/** Checkpoints are on disk before the entries that they cover, so that no crash of a follower leaves an entry without proof. */
import { expect } from 'chai';
import { violationOfEquivocation } from '../../src/peers/checkpoint.js';
import { Covers, type NextCover } from '../../src/peers/covers.js';
import { FakeWorld } from '../world/fake-world.js';
import { PaperHome, PaperJournal } from './support/paper.js';

describe('the covers of a replica', () => {
  const grown = (): { home: PaperHome; replica: PaperJournal } => {
    const home = new PaperHome('node', new FakeWorld());
    home.journal.grow(600, 'first');
    const replica = new PaperJournal();
    return { home, replica };
  };
  const nextOf = async (home: PaperHome, from: number, to: number): Promise<NextCover> => ({
    checkpoint: home.checkpoint(to),
    after: home.journal.at(from),
    entryHashes: (await home.journal.entries({ after: from, limit: to - from })).map(({ entryHash }) => entryHash),
  });
  const batch = async (covers: Covers, home: PaperHome, replica: PaperJournal, to: number): Promise<void> => {
    await (await covers.expect(await nextOf(home, replica.end.seq, to)))();
    replica.copy(home.journal, to);
  };
  const forkAt = (home: PaperHome, seq: number, length: number): PaperJournal => {
    const fork = home.fork(seq);
    fork.grow(length, 'second');
    return fork;
  };

  it('count once their entries are here, with one write each', async () => {
    const { home, replica } = grown();
    const covers = await Covers.open(replica);
    await batch(covers, home, replica, 10);
    await covers.keep(home.checkpoint(10));
    await batch(covers, home, replica, 600);
    await covers.keep(home.checkpoint(600));
    expect(replica.writes).to.equal(2);
    expect((await Covers.open(replica)).newest?.seq).to.equal(600);
    expect((await covers.atOrAfter(3))?.seq).to.equal(10);
    expect((await covers.atOrAfter(11))?.seq).to.equal(600);
  });

  it('count after a death behind the entries, and not after one before them', async () => {
    const { home, replica } = grown();
    const covers = await Covers.open(replica);
    await batch(covers, home, replica, 10);
    await (await covers.expect(await nextOf(home, 10, 20)))();
    const before = await Covers.open(replica);
    expect([before.newest?.seq, await before.torn()]).to.deep.equal([10, undefined]);
    replica.copy(home.journal, 20);
    const behind = await Covers.open(replica);
    expect([behind.newest?.seq, await behind.torn()]).to.deep.equal([20, undefined]);
  });

  it('prove a second journal, also by a batch of which a part is here', async () => {
    const { home, replica } = grown();
    const covers = await Covers.open(replica);
    await batch(covers, home, replica, 10);
    await (await covers.expect(await nextOf(home, 10, 530)))();
    replica.copy(home.journal, 15);
    const opened = await Covers.open(replica);
    expect([opened.newest?.seq, (await opened.torn())?.seq]).to.deep.equal([10, 530]);
    for (const [seq, second] of [
      [8, 10],
      [13, 530],
    ] as const) {
      const proof = await opened.proofAgainst(home.checkpoint(seq, forkAt(home, 5, 20)));
      expect(proof?.second.seq).to.equal(second);
      expect(violationOfEquivocation(proof!)).to.equal(undefined);
    }
  });

  it('of entries that came never give way to those that came', async () => {
    const { home, replica } = grown();
    const covers = await Covers.open(replica);
    await batch(covers, home, replica, 10);
    await (await covers.expect(await nextOf(home, 10, 20)))();
    await (await covers.expect(await nextOf(home, 10, 30)))();
    expect((await Covers.open(replica)).newest?.seq).to.equal(10);
    replica.copy(home.journal, 12);
    await (await covers.expect(await nextOf(home, 12, 14)))();
    await covers.keep(home.checkpoint(12));
    replica.copy(home.journal, 14);
    expect((await Covers.open(replica)).newest?.seq).to.equal(14);
  });

  it('are passed to the store before entries are: a full disk refuses them', async () => {
    const { home, replica } = grown();
    const covers = await Covers.open(replica);
    replica.isFull = true;
    const write = await covers.expect(await nextOf(home, 0, 10));
    const writing = write();
    expect(replica.attempts, 'before it waits').to.equal(1);
    const failure = await writing.catch((error) => error);
    expect(failure).to.have.property('name', 'StoreFault');
    replica.isFull = false;
    await batch(covers, home, replica, 10);
    expect((await Covers.open(replica)).newest?.seq).to.equal(10);
  });
});
