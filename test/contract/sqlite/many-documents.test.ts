/** Equal answers in equal order for so many documents that they fill several blocks of the index, on every page. */
import { expect } from 'chai';
import { MemoryStore } from '../../../src/store/memory/memory-store.js';
import type { SearchEntry, SearchQuery, SearchResult } from '../../../src/store/search.js';
import type { Store } from '../../../src/store/store.js';
import { EntryBuilder, type ResourceChange } from '../entries.js';
import { everything, type Goods, listing, searched, sorts, stats, words } from '../shelf.js';
import { Directory } from './support.js';

const documents = 2_600;
const atOnce = 25;

/** Pseudo-random numbers that are the same in every run. */
class Dice {
  #seed = 7;

  below(bound: number): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed % bound;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.below(from.length)]!;
  }
}

const vocabulary = ['map', 'maps', 'rain', 'road', 'river', 'rainfall', 'gauge', 'tide'];
const states = ['active', 'active', 'active', 'paused', 'removed'];

const goods = (dice: Dice, time: number): Goods => ({
  title: `thing ${dice.pick(vocabulary)} ${dice.pick(vocabulary)}`,
  description: Array.from({ length: dice.below(6) }, () => dice.pick(vocabulary)).join(' '),
  category: dice.pick(['a', 'b', 'c']),
  tags: [dice.pick(['x', 'y', 'z'])],
  market: dice.pick(['info', 'task', 'capability']),
  owner: dice.pick(['did:svc:ada', 'did:svc:bob']),
  visibility: dice.below(20) === 0 ? 'private' : 'public',
  price: dice.below(5) === 0 ? null : dice.below(50),
  expiresAt: dice.below(10) === 0 ? time + dice.below(5_000) - 2_500 : null,
});

describe('Thousands of documents in SQLite', () => {
  const directory = new Directory();
  const memory = new MemoryStore();
  const dice = new Dice();
  const builder = new EntryBuilder();
  const end = builder.time + documents;
  let sqlite: Store;

  const write = async (changes: ResourceChange[], time: number) => {
    const commit = builder.commit({ issuer: 'did:svc:clerk', resources: changes, time });
    for (const store of [memory, sqlite]) {
      const [result] = await store.append([commit]);
      expect(result).to.include({ ok: true });
    }
  };

  const query = (offset: number): SearchQuery => ({
    ...everything,
    time: end,
    sort: dice.pick(sorts),
    statuses: dice.pick([['active'], ['active', 'paused'], ['expired'], ['active', 'expired', 'removed']]),
    ...(dice.below(2) === 0 ? { markets: [dice.pick(['info', 'task'])] } : {}),
    ...words(dice.pick(['', '', 'map', 'r', 'rain ma', 'thing', 'ti rive', 'none'])),
    labels: dice.pick([[], [], [['category:a', 'category:b']], [['tag:x'], ['category:c']]]),
    ...(dice.below(4) === 0 ? { minPrice: 10 } : {}),
    ...(dice.below(4) === 0 ? { visibility: ['public', 'private'], reader: 'did:svc:ada' } : {}),
    facets: dice.pick([[], ['tag', 'category', 'market']]),
    page: { limit: 20, offset },
  });

  const plain = (result: SearchResult) => ({ ...result, items: result.items.map(({ id }) => id) });

  async function agree(queries: readonly SearchQuery[]): Promise<void> {
    for (const each of queries) {
      const expected = plain(await memory.search(each));
      expect(plain(await sqlite.search(each)), JSON.stringify(each)).to.deep.equal(expected);
      if (expected.next === null) continue;
      const further = { ...each, page: { limit: 20, offset: 0, after: expected.next } };
      expect(plain(await sqlite.search(further))).to.deep.equal(plain(await memory.search(further)));
    }
  }

  const random = () => Array.from({ length: 25 }, () => query(dice.below(2) === 0 ? 0 : dice.below(documents)));
  const newest = () =>
    [0, 256, 300, 1_000, 2_047, 2_500].flatMap((offset) =>
      [['active'], ['active', 'paused'], ['removed', 'active', 'paused', 'expired']].map((statuses) => ({
        ...everything,
        time: end,
        statuses,
        sort: 'newest' as const,
        page: { limit: 20, offset },
      })),
    );

  const fill = async () => {
    sqlite = await directory.open('inline');
    for (let from = 0; from < documents; from += atOnce) {
      const ids = Array.from({ length: atOnce }, (_, index) => `lst-${from + index}`);
      await write(
        ids.map((id) => listing(id, goods(dice, end), dice.pick(states))),
        // Several documents share a time.
        builder.time + dice.below(3),
      );
    }
    await write(
      Array.from({ length: 200 }, (_, index) => stats(`lst-${index * 13}`, 1 + (index % 5), index)),
      end,
    );
    for (const store of [memory, sqlite]) await store.rankOwners([{ owner: 'did:svc:ada', reputation: 700 }]);
  };

  it('are found, in whatever way they come and change, after closing, and when the index is made anew', async () => {
    await fill();
    await agree([...random(), ...newest()]);
    // Updates: other words, another state, another market.
    for (let round = 0; round < 4; round++) {
      const ids = [...new Set(Array.from({ length: 150 }, () => `lst-${dice.below(documents)}`))];
      await write(
        ids.map((id) => listing(id, goods(dice, end), dice.pick(states))),
        end,
      );
    }
    await agree([...random(), ...newest()]);
    await sqlite.close();
    sqlite = await directory.open('inline');
    await agree(newest());
    const found = await memory.find({ kind: 'listing', page: { limit: 1_000, offset: 0 } });
    expect(found.total).to.equal(documents);
    async function* pages(): AsyncGenerator<readonly SearchEntry[]> {
      let next: string | null = null;
      do {
        const page = { limit: 500, offset: 0, ...(next === null ? {} : { after: next }) };
        const listed = await memory.find({ kind: 'listing', page });
        yield listed.items.map((snapshot) => ({ snapshot, found: searched(described(snapshot.id)) }));
        next = listed.next;
      } while (next !== null);
    }
    const again = new Map<string, Goods>();
    const described = (id: string): Goods => {
      const known = again.get(id) ?? goods(dice, end);
      again.set(id, known);
      return known;
    };
    // The pages begin with the newest documents.
    for (const store of [memory, sqlite]) await store.rebuildSearch('rules', pages());
    await agree([...random(), ...newest()]);
    await write([listing('lst-new', goods(dice, end))], end + 1);
    await agree(newest());
    await sqlite.close();
  });
});
