/** Lists and searches over several stores, with cursors, totals and facets like those of a single store. */
import { listPlace } from '../../store/list-order.js';
import {
  facetsOf,
  positionIn,
  type SearchQuery,
  type SearchResult,
  type SortPlace,
  searchCursor,
  sortOf,
} from '../../store/search/search.js';
import {
  cursorOf,
  type FindQuery,
  type PageRequest,
  positionOf,
  type Snapshot,
  type StoreReader,
} from '../../store/store.js';
import { type ListPlace, type MergedPage, mergedPage, type Part } from './merged-page.js';

export interface HomeStore {
  /** DID; '' for the node's own store. */
  readonly home: string;
  readonly store: Pick<StoreReader, 'find' | 'search'>;
}

const lengthOf = ({ context }: Snapshot): number => JSON.stringify(context).length;

/** Like `find` of one store. @param stores in order of their homes */
export function findIn(stores: readonly HomeStore[], { page, ...query }: FindQuery): Promise<MergedPage<Snapshot>> {
  const parts = stores.map(({ home, store }): Part<Snapshot> => {
    const pageOf = async (request: PageRequest) => {
      const { items, total, next } = await store.find({ ...query, page: request });
      const places = items.map((item): ListPlace => listPlace(item, query.sort));
      return { items, places, total, hasMore: next !== null };
    };
    return { home, page: pageOf };
  });
  return mergedPage(parts, page, {
    lengthOf,
    cursor: (place, ...home) => cursorOf(...place, ...home),
    read: (after) => split(positionOf(after, ['number', 'string'], ['string']), 2),
  });
}

/** Like `search` of one store. @param stores in order of their homes */
export async function searchIn(
  stores: readonly HomeStore[],
  { page, ...query }: SearchQuery,
): Promise<MergedPage<Snapshot> & Pick<SearchResult, 'facets'>> {
  const sort = sortOf(query);
  const counts = new Map<string, number>();
  const parts = stores.map(({ home, store }): Part<Snapshot> => {
    let isCounted = false;
    const pageOf = async (request: PageRequest) => {
      const facets = isCounted ? [] : query.facets;
      isCounted = true;
      const found = await store.search({ ...query, facets, isPart: true, page: request });
      for (const [name, values] of Object.entries(found.facets)) {
        for (const { key, count } of values) counts.set(`${name}:${key}`, (counts.get(`${name}:${key}`) ?? 0) + count);
      }
      return { items: found.items, places: found.places!, total: found.total, hasMore: found.next !== null };
    };
    return { home, page: pageOf };
  });
  const merged = await mergedPage(parts, page, {
    lengthOf,
    cursor: (place, ...home) => searchCursor(sort, place as unknown as SortPlace, ...home),
    read: (after) => split(positionIn(after, sort, ['string']), 3),
  });
  return { ...merged, facets: facetsOf(query, counts) };
}

const split = (position: readonly (string | number)[], length: number) => ({
  place: position.slice(0, length) as unknown as ListPlace,
  home: String(position[length] ?? ''),
});
