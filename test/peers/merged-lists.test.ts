import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import fc from 'fast-check';
import { findIn, type HomeStore, searchIn } from '../../src/peers/reading/merged-lists.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { SearchQuery } from '../../src/store/search/search.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { cursorOf, type PageRequest, type Snapshot, type Store } from '../../src/store/store.js';
import { EntryBuilder, firstDay } from '../contract/entries.js';
import { rejection } from '../contract/fixture.js';
import { everything, listing, stats } from '../contract/shelf.js';

/** The own home first, then by DID. */
const homes = ['', 'did:svc:b', 'did:svc:c'] as const;

interface Thing {
  readonly home: string;
  readonly id: string;
  readonly at: number;
  readonly tags: readonly string[];
  readonly price: number;
  readonly popularity: number;
}

/** Few ids and few times, so that several homes have the same ones. */
const thing = fc.record({
  home: fc.constantFrom(...homes),
  id: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'aa', 'ab').map((id) => `lst-${id}`),
  at: fc.integer({ min: 1, max: 4 }),
  tags: fc.subarray(['red', 'blue', 'green', 'grey']),
  price: fc.integer({ min: 1, max: 3 }),
  popularity: fc.integer({ min: 0, max: 2 }),
});
const things = fc.uniqueArray(thing, { selector: ({ home, id }) => `${home} ${id}`, maxLength: 24 });

async function filled(store: Store, own: readonly Thing[]): Promise<void> {
  const builder = new EntryBuilder();
  const commits = own
    .toSorted((a, b) => a.at - b.at)
    .flatMap(({ id, at, tags, price, popularity }) => {
      const time = firstDay + at;
      const added = { ...listing(id, { title: `map ${id}`, tags, price }), add: ['all'] };
      const written = [builder.resource(added, { time })];
      return popularity > 0 ? [...written, builder.resource(stats(id, null, popularity), { time })] : written;
    });
  for (const result of await store.append(commits)) expect(result.ok).to.equal(true);
}

const labelled = { kind: 'listing', anyLabel: ['all'] };
const nameOf = (item: { readonly item: Snapshot; readonly home: string }) => `${item.home} ${item.item.id}`;
const keyOf = ({ home, id }: Thing) => `${home} ${id}`;

/** The expected list over all homes. */
function model(all: readonly Thing[], numberOf: (one: Thing) => number = () => 0): string[] {
  const order = (a: Thing, b: Thing) =>
    numberOf(b) - numberOf(a) || b.at - a.at || (a.id < b.id ? 1 : a.id > b.id ? -1 : a.home < b.home ? -1 : 1);
  return all.toSorted(order).map(keyOf);
}

interface Found {
  readonly items: readonly { readonly item: Snapshot; readonly home: string }[];
  readonly total: number;
  readonly next: string | null;
}

/** Reads all pages. */
async function walked(read: (page: PageRequest) => Promise<Found>, limit: number): Promise<string[]> {
  const seen: string[] = [];
  for (let page: PageRequest = { limit, offset: 0 }; ; ) {
    const { items, next } = await read(page);
    expect(items.length).to.be.at.most(limit);
    seen.push(...items.map(nameOf));
    if (next === null) return seen;
    expect(items.length, 'a page that leads on').to.be.greaterThan(0);
    expect(seen.length, 'nothing twice').to.be.at.most(homes.length * 10);
    page = { limit, offset: 0, after: next };
  }
}

describe('lists over several homes', function () {
  this.timeout(120_000);
  /** Histories on memory stores. Every tenth also has a home on the embedded database, which takes long to open. */
  const numRuns = 100;
  let runs = 0;
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'svc-merged-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  async function storesOf(all: readonly Thing[]): Promise<{ stores: HomeStore[]; close: () => Promise<void> }> {
    const path = await mkdtemp(join(dir, 'home-'));
    const embedded = runs++ % 10 === 0 ? await SqliteStore.open({ dir: path, writer: 'inline' }) : undefined;
    const stores = [new MemoryStore(), embedded ?? new MemoryStore(), new MemoryStore()];
    const pairs = homes.map((home, index) => ({ home, store: stores[index]! }));
    for (const { home, store } of pairs)
      await filled(
        store,
        all.filter((each) => each.home === home),
      );
    return { stores: pairs, close: async () => embedded?.close() };
  }

  it('give each resource once and in order, whatever the pages are', () =>
    fc.assert(
      fc.asyncProperty(
        things,
        fc.integer({ min: 1, max: 7 }),
        fc.integer({ min: 0, max: 26 }),
        async (all, limit, offset) => {
          const { stores, close } = await storesOf(all);
          try {
            const read = (page: PageRequest) => findIn(stores, { ...labelled, page });
            const expected = model(all);
            expect(await walked(read, limit)).to.deep.equal(expected);
            const skipped = await read({ limit, offset });
            expect(skipped.items.map(nameOf)).to.deep.equal(expected.slice(offset, offset + limit));
            expect(skipped.total).to.equal(all.length);
            expect(skipped.next === null, 'nothing follows').to.equal(offset + limit >= all.length);
          } finally {
            await close();
          }
        },
      ),
      { numRuns },
    ));

  it('find, sort and count as one index would', () =>
    fc.assert(
      fc.asyncProperty(
        things,
        fc.constantFrom('newest', 'price_asc', 'popular', 'relevance' as const),
        fc.integer({ min: 1, max: 7 }),
        async (all, sort, limit) => {
          const { stores, close } = await storesOf(all);
          try {
            const query: SearchQuery = {
              ...everything,
              sort: sort as 'newest',
              words: ['map'],
              facets: ['tag', 'market'],
            };
            const read = (page: PageRequest) => searchIn(stores, { ...query, page });
            const number = { popular: (one: Thing) => one.popularity, price_asc: (one: Thing) => -one.price };
            const expected = model(all, number[sort as 'popular']);
            expect(await walked(read, limit)).to.deep.equal(expected);
            const { facets, total, items } = await read({ limit, offset: 3 });
            expect(items.map(nameOf)).to.deep.equal(expected.slice(3, 3 + limit));
            expect(total).to.equal(all.length);
            const counts = new Map<string, number>();
            for (const { tags } of all) for (const tag of tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
            expect(facets.tag).to.deep.equal(
              [...counts]
                .map(([key, count]) => ({ key, count }))
                .sort((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1)),
            );
          } finally {
            await close();
          }
        },
      ),
      { numRuns },
    ));

  it('cut a page by the length of its items, and miss none behind a store that gave fewer', async () => {
    // Each store returns one item at a time, and all items of one home sort before those of the next.
    const long = homes.flatMap((home, index) =>
      ['a', 'b', 'c'].map((id) => ({ home, id: `lst-${id}`, at: 4 - index, tags: [], price: 1, popularity: 0 })),
    );
    const { stores, close } = await storesOf(long);
    const read = (page: PageRequest) => findIn(stores, { ...labelled, page: { ...page, characters: 10 } });
    expect(await walked(read, 100)).to.deep.equal(model(long));
    expect((await read({ limit: 100, offset: 0 })).total).to.equal(9);
    const { items } = await findIn(stores, { ...labelled, page: { limit: 100, offset: 0, characters: 1 } });
    expect(items).to.have.length(1);
    await close();
  });

  it('count facets exactly beyond the hundred values that are shown', async () => {
    const stores = [new MemoryStore(), new MemoryStore()];
    for (const [index, store] of stores.entries()) {
      // The hundred and first value is the same in each home, and the most frequent overall.
      const tags = Array.from({ length: 100 }, (_, n) => `${index}-${String(n).padStart(3, '0')}`);
      await filled(store, [
        { home: '', id: 'lst-1', at: 1, tags: [...tags, 'shared'], price: 1, popularity: 0 },
        { home: '', id: 'lst-2', at: 2, tags, price: 1, popularity: 0 },
        ...(index === 0 ? [] : [{ home: '', id: 'lst-3', at: 3, tags: ['shared', 'x'], price: 1, popularity: 0 }]),
      ]);
    }
    const found = await searchIn(
      stores.map((store, index) => ({ home: homes[index]!, store })),
      { ...everything, facets: ['tag'] },
    );
    expect(found.facets.tag).to.have.length(100);
    expect(found.facets.tag![0]).to.deep.equal({ key: 'shared', count: 3 });
  });

  it('continue from a cursor of this node’s own list, and refuse any other text', async () => {
    const all = homes.map((home) => ({ home, id: 'lst-a', at: 1, tags: [], price: 1, popularity: 0 }));
    const { stores, close } = await storesOf(all);
    const own = await stores[0]!.store.find({ ...labelled, page: { limit: 1, offset: 0 } });
    expect(own.next).to.equal(null);
    const after = cursorOf(firstDay + 1, 'lst-a');
    const { items } = await findIn(stores, { ...labelled, page: { limit: 9, offset: 0, after } });
    expect(items.map(nameOf)).to.deep.equal(['did:svc:b lst-a', 'did:svc:c lst-a']);
    for (const wrong of ['x', cursorOf('a', 'b'), cursorOf(1, 'b', 2), cursorOf(1, 'b', 'c', 'd')]) {
      const page = { limit: 1, offset: 0, after: wrong };
      expect(await rejection(findIn(stores, { ...labelled, page }))).to.have.nested.property(
        'refusal.code',
        'INVALID_REQUEST',
      );
    }
    await close();
  });
});
