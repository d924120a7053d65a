import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { mergedSearch } from '../../src/peers/cards/merged-search.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import { type SearchResult, sorts } from '../../src/store/search.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { encodeCursor, type PageRequest, type Store } from '../../src/store/store.js';
import { EntryBuilder, firstDay } from '../contract/entries.js';
import { rejection } from '../contract/fixture.js';
import { everything, listing, stats, words } from '../contract/shelf.js';

interface Thing {
  /** With `~` and a home: in the index. */
  readonly id: string;
  readonly at: number;
  readonly tags: readonly string[];
  readonly price: number;
  readonly popularity: number;
}

/** Few ids, times and prices, so that many are equal. */
const thing = fc.record({
  id: fc
    .tuple(fc.constantFrom('a', 'b', 'c', 'd', 'aa', 'ab'), fc.constantFrom('', '~did:svc:b', '~did:svc:c'))
    .map(([id, home]) => `lst-${id}${home}`),
  at: fc.integer({ min: 1, max: 4 }),
  tags: fc.subarray(['red', 'blue', 'green']),
  price: fc.integer({ min: 1, max: 3 }),
  popularity: fc.integer({ min: 0, max: 2 }),
});
const things = fc.uniqueArray(thing, { selector: ({ id }) => id, maxLength: 18 });
const isForeign = ({ id }: Thing) => id.includes('~');

async function filled(store: Store, all: readonly Thing[]): Promise<Store> {
  const builder = new EntryBuilder();
  const commits = all
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ id, at, tags, price, popularity }) => {
      const time = firstDay + at;
      const written = builder.resource(listing(id, { title: `map ${id}`, tags, price }), { time });
      // The index has no ranks.
      return id.includes('~') || popularity === 0
        ? [written]
        : [written, builder.resource(stats(id, popularity, popularity), { time })];
    });
  for (const result of await store.append(commits)) expect(result.ok).to.equal(true);
  return store;
}

/** Reads all pages. */
async function walked(read: (page: PageRequest) => Promise<SearchResult>, limit: number): Promise<string[]> {
  const seen: string[] = [];
  for (let page: PageRequest = { limit, offset: 0 }; ; ) {
    const { items, next } = await read(page);
    expect(items.length).to.be.at.most(limit);
    seen.push(...items.map(({ id }) => id));
    if (next === null) return seen;
    expect(items.length, 'a page that leads on').to.be.greaterThan(0);
    expect(seen.length, 'nothing twice').to.be.at.most(18);
    page = { limit, offset: 0, after: next };
  }
}

describe('a search over this node’s store and the index of cards', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'svc-merged-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  let runs = 0;
  /** Own store, index, and one store with everything. Every tenth index is the embedded database, which is slow to open. */
  async function storesOf(all: readonly Thing[]) {
    const embedded =
      runs++ % 10 === 0
        ? await SqliteStore.open({ dir: await mkdtemp(join(dir, 'index-')), writer: 'inline' })
        : undefined;
    const own = await filled(
      new MemoryStore(),
      all.filter((each) => !isForeign(each)),
    );
    const index = await filled(embedded ?? new MemoryStore(), all.filter(isForeign));
    return { both: [own, index] as const, one: await filled(new MemoryStore(), all), close: () => embedded?.close() };
  }

  it('finds, sorts, counts and pages as one store with everything', () =>
    fc.assert(
      fc.asyncProperty(
        things,
        fc.constantFrom(...sorts),
        fc.constantFrom('map', ''),
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 0, max: 20 }),
        async (all, sort, keyword, limit, offset) => {
          const { both, one, close } = await storesOf(all);
          try {
            const query = { ...everything, ...words(keyword), sort, facets: ['tag', 'market'] };
            const expected = await one.search(query);
            const ids = expected.items.map(({ id }) => id);
            expect(await walked((page) => mergedSearch(both, { ...query, page }), limit)).to.deep.equal(ids);
            const { items, facets, total, next } = await mergedSearch(both, { ...query, page: { limit, offset } });
            expect(items.map(({ id }) => id)).to.deep.equal(ids.slice(offset, offset + limit));
            expect(total).to.equal(all.length);
            expect(facets).to.deep.equal(expected.facets);
            expect(next === null, 'nothing follows').to.equal(offset + limit >= all.length);
          } finally {
            await close();
          }
        },
      ),
      { numRuns: 100 },
    ));

  it('places nothing behind a page that ended early', async () => {
    const all = ['a', 'b', 'c'].flatMap((id, at): Thing[] => [
      { id: `lst-${id}`, at: 4 + at, tags: [], price: 1, popularity: 0 },
      { id: `lst-${id}~did:svc:b`, at: 1 + at, tags: [], price: 1, popularity: 0 },
    ]);
    const { both, one, close } = await storesOf(all);
    const ids = (await one.search({ ...everything, sort: 'newest' })).items.map(({ id }) => id);
    const read = (page: PageRequest) =>
      mergedSearch(both, { ...everything, sort: 'newest', page: { ...page, characters: 10 } });
    expect(await walked(read, 100)).to.deep.equal(ids);
    await close();
  });

  it('counts facets exactly beyond the hundred values that are shown', async () => {
    const stores = await Promise.all(
      ['', '~did:svc:b'].map((home, index) => {
        // The hundred and first value is the same in both, and the most frequent of all.
        const tags = Array.from({ length: 100 }, (_, n) => `${index}-${String(n).padStart(3, '0')}`);
        const of = (id: string, each: readonly string[]): Thing => ({
          id: `lst-${id}${home}`,
          at: 1,
          tags: each,
          price: 1,
          popularity: 0,
        });
        return filled(new MemoryStore(), [
          of('1', [...tags, 'shared']),
          of('2', tags),
          ...(index === 0 ? [] : [of('3', ['shared', 'x'])]),
        ]);
      }),
    );
    const found = await mergedSearch([stores[0]!, stores[1]!], { ...everything, facets: ['tag'] });
    expect(found.facets.tag).to.have.length(100);
    expect(found.facets.tag![0]).to.deep.equal({ key: 'shared', count: 3 });
  });

  it('refuses a malformed cursor', async () => {
    const { both, close } = await storesOf([]);
    for (const after of ['x', encodeCursor('a', 1, 1), encodeCursor(1, 1, 'a', 'b')]) {
      const searching = mergedSearch(both, { ...everything, sort: 'price_asc', page: { limit: 1, offset: 0, after } });
      expect(await rejection(searching)).to.have.nested.property('refusal.code', 'INVALID_REQUEST');
    }
    await close();
  });
});
