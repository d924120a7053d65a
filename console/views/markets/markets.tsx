/** The markets: a search of each and of all, and the page of each listing. */
import './markets.css';
import { marketTitle, useMarkets } from '../../api/use-markets.ts';
import { NotHere } from '../../parts/not-here.tsx';
import { Loading } from '../../parts/reading.tsx';
import { Subviews } from '../../parts/subviews.tsx';
import { href, type Route } from '../../shell/route.ts';
import { ListingPage } from './listing-page.tsx';
import { Search } from './search.tsx';

export function Markets({ route }: { route: Route }) {
  const [market = '', id, more] = route.segments;
  const { all, isWhole } = useMarkets();
  const paths = ['', ...all.map(({ path }) => path)];
  // Filters that all markets have are kept when the user changes the market.
  const keyword = route.query.get('keyword') ?? undefined;
  return (
    <>
      <Subviews
        label="Markets"
        parts={paths.map((path) => ({
          title: path === '' ? 'All markets' : marketTitle(path),
          address: href('markets', path === '' ? [] : [path], { keyword }),
          current: path === market,
        }))}
      />
      {more !== undefined || !paths.includes(market) ? (
        isWhole ? (
          <NotHere />
        ) : (
          <Loading />
        )
      ) : id === undefined ? (
        <Search market={market} query={route.query} />
      ) : (
        <ListingPage key={id} market={market} id={id} />
      )}
    </>
  );
}
