import { expect } from 'chai';
import { newLeaf } from '../../../src/core/leaf.js';
import type { RefusedError } from '../../../src/core/refusal.js';
import type { ListingContext } from '../../../src/machines/listing/machine.js';
import { searched as searchedOf } from '../../../src/machines/listing/search.js';
import { encodeCursor } from '../../../src/store/page.js';
import type { SearchEntry, SearchQuery } from '../../../src/store/search.js';
import { mostWords } from '../../../src/store/words.js';
import { firstDay } from '../entries.js';
import { type Bench, rejection } from '../fixture.js';
import { everything, listing, searched, stats, words } from '../shelf.js';

const ada = 'did:svc:ada';
const bob = 'did:svc:bob';

const plainListing: ListingContext = {
  marketType: 'info',
  seller: ada,
  title: { leaf: '0'.repeat(64), size: 7 },
  description: { leaf: '0'.repeat(64), size: 7 },
  category: 'none',
  tags: [],
  pricing: { price: 1 },
  repricedAt: null,
  stock: null,
  visibility: 'public',
  expiresAt: null,
  bidding: null,
  own: {},
};

export function searching(bench: Bench): void {
  const search = (query: Partial<SearchQuery>) => bench.store.search({ ...everything, ...query });
  const ids = async (query: Partial<SearchQuery>) => {
    const { items, total } = await search(query);
    const found = items.map(({ id }) => id).join(' ');
    if (!query.page) expect(total, found).to.equal(items.length);
    return found;
  };
  const publish = (...goods: Parameters<typeof listing>[]) =>
    bench.accept(...goods.map((each) => bench.builder.resource(listing(...each))));

  /** Documents a to d about maps and weather, of two owners and two markets. */
  const shelf = async () => {
    await publish(
      ['a', { title: 'Road maps', category: 'maps', tags: ['road', 'europe'], price: 30, owner: ada }],
      ['b', { title: 'Weather', description: 'with a map of rain', category: 'weather', tags: ['rain'], price: 10 }],
      ['c', { title: 'Mapping service', market: 'task', category: 'maps', tags: ['road'], owner: bob }],
      ['d', { title: 'Rain gauge', market: 'task', category: 'weather', tags: ['rain', 'europe'], price: 20 }],
    );
  };

  describe('search', () => {
    it('finds nothing in an empty store', async () => {
      expect(await search({ facets: ['tag'] })).to.deep.equal({ items: [], total: 0, next: null, facets: { tag: [] } });
      expect(await search(words('x'))).to.deep.include({ items: [], total: 0 });
    });

    it('ends a page where its texts get too long, and continues after it', async () => {
      await shelf();
      for (const query of [{}, words('ma'), { sort: 'price_desc' }] as Partial<SearchQuery>[]) {
        const all = (await search(query)).items.map(({ id }) => id);
        const one = await search({ ...query, page: { limit: 3, offset: 0, characters: 10 } });
        expect([one.items.map(({ id }) => id), one.total]).to.deep.equal([all.slice(0, 1), all.length]);
        const page = { limit: 3, offset: 0, characters: 10_000, after: one.next! };
        expect((await search({ ...query, page })).items.map(({ id }) => id)).to.deep.equal(all.slice(1, 4));
      }
    });

    it('gives snapshots as they are, newest first', async () => {
      await shelf();
      const { items, next } = await search({});
      expect(items.map(({ id }) => id).join(' ')).to.equal('d c b a');
      expect(next).to.equal(null);
      expect(items[0]).to.deep.equal(await bench.store.load('listing', 'd'));
    });

    it('wants each word at the beginning of one, and sums their weights', async () => {
      await shelf();
      // a has "maps" in title (weight 4) and category (2); c has "mapping" (4) and "maps" (2); b has 1.
      expect(await ids(words('map'))).to.equal('c a b');
      expect(await ids(words('maps'))).to.equal('a c');
      expect(await ids(words('RAIN'))).to.equal('d b');
      expect(await ids(words('map rain'))).to.equal('b');
      expect(await ids(words('rain map weather'))).to.equal('b');
      expect(await ids(words('rain nowhere'))).to.equal('');
      expect(await ids(words('ain'))).to.equal('');
      expect(await ids({ ...words('ro'), labels: [['tag:europe']] })).to.equal('a');
    });

    it('one letter that all words of the heaviest listing begin with weighs what they do together', async () => {
      // Almost as many words as the index keeps, so that each text is read. No listing of the API has longer ones.
      const heavy = (id: string, count: number) => {
        const text = Array.from({ length: count }, (_, index) => `w${index}`).join(' ');
        const { leaf, content } = newLeaf(text, Buffer.alloc(16, id));
        const texts = { title: leaf, tags: [text], category: text, description: leaf };
        const found = searchedOf('active', { ...plainListing, ...texts });
        const commit = bench.builder.resource({ kind: 'listing', id, state: 'active', found });
        return { ...commit, contents: [content] };
      };
      await bench.accept(heavy('a', mostWords - 1), heavy('b', mostWords - 2));
      await publish(['c', { title: 'w' }]);
      expect(await ids(words('w'))).to.equal('a b c');
    });

    it('one or two letters are the beginning of words as well, in every script, also of words that short', async () => {
      await publish(
        ['a', { title: 'a ab abc', description: 'abcd', category: 'x' }],
        ['b', { title: 'Ärger 東京市 𐐨𐐩𐐪', category: 'abb' }],
        ['c', { title: 'b', category: 'x' }],
      );
      expect(await ids(words('a'))).to.equal('a b');
      expect(await ids(words('ab'))).to.equal('a b');
      expect(await ids(words('abc'))).to.equal('a');
      expect(await ids(words('b'))).to.equal('c');
      expect(await ids(words('a x'))).to.equal('a');
      expect(await ids(words('är'))).to.equal('b');
      for (const some of ['東', '東京', '𐐨', '𐐨𐐩']) expect(await ids({ words: [some] }), some).to.equal('b');
      await publish(['a', { title: 'b bc', description: 'abcd', category: 'x' }]);
      expect(await ids(words('a'))).to.equal('b a');
      expect(await ids(words('ab'))).to.equal('b a');
      expect(await ids(words('b'))).to.equal('a c');
      await publish(['a', { title: 'c', category: 'x' }]);
      expect(await ids(words('a'))).to.equal('b');
      expect(await ids(words('b'))).to.equal('c');
    });

    it('takes as many words as a keyword may have', async () => {
      const letters = [...'abcdefghijklmnop'];
      const text = letters.map((letter) => `${letter}${letter}${letter}`).join(' ');
      await publish(['a', { title: text }], ['b', { title: text.slice(0, -4) }], ['c', { description: text }]);
      for (const length of [1, 2, 3]) {
        expect(await ids({ words: letters.map((letter) => letter.repeat(length)) }), `${length}`).to.equal('a c');
      }
    });

    it('breaks ties by age, then id, both descending', async () => {
      const at = { time: bench.builder.time + 5 };
      for (const id of ['b', 'a', 'c']) await bench.accept(bench.builder.resource(listing(id, {}), at));
      await publish(['0', {}]);
      expect(await ids(words('thing'))).to.equal('0 c b a');
      expect(await ids({})).to.equal('0 c b a');
      expect(await ids({ sort: 'price_asc' })).to.equal('0 c b a');
    });

    it('takes one of each group of labels, and one of the markets', async () => {
      await shelf();
      expect(await ids({ labels: [['tag:road', 'tag:rain']] })).to.equal('d c b a');
      expect(await ids({ labels: [['tag:road', 'tag:rain'], ['tag:europe']] })).to.equal('d a');
      expect(await ids({ labels: [['tag:none']] })).to.equal('');
      expect(await ids({ labels: [['tag:none', 'tag:europe']] })).to.equal('d a');
      expect(await ids({ markets: ['task'] })).to.equal('d c');
      expect(await ids({ markets: ['task', 'info'] })).to.equal('d c b a');
      expect(await ids({ markets: [] })).to.equal('');
      expect(await ids({ owner: ada })).to.equal('a');
      expect(await ids({ owner: 'did:svc:none' })).to.equal('');
    });

    it('takes prices within bounds; what has none is in none', async () => {
      await shelf();
      expect(await ids({ minPrice: 20 })).to.equal('d a');
      expect(await ids({ maxPrice: 20 })).to.equal('d b');
      expect(await ids({ minPrice: 11, maxPrice: 29 })).to.equal('d');
      expect(await ids({ minPrice: 0 })).to.equal('d b a');
    });

    it('sorts by price, rating, popularity and reputation; what has none comes last', async () => {
      await shelf();
      await bench.accept(
        bench.builder.resource(stats('a', 4.25, 1)),
        bench.builder.resource(stats('c', 4.5, 7)),
        bench.builder.resource(stats('d', null, 3)),
      );
      await bench.store.rankOwners([
        { owner: ada, reputation: 700 },
        { owner: bob, reputation: 900 },
        { owner: 'did:svc:stranger', reputation: 1000 },
      ]);
      expect(await ids({ sort: 'price_asc' })).to.equal('b d a c');
      expect(await ids({ sort: 'price_desc' })).to.equal('a d b c');
      expect(await ids({ sort: 'rating' })).to.equal('c a d b');
      expect(await ids({ sort: 'popular' })).to.equal('c d a b');
      expect(await ids({ sort: 'reputation' })).to.equal('c a d b');
      expect(await ids({ sort: 'reputation', ...words('map'), labels: [['tag:road']] })).to.equal('c a');
      expect(await ids({ minRating: 4.5 })).to.equal('c');
      expect(await ids({ minReputation: 700 })).to.equal('c a');
      expect(await ids({ minReputation: 701, ...words('map') })).to.equal('c');
    });

    it('keeps ranks over new versions, and takes the newest', async () => {
      await shelf();
      await bench.accept(bench.builder.resource(stats('a', 3, 1)));
      await publish(['a', { title: 'Sea charts', price: 5 }]);
      expect(await ids({ minRating: 3 })).to.equal('a');
      await bench.accept(bench.builder.resource(stats('a', 2, 2)));
      expect(await ids({ minRating: 3 })).to.equal('');
    });

    it('finds a new version by what it says now, under the state that it has', async () => {
      await shelf();
      await publish(['a', { title: 'Sea charts of roads', category: 'sea', tags: ['europe', 'sea'], price: 5 }]);
      expect(await ids(words('maps'))).to.equal('c');
      expect(await ids(words('sea'))).to.equal('a');
      expect(await ids(words('road'))).to.equal('a c');
      expect(await ids({ labels: [['tag:road']] })).to.equal('c');
      expect(await ids({ labels: [['tag:europe']] })).to.equal('d a');
      expect(await ids({ maxPrice: 5 })).to.equal('a');
      await bench.accept(bench.builder.resource({ kind: 'listing', id: 'a', state: 'paused' }));
      expect(await ids(words('sea'))).to.equal('');
      expect(await ids({ statuses: ['paused'] })).to.equal('a');
      expect(await ids({ statuses: ['paused', 'active'] })).to.equal('d c b a');
    });

    it('counts what has expired as expired from that moment on', async () => {
      await publish(
        ['a', { expiresAt: firstDay + 100 }],
        ['b', { expiresAt: firstDay + 200 }],
        ['c', {}],
        ['d', { expiresAt: firstDay + 100 }, 'paused'],
        ['e', {}, 'expired'],
      );
      for (const more of [{}, words('thing')]) {
        const at = (statuses: string[], time: number) => ids({ ...more, statuses, time: firstDay + time });
        expect(await at(['active'], 99)).to.equal('c b a');
        expect(await at(['active'], 100)).to.equal('c b');
        expect(await at(['expired'], 100)).to.equal('e d a');
        expect(await at(['expired', 'active'], 100)).to.equal('e d c b a');
        expect(await at(['paused'], 99)).to.equal('d');
        expect(await at(['paused'], 100)).to.equal('');
        expect(await at([], 100)).to.equal('');
      }
    });

    it('finds private ones for their owner alone', async () => {
      await publish(
        ['a', { owner: ada }],
        ['b', { owner: ada, visibility: 'private' }],
        ['c', { owner: bob, visibility: 'private' }],
      );
      for (const more of [{}, words('thing')]) {
        expect(await ids({ ...more, visibility: ['private'] })).to.equal('');
        expect(await ids({ ...more, visibility: ['private'], reader: ada })).to.equal('b');
        expect(await ids({ ...more, visibility: ['private', 'public'], reader: bob })).to.equal('c a');
        expect(await ids({ ...more, visibility: ['private', 'public'] })).to.equal('a');
        expect(await ids({ ...more, reader: ada })).to.equal('a');
      }
      expect((await search({ visibility: ['private'], reader: 'did:svc:none', facets: ['tag'] })).total).to.equal(0);
    });

    it('leaves out what is hidden, in pages, totals and facets', async () => {
      await shelf();
      await publish(['e', { title: 'Expired', expiresAt: firstDay - 1 }]);
      for (const hidden of [
        ['b', 'e', 'unknown'],
        ['d', 'b'],
      ]) {
        const left = ['d', 'c', 'b', 'a'].filter((id) => !hidden.includes(id)).join(' ');
        expect(await ids({ hidden })).to.equal(left);
        expect(await ids({ hidden, sort: 'price_asc' })).not.to.include('b');
        expect(await ids({ hidden, ...words('rain') })).to.equal(left.includes('d') ? 'd' : '');
        expect(await ids({ hidden, labels: [['category:maps']] })).to.equal('c a');
        const { items, total, next } = await search({ hidden, page: { limit: 1, offset: 1 } });
        expect(items.map(({ id }) => id).join(' ')).to.equal(left.split(' ')[1]);
        expect({ total, more: next !== null }).to.deep.equal({ total: left.split(' ').length, more: left.length > 3 });
        const { facets } = await search({ hidden, facets: ['category'] });
        expect(facets.category)
          .to.deep.include({ key: 'maps', count: 2 })
          .and.not.deep.include({ key: 'weather', count: 2 });
      }
    });

    it('a far page counts what is hidden as not there', async () => {
      await publish(...Array.from({ length: 700 }, (_, at): Parameters<typeof listing> => [`n${1_000 + at}`, {}]));
      const hidden = ['n1690', 'n1300', 'n1010'];
      const { items, total } = await search({ hidden, page: { limit: 2, offset: 400 } });
      expect(total).to.equal(697);
      expect(items.map(({ id }) => id)).to.deep.equal(['n1297', 'n1296']);
    });

    it('counts facets over all that match, the most frequent first, then by key', async () => {
      await shelf();
      const one = { page: { limit: 1, offset: 0 }, facets: ['tag', 'market', 'price'] };
      expect((await search(one)).facets).to.deep.equal({
        tag: [
          { key: 'europe', count: 2 },
          { key: 'rain', count: 2 },
          { key: 'road', count: 2 },
        ],
        market: [
          { key: 'info', count: 2 },
          { key: 'task', count: 2 },
        ],
        price: [],
      });
      const { facets, total } = await search({ ...one, ...words('map'), labels: [['tag:road']] });
      expect(total).to.equal(2);
      expect(facets.tag).to.deep.equal([
        { key: 'road', count: 2 },
        { key: 'europe', count: 1 },
      ]);
    });

    for (const [name, query] of Object.entries({ age: {}, relevance: words('thing'), price: { sort: 'price_asc' } })) {
      it(`pages by ${name} with cursors that hold while others arrive`, async () => {
        const make = (id: string, price: number) => publish([id, { price }]);
        for (const id of ['p1', 'p2', 'p3', 'p4', 'p5']) await make(id, 100 - Number(id[1]));
        const first = await search({ ...query, page: { limit: 2, offset: 1 } } as Partial<SearchQuery>);
        expect(first.items.map(({ id }) => id).join(' ')).to.equal('p4 p3');
        await make('p6', 94);
        const second = await search({ ...query, page: { limit: 2, offset: 0, after: first.next! } } as SearchQuery);
        expect(second.items.map(({ id }) => id).join(' ')).to.equal('p2 p1');
        expect(second).to.include({ total: 6, next: null });
      });
    }

    it('refuses a malformed cursor', async () => {
      await shelf();
      const error = await rejection(search({ page: { limit: 1, offset: 0, after: encodeCursor('rating', 1, 'a') } }));
      expect((error as RefusedError).refusal).to.include({ code: 'INVALID_REQUEST' });
    });

    it('texts with operators and quotes are words and labels like any other', async () => {
      await publish([
        'a',
        { title: `$where "x' OR 1=1 --`, tags: ['$ne', `'; DROP`, '%', '🦊', 'ｆｕｌｌ'], owner: '$owner' },
      ]);
      expect(await ids(words('where or 1'))).to.equal('a');
      expect(await ids(words('full'))).to.equal('a');
      for (const tag of ['$ne', `'; DROP`, '%', '🦊']) expect(await ids({ labels: [[`tag:${tag}`]] })).to.equal('a');
      expect(await ids({ words: ['$where'] })).to.equal('');
      expect(await ids({ owner: '$owner' })).to.equal('a');
    });
  });

  describe('the search index', () => {
    async function* pages(...entries: SearchEntry[]) {
      for (const entry of entries) yield [entry];
    }

    it('has no rules before it is built, and is what it was rebuilt from', async () => {
      await shelf();
      await bench.accept(bench.builder.resource(stats('a', 5, 1)));
      expect(await bench.store.searchRules()).to.equal(undefined);
      const snapshots = await Promise.all(['a', 'b', 'c', 'd'].map((id) => bench.store.load('listing', id)));
      const entries = snapshots.map((snapshot) => ({ snapshot: snapshot!, found: searched({ title: 'new words' }) }));
      const rank = { snapshot: (await bench.store.load('stats', 'a'))!, ranked: { rating: 5, popularity: 1 } };
      await bench.store.rankOwners([{ owner: 'did:svc:seller', reputation: 10 }]);
      await bench.store.rebuildSearch('rules-2', pages(...entries, rank));
      expect(await bench.store.searchRules()).to.equal('rules-2');
      expect(await ids(words('maps'))).to.equal('');
      expect(await ids(words('words'))).to.equal('d c b a');
      expect(await ids({ minRating: 5 })).to.equal('a');
      expect(await ids({ minReputation: 10 })).to.equal('d c b a');
    });

    it('takes texts of a letter that is eight, and is rebuilt from them, as fast as others', async () => {
      const costly = { title: 'jallajalalouhou', description: '\ufdfb'.repeat(10_000) };
      const before = process.cpuUsage();
      await publish(['a', costly], ['b', costly]);
      const snapshots = await Promise.all(['a', 'b'].map((id) => bench.store.load('listing', id)));
      const entries = snapshots.map((snapshot) => ({ snapshot: snapshot!, found: searched(costly) }));
      await bench.store.rebuildSearch('rules-2', pages(...entries));
      expect(await ids(words('\ufdfb'))).to.equal('b a');
      expect(process.cpuUsage(before).user / 1000, 'ms of CPU').to.be.lessThan(2_000);
    });

    it('is the same after closing', async () => {
      await shelf();
      await bench.store.rebuildSearch('rules-1', pages());
      await publish(['e', { title: 'Maps' }]);
      const before = await search({ ...words('map'), facets: ['tag'] });
      await bench.reopen();
      expect(await search({ ...words('map'), facets: ['tag'] })).to.deep.equal(before);
      expect(await bench.store.searchRules()).to.equal('rules-1');
    });
  });
}
