/** False entries whose hashes and signatures are right: each is refused, and does not affect other feeds. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { publicKeyHexOf } from '../../../src/core/codecs/did.js';
import { type Adoption, type FeedEntry, Replica } from '../../../src/peers/replica/replica.js';
import { SqliteReplicas } from '../../../src/store/sqlite/replicas.js';
import { MemoryReplicas } from '../../doubles/memory-replicas.js';
import { wholeLife } from '../../histories/whole-life.js';
import { Bench, network } from '../../world/bench.js';
import { didOf, signer } from '../../world/people.js';
import { followedBy, openFeed, strangersFeed } from './feed.js';
import { lies, signedAnew } from './lies.js';
import { refusesAll } from './refuses-all.js';

const home = didOf('node');

describe('a false entry of a home', () => {
  let bench: Bench;
  let other: Bench;
  const feeds: { open: FeedEntry[]; strangers: FeedEntry[] } = { open: [], strangers: [] };

  before(async () => {
    bench = await wholeLife();
    other = await Bench.open({ node: 'dishonest' }, { ada: 500 });
    feeds.open = openFeed(bench);
    feeds.strangers = strangersFeed(bench);
  });

  const openReplica = async (replicas: MemoryReplicas, of: string): Promise<Replica> =>
    Replica.open({ store: await replicas.open(of, 'write'), home: of, network, catalogue: bench.catalogue });

  for (const [name, { says, cause = 'violation', at, tell, toStrangers }] of Object.entries(lies)) {
    it(`is refused: ${name}`, async () => {
      const feed = toStrangers ? feeds.strangers : feeds.open;
      const index = feed.findIndex((fed) => fed.entry.seq > 3 && at(fed.entry.core, fed));
      expect(index, 'such an entry').to.be.above(0);
      const honest = feed[index]!;
      const lie = tell(honest);
      expect(lie, 'a lie').to.not.deep.equal(honest);
      const replicas = new MemoryReplicas();
      const replica = await openReplica(replicas, home);
      const withLie = [...feed.slice(0, index), ...followedBy(lie, feed.slice(index + 1, index + 20))];
      const adoption: Adoption = await replica.adopt(withLie);
      expect(adoption).to.deep.equal({
        adopted: index,
        stop: { seq: index + 1, what: adoption.stop?.what, cause, evidence: withLie[index] },
      });
      expect(adoption.stop!.what).to.match(says);
      expect(await (await replicas.open(home, 'read')).head()).to.deep.equal({
        seq: index,
        chainHash: feed[index - 1]!.entry.chainHash,
      });
      // Other feeds are not affected, and the correct continuation is adopted as if nothing had happened.
      const others = await openReplica(replicas, didOf('dishonest'));
      expect((await others.adopt(openFeed(other))).stop).to.equal(undefined);
      expect(await replica.adopt(feed.slice(index))).to.deep.equal({ adopted: feed.length - index });
    });
  }

  it('is refused: the journal of another home', async () => {
    const replica = await openReplica(new MemoryReplicas(), didOf('dishonest'));
    const { adopted, stop } = await replica.adopt(feeds.open);
    expect(adopted).to.equal(0);
    expect(stop).to.include({ seq: 1, cause: 'violation' });
    expect(stop!.what).to.match(/signed for .*, and the home of this journal is/);
  });

  it('is refused: a journal that begins in the name of another home', async () => {
    const honest = feeds.open[0]!;
    const foreign = signer('dishonest');
    const event = { issuer: foreign.did, pub: publicKeyHexOf(foreign.did), home };
    const replica = await openReplica(new MemoryReplicas(), home);
    const { adopted, stop } = await replica.adopt([signedAnew(honest, { event })]);
    expect(adopted).to.equal(0);
    expect(stop).to.include({ seq: 1, cause: 'violation' });
  });

  it('is refused on the embedded database, which stores nothing of it', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'svc-lies-'));
    const replicas = new SqliteReplicas({ dir, writer: 'inline' });
    try {
      await refusesAll(bench, replicas);
    } finally {
      await replicas.close();
      await rm(dir, { recursive: true });
    }
  });
});
