/** Searches of the markets (interface, Markets: search; decisions.md, Search). */
import type { Sort } from '../../store/search/search.js';
import type { ReadOptions } from '../http.js';
import type { CapabilityListing, InfoListing, ListingStatus, TaskListing } from '../kinds/listing.js';
import { type Paged, paged } from '../pages.js';
import type { Pagination, Paging } from '../views.js';
import type { Writes } from '../writes.js';

/** Any of a filter's values will do; all filters must. */
export interface SearchFilter extends Paging {
  /** Each word must begin one of the title, tags, category or description. */
  readonly keyword?: string;
  readonly category?: readonly string[];
  readonly tags?: readonly string[];
  readonly skills?: readonly string[];
  readonly infoTypes?: readonly string[];
  readonly taskTypes?: readonly string[];
  readonly capabilityType?: readonly string[];
  readonly contentFormats?: readonly string[];
  readonly accessMethods?: readonly string[];
  readonly minPrice?: number;
  readonly maxPrice?: number;
  /** In stars. */
  readonly minRating?: number;
  /** 0..1000, of the seller. */
  readonly minReputation?: number;
  /** @default active */
  readonly statuses?: readonly ListingStatus[];
  /** @default public; private ones are found by their owner alone */
  readonly visibility?: readonly ('public' | 'private')[];
  readonly seller?: string;
  /** @default relevance */
  readonly sort?: Sort;
  /** Counts over the whole result. */
  readonly includeFacets?: boolean;
  readonly include?: 'permittedActions';
}

export interface FacetCount {
  readonly key: string;
  readonly count: number;
}

type AnyListing = InfoListing | TaskListing | CapabilityListing;

export interface SearchPage<Listing> {
  readonly listings: readonly Listing[];
  readonly total: number;
  readonly page: number;
  readonly pageSize: number;
  readonly pagination: Pagination;
  /** With `includeFacets`. */
  readonly facets?: { readonly [name in 'markets' | 'categories' | 'tags' | 'types' | 'price']: readonly FacetCount[] };
}

export class Search {
  constructor(private readonly writes: Writes) {}

  all(
    filter?: SearchFilter & { readonly markets?: readonly string[] },
    options?: ReadOptions,
  ): Paged<SearchPage<AnyListing>, AnyListing> {
    return this.#ask('/markets/search', filter, options);
  }

  info(filter?: SearchFilter, options?: ReadOptions): Paged<SearchPage<InfoListing>, InfoListing> {
    return this.#ask('/markets/info', filter, options);
  }

  tasks(filter?: SearchFilter, options?: ReadOptions): Paged<SearchPage<TaskListing>, TaskListing> {
    return this.#ask('/markets/tasks', filter, options);
  }

  capabilities(filter?: SearchFilter, options?: ReadOptions): Paged<SearchPage<CapabilityListing>, CapabilityListing> {
    return this.#ask('/markets/capabilities', filter, options);
  }

  #ask<L>(path: string, filter: SearchFilter = {}, options?: ReadOptions): Paged<SearchPage<L>, L> {
    const query = Object.entries(filter).map(([name, value]) => [name, Array.isArray(value) ? value.join() : value]);
    return paged((asked) => this.writes.http.get(path, asked, options), Object.fromEntries(query), 'listings');
  }
}
