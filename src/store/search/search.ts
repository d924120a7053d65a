/**
 * Search, the part of the port that is the same on every store: what can be asked, and in which order things come.
 */

import { invalid, RefusedError } from '../../core/refusal.js';
import type { Ranked, Searched } from '../../machines/kernel/searched.js';
import { cursorOf, type PageRequest, positionOf } from '../page.js';
import type { Snapshot } from '../snapshot.js';

/** Ties are broken by creation, newest first, then by id, descending. */
export const sorts = ['relevance', 'newest', 'price_asc', 'price_desc', 'rating', 'popular', 'reputation'] as const;
export type Sort = (typeof sorts)[number];

export interface SearchQuery {
  /** Folded words (wordsOf): each must be the beginning of one of the resource's. */
  readonly words: readonly string[];
  /** Of each group the resource carries one label at least. */
  readonly labels: readonly (readonly string[])[];
  /** Any of these markets; absent: all. */
  readonly markets?: readonly string[] | undefined;
  /** Any of these states, where what has expired counts as `expired`. */
  readonly statuses: readonly string[];
  readonly visibility: readonly Searched['visibility'][];
  /** Who asks: private ones are found by their owner alone. */
  readonly reader?: string | undefined;
  readonly owner?: string | undefined;
  /** Bounds, both included; what has no price is in none. */
  readonly minPrice?: number | undefined;
  readonly maxPrice?: number | undefined;
  readonly minRating?: number | undefined;
  readonly minReputation?: number | undefined;
  /** The clock, epoch ms. */
  readonly time: number;
  readonly sort: Sort;
  readonly page: PageRequest;
  /** Names of labels to be counted over all that match; empty: none. */
  readonly facets: readonly string[];
}

export interface FacetCount {
  readonly key: string;
  readonly count: number;
}

export interface SearchResult {
  readonly items: readonly Snapshot[];
  readonly total: number;
  readonly next: string | null;
  /** By name of the label; of each the most frequent, then in the order of the keys. */
  readonly facets: { readonly [name: string]: readonly FacetCount[] };
}

/** What a snapshot's write does to the index. */
export interface SearchWrite {
  /** The resource as it is found from now on; its status is the snapshot's state. */
  readonly found?: Searched;
  /** What it was found by until now. */
  readonly before?: Searched | undefined;
  /** Of the resource with this snapshot's id. */
  readonly ranked?: Ranked;
}

/** A resource as a rebuilt index takes it. */
export interface SearchEntry extends SearchWrite {
  readonly snapshot: Pick<Snapshot, 'kind' | 'id' | 'version' | 'state' | 'createdAt'>;
}

/** Reputation by which an owner's resources are ranked, 0..1000; null: as where there was never one. */
export interface OwnerRank {
  readonly owner: string;
  readonly reputation: number | null;
}

/** Keys of one facet. */
const mostFacetKeys = 100;

/** What has none comes last in either direction. */
const noPrice = Number.MAX_SAFE_INTEGER;

/** The numbers that a sort may go by, under these names on every store. */
export interface SortKeys {
  readonly relevance: number;
  readonly price: number | null;
  readonly rating: number | null;
  readonly popularity: number;
  readonly reputation: number | null;
}

/** A sort's number: the larger comes first. */
export const sortNumber: { readonly [S in Sort]: (keys: SortKeys) => number } = {
  relevance: ({ relevance }) => relevance,
  newest: () => 0,
  price_asc: ({ price }) => -(price ?? noPrice),
  price_desc: ({ price }) => price ?? -1,
  rating: ({ rating }) => rating ?? -1,
  popular: ({ popularity }) => popularity,
  reputation: ({ reputation }) => reputation ?? -1,
};

/** The same as arithmetic over named columns: `sign * (column ?? missing)`; null where there is nothing to sort by. */
export const sortColumn: {
  readonly [S in Sort]: { readonly column: keyof SortKeys; readonly missing: number; readonly sign: 1 | -1 } | null;
} = {
  relevance: { column: 'relevance', missing: 0, sign: 1 },
  newest: null,
  price_asc: { column: 'price', missing: noPrice, sign: -1 },
  price_desc: { column: 'price', missing: -1, sign: 1 },
  rating: { column: 'rating', missing: -1, sign: 1 },
  popular: { column: 'popularity', missing: 0, sign: 1 },
  reputation: { column: 'reputation', missing: -1, sign: 1 },
};

/** Without words all are as relevant: then nothing is left to sort by but age. */
export const sortOf = ({ sort, words }: Pick<SearchQuery, 'sort' | 'words'>): Sort =>
  sort === 'relevance' && words.length === 0 ? 'newest' : sort;

/** Where a resource stands in a sort. */
export type SortPlace = readonly [number: number, createdAt: number, id: string];

export const searchCursor = (sort: Sort, place: SortPlace): string => cursorOf(sort, ...place);

/** @returns undefined without a cursor; throws RefusedError (INVALID_REQUEST) where it is of another sort */
export function placeAfter({ page: { after }, ...query }: SearchQuery): SortPlace | undefined {
  if (after === undefined) return undefined;
  const [sort, ...place] = positionOf(after, ['string', 'number', 'number', 'string']);
  if (sort !== sortOf(query)) throw new RefusedError(invalid('after', 'is a cursor of another sort'));
  return place as unknown as SortPlace;
}

/** In the order of their code points, as databases compare texts. */
const compareTexts = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Facets out of counts by label; what is not asked for is left out. */
export function facetsOf(
  names: readonly string[],
  counts: Iterable<readonly [string, number]>,
): SearchResult['facets'] {
  const facets: { [name: string]: FacetCount[] } = Object.fromEntries(names.map((name) => [name, []]));
  for (const [label, count] of counts) {
    const colon = label.indexOf(':');
    facets[label.slice(0, colon)]?.push({ key: label.slice(colon + 1), count });
  }
  for (const facet of Object.values(facets)) {
    facet.sort((a, b) => b.count - a.count || compareTexts(a.key, b.key)).splice(mostFacetKeys);
  }
  return facets;
}
