/** The search index of a store: rebuilt when necessary, and only then. */
import { expect } from 'chai';
import { pause, realEnvironment } from '../../src/core/environment.js';
import { catalogue, catalogueOf } from '../../src/machines/catalogue.js';
import { infoListing } from '../../src/machines/info-order/listing.js';
import { definitionVersion } from '../../src/machines/kernel/versioning.js';
import { listingStats } from '../../src/machines/listing/stats.js';
import { reputation } from '../../src/machines/reputation/record.js';
import { ReputationReader } from '../../src/projections/reputations.js';
import { prepareSearch, ReputationIndex, searchRulesOf } from '../../src/projections/search-index.js';
import type { NumberedEntry } from '../../src/store/entry.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { EntryBuilder } from '../contract/entries.js';
import { everything, words } from '../contract/shelf.js';

const context = {
  marketType: 'info',
  seller: 'did:svc:ada',
  title: 'Rainfall',
  description: 'of 40 stations',
  category: 'weather',
  tags: ['rain'],
  pricing: { price: 25 },
  stock: null,
  visibility: 'public',
  expiresAt: null,
  bidding: null,
  own: { infoType: 'dataset' },
};

const unexpected = (message: string) => expect.fail(message);

describe('The search index at start', () => {
  let store: MemoryStore;
  const builder = () => new EntryBuilder();
  const ids = async (query = {}) => (await store.search({ ...everything, ...query })).items.map(({ id }) => id).join();

  /** A store whose entries were written before there was a search index. */
  beforeEach(async () => {
    store = new MemoryStore();
    const writer = builder();
    const as = (version: string, change: Parameters<EntryBuilder['resource']>[0]) => {
      const commit = writer.resource(change);
      const [write] = commit.snapshots;
      return { ...commit, snapshots: [{ ...write!, snapshot: { ...write!.snapshot, machine: version } }] };
    };
    const stats = { orders: 3, completedOrders: 0, ratingSum: 4, ratingCount: 1 };
    await store.append([
      as(definitionVersion(infoListing), { kind: 'info-listing', id: 'lst-1', state: 'active', context }),
      as(definitionVersion(listingStats), { kind: 'listing-stats', id: 'lst-1', state: 'current', context: stats }),
    ]);
  });

  it('is made of a database that is older than it', async () => {
    expect(await ids()).to.equal('');
    expect(await prepareSearch(store, catalogue)).to.equal(true);
    expect(await ids(words('rain'))).to.equal('lst-1');
    expect(await ids({ minRating: 4, labels: [['infoType:dataset']] })).to.equal('lst-1');
  });

  it('is left alone where it follows the rules, and made anew where they have changed', async () => {
    await prepareSearch(store, catalogue);
    expect(await prepareSearch(store, catalogue)).to.equal(false);
    const kinds = Object.values(catalogue.definitions).filter(({ kind }) => kind !== 'task-listing');
    expect(searchRulesOf(catalogueOf(kinds))).not.to.equal(searchRulesOf(catalogue));
    expect(await prepareSearch(store, catalogueOf(kinds))).to.equal(true);
    expect(await ids(words('rain'))).to.equal('lst-1');
  });

  it('is made anew after a rebuild that did not end', async () => {
    const broken = async function* () {
      yield [];
      throw new TypeError('the process ends');
    };
    await store.rebuildSearch(searchRulesOf(catalogue), broken()).catch(() => {});
    expect(await store.searchRules()).to.equal(undefined);
    expect(await prepareSearch(store, catalogue)).to.equal(true);
  });

  it('catches up with reputations that are not ranked yet', async () => {
    await prepareSearch(store, catalogue);
    const record = { issuer: 'did:svc:ben', target: 'did:svc:ada', dimension: 'quality', score: 800, ref: 'ord-1' };
    const change = { kind: 'reputation', id: 'rev-1', state: 'current', context: { ...record, source: 'review' } };
    const time = realEnvironment.now();
    const commit = new EntryBuilder().resource(
      { ...change, add: reputation.labels!(change.context as never) },
      { time },
    );
    await store.append([commit]);
    const reputations = new ReputationReader(store, realEnvironment, { records: 100, page: 10 });
    const ranks = () => new ReputationIndex({ store, reputations, world: realEnvironment, log: unexpected });
    expect(await ids({ minReputation: 1 })).to.equal('');
    await ranks().catchUp();
    expect(await ids({ minReputation: 800 })).to.equal('lst-1');
    expect(await ids({ minReputation: 801 })).to.equal('');
    await store.rankOwners([{ owner: 'did:svc:ada', reputation: 1 }]);
    const other = ranks();
    other.saw({ ...commit.entry, seq: 3, prevEntry: '', chainHash: '' });
    await other.settled();
    expect(await ids({ minReputation: 800 })).to.equal('lst-1');
  });

  it('ranks a provider whose record arrives just as it finishes', async () => {
    for (let turns = 0; turns < 12; turns++) {
      const ranked: string[] = [];
      let finish = () => {};
      const snapshotOf = (id: string) => ({ createdAt: 1, context: { target: `did:svc:${id}` } });
      const faked = {
        load: async (_: string, id: string) => snapshotOf(id),
        getLocal: async () => undefined,
        putLocal: () => new Promise<void>((resolve) => (finish = resolve)),
        rankOwners: async (ranks: readonly { owner: string }[]) => ranked.push(...ranks.map(({ owner }) => owner)),
      };
      const index = new ReputationIndex({
        store: faked as unknown as MemoryStore,
        reputations: { of: async () => ({ at: () => undefined }) } as unknown as ReputationReader,
        world: realEnvironment,
        log: unexpected,
      });
      const tell = (id: string) =>
        index.saw({ core: { versions: [{ kind: 'reputation', id }] } } as unknown as NumberedEntry);
      const idle = () => pause(realEnvironment, 5);
      tell('rev-1');
      await idle();
      finish();
      for (let turn = 0; turn < turns; turn++) await undefined;
      tell('rev-2');
      await idle();
      expect(ranked, `after ${turns} turns`).to.deep.equal(['did:svc:rev-1', 'did:svc:rev-2']);
    }
  });

  it('ranks anew, once a day, whom only time has changed', async () => {
    await prepareSearch(store, catalogue);
    const dayMs = 86_400_000;
    const noon = realEnvironment.now();
    let time = noon;
    const writer = builder();
    for (const [id, score, at] of [
      ['rev-1', 1000, 0],
      ['rev-2', 0, 180],
    ] as const) {
      const record = { issuer: `did:svc:${id}`, target: 'did:svc:ada', dimension: 'quality', score, ref: 'ord-1' };
      const change = { kind: 'reputation', id, state: 'current', context: { ...record, source: 'review' } };
      const add = reputation.labels!(change.context as never);
      await store.append([writer.resource({ ...change, add }, { time: noon + at * dayMs })]);
    }
    const world = { ...realEnvironment, now: () => time };
    const reputations = new ReputationReader(store, world, { records: 100, page: 10 });
    const ranks = new ReputationIndex({ store, reputations, world, log: unexpected });
    const best = async () => {
      const found = await Promise.all([0, 1, 333, 334].map((least) => ids({ minReputation: least })));
      return [undefined, 0, 1, 333, 334][found.filter((each) => each === 'lst-1').length];
    };
    const later = async (days: number) => {
      time = noon + days * dayMs;
      await ranks.age();
      return best();
    };
    time = noon + 180 * dayMs;
    await ranks.catchUp();
    expect(await best()).to.equal(333);
    expect(await later(590), 'all decay alike').to.equal(333);
    const faded = (await reputations.of('did:svc:ada')).at(noon + 700 * dayMs)!.score!;
    expect(faded, 'the older one has the least weight').to.be.above(333);
    expect(await later(700)).to.equal(334);
    expect(await ids({ minReputation: faded })).to.equal('lst-1');
    expect(await ids({ minReputation: faded + 1 })).to.equal('');
    expect(await later(700.9), 'not twice a day').to.equal(334);
    expect(await later(731), 'the older one has gone').to.equal(0);
    expect(await later(911), 'both have').to.equal(undefined);
    expect((await reputations.of('did:svc:ada')).at(time)).to.include({ score: null });
  });
});
