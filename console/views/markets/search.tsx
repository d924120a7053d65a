/** A search: its filters, its facets, a page of what it found. All of it stands in the address. */
import { withQuery } from '../../api/read.ts';
import type { MarketSearchResult } from '../../api/types.ts';
import { useRead } from '../../api/use-read.ts';
import { Panel } from '../../parts/layout.tsx';
import { Pager, placeOf, withoutPlace } from '../../parts/pager.tsx';
import { Shown } from '../../parts/reading.tsx';
import { Facets } from './facets.tsx';
import { Filters } from './filters.tsx';
import { ListingLine } from './listing-line.tsx';

const limit = 20;

export function Search({ market, query }: { market: string; query: URLSearchParams }) {
  const { after } = placeOf(query);
  const filters = withoutPlace(query);
  const url = `/api/v1/markets/${market === '' ? 'search' : market}`;
  // Facets count the whole result, however long it is: what was found does not wait for them.
  const found = useRead<MarketSearchResult>(withQuery(url, { ...filters, limit, after }));
  const counted = useRead<MarketSearchResult>(withQuery(url, { ...filters, includeFacets: true, limit: 1 }));
  return (
    <>
      <Panel title="Search">
        <Filters key={market} market={market} query={query} />
      </Panel>
      <Shown reading={found}>
        {({ listings, pagination }) => (
          <div class="found">
            {!counted.problem && <Facets market={market} facets={counted.data?.facets} query={query} />}
            <Panel title="Listings">
              {listings.length === 0 ? (
                <p class="faint">No listings match.</p>
              ) : (
                <>
                  <ul class="listings">
                    {listings.map((listing) => (
                      <ListingLine key={listing.listingId} listing={listing} />
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
