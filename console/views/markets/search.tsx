/** A search: filters, facets, and one page of results. The address contains all of it. */

import { withQuery } from '../../api/read.ts';
import { readAll } from '../../api/read-all.ts';
import type { MarketSearchResult } from '../../api/types.ts';
import { useMarkets } from '../../api/use-markets.ts';
import { useRead } from '../../api/use-read.ts';
import { spelledId } from '../../format/format.ts';
import { Export, type ExportColumn, isoTime } from '../../parts/export.tsx';
import { Panel } from '../../parts/layout.tsx';
import type { Listing } from '../../parts/listing.ts';
import { Pager, placeOf, withoutPlace } from '../../parts/pager.tsx';
import { pricesOf } from '../../parts/pricing.ts';
import { Shown } from '../../parts/reading.tsx';
import { useTones } from '../../parts/use-tones.ts';
import { Facets } from './facets.tsx';
import { Filters } from './filters.tsx';
import { ListingLine, stateOf, typeOf } from './listing-line.tsx';

const limit = 20;

const exported: readonly ExportColumn<Listing>[] = [
  { name: 'id', of: ({ listingId }) => listingId },
  { name: 'home', of: ({ home }) => home },
  { name: 'market', of: ({ marketType }) => marketType },
  { name: 'title', of: ({ title }) => title ?? 'erased' },
  { name: 'category', of: ({ category }) => category },
  { name: 'type', of: typeOf },
  { name: 'seller', of: ({ seller }) => seller },
  { name: 'price', of: ({ pricing }) => pricesOf(pricing).join(', ') },
  { name: 'state', of: stateOf },
  { name: 'orders', of: ({ stats }) => stats.orders },
  { name: 'rating', of: ({ stats }) => stats.averageRating },
  { name: 'createdAt', of: ({ createdAt }) => isoTime(createdAt) },
];

export function Search({ market, query }: { market: string; query: URLSearchParams }) {
  const { after } = placeOf(query);
  const filters = withoutPlace(query);
  const url = `/api/v1/markets/${market === '' ? 'search' : market}`;
  // Counting facets takes time in proportion to the whole result, so they are read separately from the page.
  const found = useRead<MarketSearchResult>(withQuery(url, { ...filters, limit, after }));
  const counted = useRead<MarketSearchResult>(withQuery(url, { ...filters, includeFacets: true, limit: 1 }));
  const toneOf = useTones();
  const markets = useMarkets().all;
  const all = () => readAll<MarketSearchResult, Listing>(url, filters, ({ listings }) => listings);
  return (
    <>
      <Panel title="Search">
        <Filters key={market} market={market} query={query} />
      </Panel>
      <Shown reading={found}>
        {({ listings, pagination }) => (
          <div class="found">
            {!counted.problem && (
              <Facets market={market} markets={markets} facets={counted.data?.facets} query={query} />
            )}
            <Panel
              title="Listings"
              aside={listings.length > 0 && <Export name="listings" columns={exported} rows={all} />}
            >
              {listings.length === 0 ? (
                <p class="faint">No listings match.</p>
              ) : (
                <>
                  <ul class="listings">
                    {listings.map((listing) => (
                      <ListingLine
                        key={spelledId(listing.listingId, listing)}
                        listing={listing}
                        markets={markets}
                        toneOf={toneOf}
                      />
                    ))}
                  </ul>
                  <Pager
                    pagination={pagination}
                    shown={listings.length}
                    what="listings"
                    view="markets"
                    segments={market === '' ? [] : [market]}
                    query={query}
                  />
                </>
              )}
            </Panel>
          </div>
        )}
      </Shown>
    </>
  );
}
