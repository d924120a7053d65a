/** Pages and query parameters. */
import { expect } from 'chai';
import { bounds } from '../../src/core/bounds.js';
import { isRefusal, type Refusal, RefusedError } from '../../src/core/refusal.js';
import { aliased, boolean, decimal, list, object, oneOf, optional, text, time } from '../../src/core/schema/scalar.js';
import { pageFields, pageOf, pagination, slicePage } from '../../src/http/render/pagination.js';
import { queryReader } from '../../src/http/server/query.js';
import { encodeCursor } from '../../src/store/store.js';

const readPage = queryReader(object(pageFields));
const page = (query: string): unknown => {
  const read = readPage(`/x${query}`);
  const asked = isRefusal(read) ? read : pageOf({ path: '/x', query: read });
  if (isRefusal(asked)) return asked;
  const { characters, list: _, ...named } = asked;
  expect(characters).to.equal(bounds.pageCharacters);
  return named;
};
const refused = (outcome: unknown, field: string) => {
  expect(isRefusal(outcome), JSON.stringify(outcome)).to.equal(true);
  expect((outcome as Refusal).code).to.equal('INVALID_REQUEST');
  expect((outcome as Refusal).extras.errors?.[0]?.field).to.equal(field);
};

describe('http: pages', () => {
  it('default to 20 from the start', () => {
    for (const query of ['', '?', '?&', '?unknown=1']) expect(page(query)).to.deep.equal({ limit: 20, offset: 0 });
  });

  it('are named by limit and offset, or by page and pageSize, or per_page', () => {
    expect(page('?limit=5&offset=7')).to.deep.equal({ limit: 5, offset: 7 });
    expect(page('?page=3&pageSize=10')).to.deep.equal({ limit: 10, offset: 20 });
    expect(page('?page=3&per_page=10')).to.deep.equal({ limit: 10, offset: 20 });
    expect(page('?page=2')).to.deep.equal({ limit: 20, offset: 20 });
    expect(page('?limit=10&pageSize=10&per_page=10&page=2&offset=10')).to.deep.equal({ limit: 10, offset: 10 });
    expect(page('?limit=100&offset=10000')).to.deep.equal({ limit: 100, offset: 10_000 });
  });

  it('are refused where two spellings differ or a bound is passed', () => {
    refused(page('?limit=10&pageSize=11'), 'pageSize');
    refused(page('?pageSize=10&per_page=11'), 'pageSize');
    refused(page('?page=2&offset=0'), 'page');
    refused(page('?page=502&pageSize=20'), 'page');
    refused(page('?limit=101'), 'limit');
    refused(page('?limit=0'), 'limit');
    refused(page('?limit=-1'), 'limit');
    refused(page('?limit=1.5'), 'limit');
    refused(page('?limit=ten'), 'limit');
    refused(page('?limit='), 'limit');
    refused(page('?limit=1e3'), 'limit');
    refused(page('?limit=0.99999999999999999'), 'limit');
    expect(page('?limit=5.0')).to.deep.equal(page('?limit=5'));
    expect(page('?limit=1e2')).to.deep.equal(page('?limit=100'));
    refused(page('?offset=10001'), 'offset');
    refused(page('?page=0'), 'page');
    refused(page('?page=9007199254740993'), 'page');
    refused(page('?after='), 'after');
  });

  const list = (path: string, query: object) => {
    const asked = pageOf({ path, query });
    return isRefusal(asked) ? asked : pagination(asked, 9, 'abc').after!;
  };
  const after = list('/x', {}) as string;

  it('continue after a cursor, which replaces the offset', () => {
    expect(page(`?after=${after}&limit=5`)).to.deep.equal({ limit: 5, offset: 0, after: 'abc' });
    expect(page(`?after=${after}&page=1`)).to.deep.equal({ limit: 20, offset: 0, after: 'abc' });
    refused(page(`?after=${after}&offset=5`), 'after');
    refused(page(`?after=${after}&page=2`), 'after');
    refused(page('?after=abc'), 'after');
  });

  it('have cursors that are good for one list, whatever its page and what is shown', () => {
    for (const query of [{ limit: 3 }, { pageSize: 3, page: 2 }, { include: 'all' }, { sort: undefined }]) {
      expect(list('/x', query), JSON.stringify(query)).to.equal(after);
    }
    expect(list('/x', { sort: 'newest', did: 'a' })).to.equal(list('/x', { did: 'a', sort: 'newest' }));
    expect(list('/y', {})).to.not.equal(after);
    expect(list('/x', { sort: 'newest' })).to.not.equal(after);
    refused(list('/y', { after }), 'after');
    refused(list('/x', { after, sort: 'newest' }), 'after');
  });

  it('are described in every list', () => {
    expect(pagination({ limit: 10, offset: 25, list: '.l' }, 100, 'c')).to.deep.equal({
      total: 100,
      limit: 10,
      offset: 25,
      hasMore: true,
      page: 3,
      pageSize: 10,
      after: 'c.l',
    });
    const last = pagination({ limit: 10, offset: 0, list: '.l' }, 3, null);
    expect(last).to.include({ hasMore: false, page: 1, after: null });
  });

  const slice = (all: readonly number[], asked: { limit: number; after?: string }, order?: 'ascending') =>
    slicePage(all, { offset: 0, ...asked }, (each) => [each % 2, each], order);

  it('of what is in memory follow the positions of the elements', () => {
    for (const [order, sorted] of [
      ['ascending', [2, 4, 1, 3, 11]],
      [undefined, [11, 3, 1, 4, 2]],
    ] as const) {
      const all = [1, 2, 3, 4, 11];
      const first = slice(all, { limit: 2 }, order);
      expect(first.items).to.deep.equal(sorted.slice(0, 2));
      // The last element of the page is deleted, and one is inserted before it.
      const changed = [...all.filter((each) => each !== first.items[1]), order ? 0 : 13];
      const second = slice(changed, { limit: 5, after: first.next! }, order);
      expect(second).to.deep.equal({ items: sorted.slice(2), next: null });
    }
    expect(slice([], { limit: 5, after: 'junk' })).to.deep.equal({ items: [], next: null });
  });

  it('of what is in memory refuse a cursor that they did not hand out', () => {
    for (const after of ['junk', encodeCursor(1), encodeCursor(1, 'a'), encodeCursor(1, 2, 3)]) {
      expect(() => slice([1, 2, 3], { limit: 5, after }), after)
        .to.throw(RefusedError)
        .with.nested.property('refusal.code', 'INVALID_REQUEST');
    }
  });
});

describe('http: queries', () => {
  const read = queryReader(
    object({
      tags: optional(list(text(10))),
      open: optional(boolean),
      price: optional(decimal(0, 1_000)),
      since: optional(time),
      sort: optional(oneOf('newest', 'price_asc')),
      q: optional(text(50)),
    }),
  );

  it('become what the scalar asks for', () => {
    expect(read('/x?tags=a,b,%20c&open=true&price=1.5&since=1700000000000&sort=newest&q=a+b%2Bc')).to.deep.equal({
      tags: ['a', 'b', 'c'],
      open: true,
      price: 1.5,
      since: 1_700_000_000_000,
      sort: 'newest',
      q: 'a b+c',
    });
    expect(read('/x?since=2023-11-14T22:13:20Z')).to.deep.equal({ since: 1_700_000_000_000 });
    expect(read('/x?q=123')).to.deep.equal({ q: '123' });
    expect(read('/x?tags=')).to.deep.equal({ tags: [] });
  });

  it('take a list with commas, repeated, or with brackets', () => {
    for (const query of [
      'tags=a,b',
      'tags=a&tags=b',
      'tags[]=a&tags[]=b',
      'tags%5B%5D=a&tags=b',
      'tags=a&x=1&tags=b',
    ]) {
      expect(read(`/x?${query}`), query).to.deep.equal({ tags: ['a', 'b'] });
    }
    // Only the single plain form is split.
    expect(read('/x?tags[]=a,%20b')).to.deep.equal({ tags: ['a, b'] });
    expect(read('/x?tags=a,b&tags=c')).to.deep.equal({ tags: ['a,b', 'c'] });
    refused(read('/x?tags=a&tags=far-too-long-a-word'), 'tags');
  });

  it('take true, false, 1 and 0 in any case', () => {
    for (const text of ['true', 'True', 'TRUE', '1'])
      expect(read(`/x?open=${text}`), text).to.deep.equal({ open: true });
    for (const text of ['false', 'False', '0']) expect(read(`/x?open=${text}`), text).to.deep.equal({ open: false });
    for (const text of ['yes', '2', '']) refused(read(`/x?open=${text}`), 'open');
  });

  it('may use another name of a parameter', () => {
    const aliases = queryReader(aliased(object({ did: optional(text(9)) }), { party: 'did' }));
    expect(aliases('/x?party=a')).to.deep.equal({ did: 'a' });
    refused(aliases('/x?party=a&did=b'), 'did');
    const lists = queryReader(aliased(object({ tags: optional(list(text(9), 0, 9)) }), { labels: 'tags' }));
    expect(lists('/x?labels[]=a,b')).to.deep.equal({ tags: ['a,b'] });
  });

  it('may repeat a parameter only with the same value', () => {
    expect(read('/x?q=a&q=a')).to.deep.equal({ q: 'a' });
    refused(read('/x?q=a&q=b'), 'q');
    refused(read('/x?%71=a&q=b'), 'q');
    expect(read('/x?unknown=a&unknown=b')).to.deep.equal({});
  });

  it('are refused where a value is wrong', () => {
    refused(read('/x?open=2'), 'open');
    refused(read('/x?open='), 'open');
    refused(read('/x?price=Infinity'), 'price');
    refused(read('/x?price=0x10'), 'price');
    refused(read('/x?price=1e400'), 'price');
    refused(read('/x?sort=oldest'), 'sort');
    refused(read(`/x?${Array.from({ length: 101 }, (_, i) => `p${i}=1`).join('&')}`), 'query');
  });

  it('keep away from prototypes', () => {
    expect(read('/x?__proto__=1&constructor=2&q=a')).to.deep.equal({ q: 'a' });
    expect(({} as { polluted?: unknown }).polluted).to.equal(undefined);
  });
});
