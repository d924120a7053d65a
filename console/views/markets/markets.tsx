/** The markets: four searches, and the page of each listing. */
import './markets.css';
import { NotHere } from '../../parts/not-here.tsx';
import { Subviews } from '../../parts/subviews.tsx';
import { href, type Route } from '../../shell/route.ts';
import { ListingPage } from './listing-page.tsx';
import { Search } from './search.tsx';

const markets = [
  ['', 'All markets'],
  ['info', 'Information'],
  ['tasks', 'Tasks'],
  ['capabilities', 'Capabilities'],
] as const;

export function Markets({ route }: { route: Route }) {
  const [market = '', id, more] = route.segments;
  // Filters that all markets have are kept when the user changes the market.
  const keyword = route.query.get('keyword') ?? undefined;
  return (
    <>
      <Subviews
        label="Markets"
        parts={markets.map(([path, title]) => ({
          title,
          address: href('markets', path === '' ? [] : [path], { keyword }),
          current: path === market,
        }))}
      />
      {more !== undefined || !markets.some(([path]) => path === market) ? (
        <NotHere />
      ) : id === undefined ? (
        <Search market={market} query={route.query} />
      ) : (
        <ListingPage key={id} market={market} id={id} />
      )}
    </>
  );
}
