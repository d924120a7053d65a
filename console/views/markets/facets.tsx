/** Facets: counts over the whole result. Each count links to the search narrowed to it. */
import type { FacetCount, MarketSearchResult } from '../../api/types.ts';
import { type Market, marketTitle } from '../../api/use-markets.ts';
import { count } from '../../format/format.ts';
import { wideEnough } from '../../parts/filter-form.tsx';
import { Panel } from '../../parts/layout.tsx';
import type { FacetName } from '../../parts/listing.ts';
import { withoutPlace } from '../../parts/pager.tsx';
import { Loading } from '../../parts/reading.tsx';
import { href, type RouteQuery } from '../../shell/route.ts';

const groups: readonly (readonly [name: FacetName, title: string, filter: string])[] = [
  ['markets', 'Market', ''],
  ['categories', 'Category', 'category'],
  ['types', 'Type', 'type'],
  ['tags', 'Tag', 'tags'],
  ['price', 'Price', ''],
];
const shown = 8;

interface FacetsProps {
  /** Path of the market that is searched; empty for all. */
  readonly market: string;
  readonly markets: readonly Market[];
  /** Undefined while they are counted. */
  readonly facets: MarketSearchResult['facets'];
  readonly query: URLSearchParams;
}

export function Facets({ market, markets, facets, query }: FacetsProps) {
  const segments = market === '' ? [] : [market];
  const rest = withoutPlace(query);
  const given = groups.filter(([name]) => facets?.[name].length !== 0 && !(name === 'markets' && market !== ''));
  if (given.length === 0) return null;
  if (!facets) {
    return (
      <Panel title="Filter results" class="facets">
        <Loading what="Counting" />
      </Panel>
    );
  }
  const counts = given.map(([name, title, filter]) => (
    <div key={name}>
      <h3>{title}</h3>
      <ul>
        {facets[name].slice(0, shown).map((each) => {
          const values = [...(query.get(filter) ?? '').split(','), query.get(`${filter}[]`)];
          const chosen = filter !== '' && values.includes(each.key);
          return (
            <li key={each.key}>
              <a
                href={addressOf(name, filter, each, { markets, segments, rest, chosen })}
                aria-current={chosen ? 'true' : undefined}
              >
                {name === 'markets' ? marketTitle(each.key) : each.key}
              </a>
              <span class="number faint">{count(each.count)}</span>
            </li>
          );
        })}
      </ul>
    </div>
  ));
  return (
    <Panel title="Filter results" class="facets">
      {wideEnough() ? (
        counts
      ) : (
        <details class="filter-fold">
          <summary>By category, type, tag or price</summary>
          {counts}
        </details>
      )}
    </Panel>
  );
}

interface Where {
  readonly markets: readonly Market[];
  readonly segments: readonly string[];
  readonly rest: RouteQuery;
  readonly chosen: boolean;
}

/** The address that adds this filter, or removes it if it is already chosen. */
function addressOf(name: FacetName, filter: string, { key }: FacetCount, where: Where): string {
  const { markets, segments, rest, chosen } = where;
  if (name === 'markets') {
    const path = markets.find(({ type }) => type === key)?.path;
    return href('markets', path ? [path] : [], rest);
  }
  if (name === 'price') {
    const [minPrice, maxPrice = minPrice] = key.split('-');
    return href('markets', segments, { ...rest, minPrice, maxPrice });
  }
  // The value of the plain name would be split at its commas.
  const [plain, whole] = key.includes(',') ? [undefined, key] : [key, undefined];
  return href('markets', segments, {
    ...rest,
    [filter]: chosen ? undefined : plain,
    [`${filter}[]`]: chosen ? undefined : whole,
  });
}
