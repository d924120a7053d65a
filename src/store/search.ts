/**
 * The part of search that is the same on every store: queries and sort order.
 */

import type { JsonObject } from '../core/canonical.js';
import { type LeafTexts, searchableText } from '../core/leaf.js';
import type { AnyDefinition } from '../machines/kernel/definition.js';
import type { Ranked, Searched, WeighedText } from '../machines/kernel/searched.js';
import { decodeCursor, type PageRequest } from './page.js';
import type { Snapshot } from './snapshot.js';

/** Ties are sorted by creation, newest first, then by id, descending. */
export const sorts = ['relevance', 'newest', 'price_asc', 'price_desc', 'rating', 'popular', 'reputation'] as const;
export type Sort = (typeof sorts)[number];

export interface SearchQuery {
  /** Normalised words (wordsOf): each must be a prefix of one of the resource's words. */
  readonly words: readonly string[];
  /** Groups of labels: the resource must have at least one label of each group. */
  readonly labels: readonly (readonly string[])[];
  /** Any of these markets; absent: all. */
  readonly markets?: readonly string[] | undefined;
  /** Any of these states; an expired resource counts as `expired`. */
  readonly statuses: readonly string[];
  readonly visibility: readonly Searched['visibility'][];
  /** DID of the reader: private resources are found by their owner only. */
  readonly reader?: string | undefined;
  readonly owner?: string | undefined;
  /** Ids of resources that are not found. */
  readonly hidden?: readonly string[] | undefined;
  /** Inclusive bounds; resources without a price never match. */
  readonly minPrice?: number | undefined;
  readonly maxPrice?: number | undefined;
  readonly minRating?: number | undefined;
  readonly minReputation?: number | undefined;
  /** Current time, epoch ms. */
  readonly time: number;
  readonly sort: Sort;
  readonly page: PageRequest;
  /** Names of labels to count over all matches; empty: none. */
  readonly facets: readonly string[];
  /** Set if the result is merged with those of other stores: it then has `places`, and more values of its facets. */
  readonly isPart?: boolean | undefined;
}

export interface FacetCount {
  readonly key: string;
  readonly count: number;
}

export interface SearchResult {
  readonly items: readonly Snapshot[];
  readonly total: number;
  readonly next: string | null;
  /** By label name; the most frequent values first, then by key. */
  readonly facets: { readonly [name: string]: readonly FacetCount[] };
  readonly places?: readonly SortPlace[] | undefined;
}

export const textsOf = ({ texts }: Pick<Searched, 'texts'>, leaves: LeafTexts): readonly WeighedText[] =>
  texts.map(([text, weight]) => [typeof text === 'string' ? text : searchableText(leaves(text.leaf)), weight]);

export const searchedLeaves = (found: readonly (Pick<Searched, 'texts'> | undefined)[]): readonly string[] =>
  found.flatMap((each) => each?.texts.flatMap(([text]) => (typeof text === 'string' ? [] : [text.leaf])) ?? []);

/** The change of the index by a snapshot's write. */
export interface SearchWrite {
  /** The resource's searchable content from now on; its status is the snapshot's state. */
  readonly found?: Searched;
  readonly before?: Searched | undefined;
  /** New ranking figures of the resource with this snapshot's id. */
  readonly ranked?: Ranked;
}

/** Another text of a resource that is searched, without a new version of it. */
export interface Rewording {
  readonly id: string;
  readonly version: number;
  readonly found: Searched;
  readonly before: Searched;
}

/** What the search index stores of a version. */
export function searchOf(
  definition: AnyDefinition,
  { state, context }: Pick<Snapshot, 'state' | 'context'>,
  before?: JsonObject,
): SearchWrite | undefined {
  if (definition.form === 'machine' && definition.search) {
    const found = definition.search.of(state, context as never);
    return before ? { found, before: definition.search.of(state, before as never) } : { found };
  }
  return definition.form === 'reducer' && definition.ranks ? { ranked: definition.ranks(context as never) } : undefined;
}

/** A resource for rebuilding the index. */
export interface SearchEntry extends SearchWrite {
  readonly snapshot: Pick<Snapshot, 'kind' | 'id' | 'version' | 'state' | 'createdAt'>;
}

export interface IndexedEntry extends SearchEntry {
  /** Version of the resource that gives the ranking figures; 0 before the first. */
  readonly ranksVersion: number;
}

/** Reputation score by which an owner's resources are ranked, 0..1000; null if the owner has none. */
export interface OwnerRank {
  readonly owner: string;
  readonly reputation: number | null;
}

/**
 * The most values per facet; and per facet of a result that is merged with others, whose counts are exact up to here.
 */
const mostFacetKeys = 100;
const mostPartialFacetKeys = 10_000;

/** Resources without a price come last in both directions. */
const noPrice = Number.MAX_SAFE_INTEGER;

export interface SortKeys {
  readonly relevance: number;
  readonly price: number | null;
  readonly rating: number | null;
  readonly popularity: number;
  readonly reputation: number | null;
}

/** The number of each sort, `sign * (column ?? missing)`, of which larger ones come first; null: there is nothing to sort by. */
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

export function sortNumber(sort: Sort, keys: SortKeys): number {
  const by = sortColumn[sort];
  return by ? by.sign * (keys[by.column] ?? by.missing) : 0;
}

/** Without words all matches are equally relevant, so they are sorted by age. */
export const sortOf = ({ sort, words }: Pick<SearchQuery, 'sort' | 'words'>): Sort =>
  sort === 'relevance' && words.length === 0 ? 'newest' : sort;

export type SortPlace = readonly [number: number, createdAt: number, id: string];

/**
 * The position after which the page starts; undefined without a cursor. Throws RefusedError (INVALID_REQUEST) for
 * another text.
 */
export const placeAfter = ({ page: { after } }: SearchQuery): SortPlace | undefined =>
  after === undefined ? undefined : (decodeCursor(after, ['number', 'number', 'string']) as unknown as SortPlace);

/** Compares by code points, as databases do. */
const compareTexts = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

/** Builds facets from counts by label; labels that were not requested are omitted. */
export function facetsOf(
  { facets: names, isPart }: Pick<SearchQuery, 'facets' | 'isPart'>,
  counts: Iterable<readonly [string, number]>,
): SearchResult['facets'] {
  const facets: { [name: string]: FacetCount[] } = Object.fromEntries(names.map((name) => [name, []]));
  const most = isPart ? mostPartialFacetKeys : mostFacetKeys;
  for (const [label, count] of counts) {
    const colon = label.indexOf(':');
    facets[label.slice(0, colon)]?.push({ key: label.slice(colon + 1), count });
  }
  for (const facet of Object.values(facets)) {
    facet.sort((a, b) => b.count - a.count || compareTexts(a.key, b.key)).splice(most);
  }
  return facets;
}
