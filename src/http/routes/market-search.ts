/**
 * Search routes (docs/reference/markets.md#search): one over all markets, and one for each market in place of its list.
 * All have the same filters.
 */

import { bounds } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import { invalid, isRefusal, type Refusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import { searchedOf } from '../../machines/catalogue.js';
import type { AnyResource } from '../../machines/kernel/definition.js';
import { type SearchQuery, type SearchResult, type Sort, sorts } from '../../store/search.js';
import { searchWords } from '../../store/words.js';
import type { ApiContext } from '../context/api-context.js';
import { searchSchemaOf } from '../openapi/schemas/markets.js';
import { type ListPageRequest, pageFields, pageOf, pagination } from '../render/pagination.js';
import type { Call, Route } from '../server/route.js';
import { basePath, title } from './derived-paths.js';
import { listedResource } from './derived-reads.js';
import { foundByHiddenWords } from './hidden-words.js';

const value = is.name(128);
const values = is.list(value, 0, bounds.filterValues);
const listOf = (says: string) => is.optional(values, `${says}: any of these, separated by commas.`);
const price = is.optional(is.integer(0), 'In Tokens. A listing without a fixed price counts with its lowest price.');
const statuses = ['active', 'paused', 'expired', 'removed'] as const;

/** Values of `sortBy` that sort descending. Not `price`, for which `sortOrder` decides. */
const descending = {
  createdAt: 'newest',
  date: 'newest',
  newest: 'newest',
  rating: 'rating',
  popular: 'popular',
  popularity: 'popular',
  reputation: 'reputation',
  relevance: 'relevance',
} as const satisfies { readonly [name: string]: Sort };
const sortNames = ['price', ...(Object.keys(descending) as (keyof typeof descending)[])] as const;
const withOrder = 'An alternative to `sort`, with `sortOrder`. Price ascends by default; the others can only descend.';
const keyword = is.text(bounds.keywordLength);

const filters = {
  keyword: is.optional(
    keyword,
    'Each word must match the beginning of a word in the title, tags, category or description.',
  ),
  q: is.optional(keyword, 'The same as `keyword`.'),
  category: listOf('Category'),
  tags: listOf('Tags'),
  skills: listOf('Skills that a task asks for'),
  infoTypes: listOf('`infoType`'),
  taskTypes: listOf('`taskType`'),
  capabilityType: listOf('`capabilityType`'),
  type: listOf('Type, in any market, or the name of a market for all its types'),
  contentFormats: listOf('`content.format`'),
  accessMethods: listOf('Type of the access method'),
  minPrice: price,
  maxPrice: price,
  minRating: is.optional(is.decimal(0, 5), 'Average of the listing’s ratings, in stars.'),
  minReputation: is.optional(is.decimal(0, 1000), 'Reputation score of the seller.'),
  statuses: is.optional(is.list(is.oneOf(...statuses), 0, 4), 'Any of these; default active.'),
  status: is.optional(is.list(is.oneOf(...statuses), 0, 4), 'The same as `statuses`.'),
  visibility: is.optional(
    is.list(is.oneOf('public', 'private'), 0, 2),
    'Default public; private ones are shown to their owner.',
  ),
  seller: is.optional(is.account, 'DID or address of the DID that published it.'),
  did: is.optional(is.account, 'The same as `seller`.'),
  role: is.optional(is.oneOf('all', 'seller'), '`seller`: those of `did`, or of the API key’s DID.'),
  sort: is.optional(is.oneOf(...sorts), 'Default: relevance. Equal results are sorted newest first, then by id.'),
  sortBy: is.optional(is.oneOf(...sortNames), withOrder),
  sortOrder: is.optional(is.oneOf('asc', 'desc'), 'The direction of `sortBy`.'),
  home: is.optional(
    is.text(128, 1),
    '`own`, or DID or tag of a home: only listings of that home. Default: of all homes.',
  ),
  includeFacets: is.optional(is.boolean, 'Whether to count values over the whole result; default false.'),
  include: is.optional(is.oneOf('permittedActions'), 'Members to include that a list omits by default.'),
  ...pageFields,
};

/** The only party of a listing is its seller; a requester publishes a task, and sells none. */
const otherNames = { party: 'did', state: 'statuses' };

type SearchFilters = is.ObjectOf<typeof filters> & { readonly markets?: readonly string[] };

/** Filters that select by label, by the label's name. */
const labelled = {
  category: 'category',
  tags: 'tag',
  skills: 'skill',
  infoTypes: 'infoType',
  taskTypes: 'taskType',
  capabilityType: 'capabilityType',
  contentFormats: 'contentFormat',
  accessMethods: 'accessMethod',
} as const;

/** Names of the facets in the reply, by label. */
const facetNames = { markets: 'market', categories: 'category', tags: 'tag', types: 'type', price: 'price' } as const;

export function searchRoutes(api: ApiContext): Route[] {
  const all = searchedOf(api.catalogue);
  if (all.length === 0) return [];
  const markets = all.map(({ search }) => search!.market);
  const query = is.aliased(
    is.object({
      markets: is.optional(
        is.list(is.oneOf(...markets), 0, markets.length),
        'Only these markets, separated by commas; default all.',
      ),
      ...filters,
    }),
    otherNames,
  );
  return [
    {
      ...searchRoute('/api/v1/markets/search', all, api, query),
      name: 'searchMarkets',
      tag: 'Markets: search',
      summary: 'Search all markets.',
      success: { status: 200, schema: searchSchemaOf('MarketSearchResult', all), description: 'a page of listings' },
    },
  ];
}

/** The search of one market, which replaces its list. */
export function marketRoute(definition: AnyResource, api: ApiContext): Route {
  const { kind, route, search } = definition;
  const schema = searchSchemaOf(`${title(search!.market)}MarketSearchResult`, [definition]);
  return {
    ...searchRoute(basePath(definition), [definition], api, is.aliased(is.object(filters), otherNames)),
    name: `list${title(kind)}s`,
    tag: route.tag,
    summary: `Search the ${search!.market} market.`,
    success: { status: 200, schema, description: 'a page of listings' },
  };
}

type Searching = Pick<Route, 'method' | 'path' | 'scope' | 'query' | 'handle'>;

function searchRoute(
  path: string,
  definitions: readonly AnyResource[],
  api: ApiContext,
  query: is.Scalar<unknown>,
): Searching {
  const byKind = new Map(definitions.map((definition) => [definition.kind, definition]));
  const markets = definitions.map(({ search }) => search!.market);
  return {
    method: 'GET',
    path,
    scope: 'read',
    query,
    async handle(call) {
      const asked = queryOf(call, markets, api.environment.now());
      if (isRefusal(asked)) return asked;
      const { include, includeFacets, home: named } = call.query as SearchFilters;
      const { cards, queues } = api;
      const home = cards.filterOf(named);
      if (isRefusal(home)) return home;
      const { reader } = call.caller;
      const search = async () => {
        const byWords = await foundByHiddenWords(asked.words, reader, api);
        return cards.search({ ...asked, hidden: [...api.moderations.listingsHiddenFrom(reader), ...byWords] }, home);
      };
      const found = await queues.searches.take(call, () => queues.page(call, search));
      if (isRefusal(found)) return found;
      const views = found.items.map((item) => {
        const definition = byKind.get(item.kind)!;
        const card = cards.cardIn(item);
        return card
          ? cards.listing(definition, card)
          : listedResource(definition, item, call, api, include === undefined);
      });
      const paging = pagination(asked.page, found.total, found.next);
      return {
        status: 200,
        body: {
          listings: (await Promise.all(views)).filter((view) => view !== undefined),
          total: found.total,
          pagination: paging,
          ...(includeFacets ? { facets: facetsOf(found) } : {}),
        },
      };
    },
  };
}

const facetsOf = ({ facets }: SearchResult): JsonObject =>
  Object.fromEntries(Object.entries(facetNames).map(([name, label]) => [name, facets[label] ?? []])) as never;

/** If a filter was given under both names, the values must be equal. */
function either<T>(
  query: SearchFilters,
  name: keyof SearchFilters,
  alias: keyof SearchFilters,
): T | undefined | Refusal {
  const [one, other] = [query[name], query[alias]];
  if (one !== undefined && other !== undefined && String(one) !== String(other)) {
    return invalid(alias, `is the same as ${name}, and must be equal`);
  }
  return (one ?? other) as T | undefined;
}

/** Builds the query; INVALID_REQUEST names the invalid parameter. */
function queryOf(
  call: Call,
  all: readonly string[],
  time: number,
): (SearchQuery & { readonly page: ListPageRequest }) | Refusal {
  const query = call.query as SearchFilters;
  const page = pageOf(call);
  if (isRefusal(page)) return page;
  const words = wordsIn(query);
  if (isRefusal(words)) return words;
  const asked = either<readonly string[]>(query, 'statuses', 'status');
  if (isRefusal(asked)) return asked;
  const owner = ownerOf(query, call);
  if (isRefusal(owner)) return owner;
  const sort = sortOf(query);
  if (isRefusal(sort)) return sort;
  const { minPrice, maxPrice, minRating, minReputation, visibility = [], markets = [] } = query;
  return {
    words,
    labels: labelsIn(query, all),
    markets: markets.length > 0 ? markets : all,
    statuses: asked?.length ? asked : ['active'],
    visibility: visibility.length > 0 ? visibility : ['public'],
    reader: call.caller.reader,
    owner,
    minPrice,
    maxPrice,
    // A minimum of 0 selects everyone, those without a rating included.
    minRating: minRating || undefined,
    minReputation: minReputation || undefined,
    time,
    sort,
    page,
    facets: query.includeFacets ? Object.values(facetNames) : [],
  };
}

function sortOf({ sort, sortBy, sortOrder }: SearchFilters): Sort | Refusal {
  if (sortBy === undefined) {
    return sortOrder === undefined ? (sort ?? 'relevance') : invalid('sortBy', 'is required with sortOrder');
  }
  if (sortBy !== 'price' && sortOrder === 'asc')
    return invalid('sortBy', `${sortBy} is sorted with sortOrder desc only`);
  const meant = sortBy === 'price' ? (`price_${sortOrder ?? 'asc'}` as const) : descending[sortBy];
  return sort === undefined || sort === meant ? meant : invalid('sortBy', 'is the same as sort, and must be equal');
}

/** Matches no listing: no word begins with a blank. A keyword without words, such as an emoji, finds nothing. */
const noWord = [' '];

function wordsIn(query: SearchFilters): readonly string[] | Refusal {
  const text = either<string>(query, 'keyword', 'q');
  if (isRefusal(text)) return text;
  if (text === undefined || text.trim() === '') return [];
  const words = [...new Set(searchWords(text))];
  if (words.length > bounds.keywordWords) {
    return invalid(query.keyword === undefined ? 'q' : 'keyword', `has more than ${bounds.keywordWords} words`);
  }
  return words.length === 0 ? noWord : words;
}

function labelsIn(query: SearchFilters, markets: readonly string[]): string[][] {
  const groups = Object.entries(labelled).map(([filter, label]) =>
    ((query[filter as keyof typeof labelled] as readonly string[] | undefined) ?? []).map((each) => `${label}:${each}`),
  );
  const types = (query.type ?? []).map((each) => (markets.includes(each) ? `market:${each}` : `type:${each}`));
  return [...groups, types].filter((group) => group.length > 0);
}

function ownerOf(query: SearchFilters, { caller }: Call): string | undefined | Refusal {
  const did = either<string>(query, 'seller', 'did');
  if (isRefusal(did)) return did;
  if (query.role !== 'seller') return did;
  return did ?? caller.reader ?? invalid('did', 'is required with role, unless the caller reads as a DID');
}
