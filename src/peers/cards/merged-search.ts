/**
 * A search over this node's own store and the index of cards, as if both were one. Both sort by the same key, and no id
 * is in both, so a cursor is good for both.
 */
import { facetsOf, type SearchQuery, type SearchResult, type SortPlace } from '../../store/search.js';
import { encodeCursor, type StoreReader } from '../../store/store.js';

type Both<T> = readonly [T, T];
type BothStores = Both<Pick<StoreReader, 'search'>>;

/** Throws RefusedError (INVALID_REQUEST) for a malformed cursor. */
export async function mergedSearch(stores: BothStores, query: SearchQuery): Promise<SearchResult> {
  const { page } = query;
  const offsets = page.after === undefined ? await skipped(stores, query) : ([0, 0] as const);
  const pages = await bothOf((at) =>
    stores[at].search({ ...query, isPart: true, page: { ...page, offset: offsets[at] } }),
  );
  const items: SearchResult['items'][number][] = [];
  const taken: [number, number] = [0, 0];
  const isRead = (at: 0 | 1) => taken[at] === pages[at].items.length;
  let last: SortPlace | undefined;
  while (items.length < page.limit) {
    // What follows a page that ended early is unknown, so nothing may be placed before it.
    if (([0, 1] as const).some((at) => isRead(at) && pages[at].next !== null)) break;
    const first = firstOf([pages[0].places![taken[0]], pages[1].places![taken[1]]]);
    if (first === undefined) break;
    items.push(pages[first].items[taken[first]]!);
    last = pages[first].places![taken[first]]!;
    taken[first]++;
  }
  const hasMore = ([0, 1] as const).some((at) => !isRead(at) || pages[at].next !== null);
  return {
    items,
    total: pages[0].total + pages[1].total,
    next: last && hasMore ? encodeCursor(...last) : null,
    facets: facetsOf(query, summed(pages)),
  };
}

const bothOf = <T>(one: (at: 0 | 1) => Promise<T>): Promise<[T, T]> => Promise.all([one(0), one(1)]);

/**
 * How many results of each store are among the first `offset` of both: the first of those at rank `offset / 2` of each
 * is certainly among them, with all before it, so each round skips half of the rest.
 */
async function skipped(stores: BothStores, query: SearchQuery): Promise<Both<number>> {
  const offsets: [number, number] = [0, 0];
  for (let left = query.page.offset; left > 0; ) {
    const step = Math.max(1, Math.floor(left / 2));
    const places = await bothOf(async (at) => {
      const page = { limit: 1, offset: offsets[at] + step - 1 };
      return (await stores[at].search({ ...query, facets: [], isPart: true, page })).places![0];
    });
    const first = firstOf(places);
    // Both together have fewer results than are to be skipped.
    if (first === undefined) return [offsets[0] + step, offsets[1] + step];
    offsets[first] += step;
    left -= step;
  }
  return offsets;
}

/** Which place sorts first; undefined without any. */
function firstOf([own, other]: Both<SortPlace | undefined>): 0 | 1 | undefined {
  if (!own || !other) return own ? 0 : other && 1;
  for (const [index, member] of own.entries()) {
    if (member !== other[index]) return member > other[index]! ? 0 : 1;
  }
  return 0;
}

/** Counts by label. */
function summed(pages: Both<SearchResult>): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { facets } of pages) {
    for (const [name, values] of Object.entries(facets)) {
      for (const { key, count } of values) counts.set(`${name}:${key}`, (counts.get(`${name}:${key}`) ?? 0) + count);
    }
  }
  return counts;
}
