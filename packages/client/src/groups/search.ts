/** Searches of the markets (docs/reference/markets.md#search). */
import type { Query, ReadOptions } from '../http.js';
import { type Paged, paged } from '../pages.js';
import type {
  CapabilityListing,
  CapabilityMarketSearchResult,
  InfoListing,
  InfoMarketSearchResult,
  MarketSearchResult,
  Queries,
  TaskListing,
  TaskMarketSearchResult,
} from '../wire.js';
import type { Writes } from '../writes.js';

type AnyListing = MarketSearchResult['listings'][number];

export class Search {
  constructor(private readonly writes: Writes) {}

  all(filter?: Queries['searchMarkets'], options?: ReadOptions): Paged<MarketSearchResult, AnyListing> {
    return this.#ask('/markets/search', filter, options);
  }

  info(filter?: Queries['listInfoListings'], options?: ReadOptions): Paged<InfoMarketSearchResult, InfoListing> {
    return this.#ask('/markets/info', filter, options);
  }

  tasks(filter?: Queries['listTaskListings'], options?: ReadOptions): Paged<TaskMarketSearchResult, TaskListing> {
    return this.#ask('/markets/tasks', filter, options);
  }

  capabilities(
    filter?: Queries['listCapabilityListings'],
    options?: ReadOptions,
  ): Paged<CapabilityMarketSearchResult, CapabilityListing> {
    return this.#ask('/markets/capabilities', filter, options);
  }

  #ask<Page extends MarketSearchResult, L>(
    path: string,
    filter: object | undefined,
    options?: ReadOptions,
  ): Paged<Page, L> {
    return paged((asked) => this.writes.http.get(path, asked, options), { ...(filter as Query) }, 'listings');
  }
}
