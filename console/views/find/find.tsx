/**
 * `#/find?text=…`: leads to the page of what the text identifies. If there are several, it offers a choice; if there is none,
 * it says so.
 */
import './find.css';
import { useEffect } from 'preact/hooks';
import { withQuery } from '../../api/read.ts';
import type { MarketSearchResult, Replies } from '../../api/types.ts';
import { type Market, marketPath, useMarkets } from '../../api/use-markets.ts';
import { useRead } from '../../api/use-read.ts';
import { viewNamed } from '../../api/views.ts';
import { count, spelledId, words } from '../../format/format.ts';
import { didsNamed } from '../../names/address-book.ts';
import { Did } from '../../parts/did.tsx';
import { Erased } from '../../parts/erased.tsx';
import { HomeMark } from '../../parts/home.tsx';
import { Panel } from '../../parts/layout.tsx';
import { pricesOf } from '../../parts/pricing.ts';
import { Failure, Loading } from '../../parts/reading.tsx';
import { State } from '../../parts/text.tsx';
import { useTones } from '../../parts/use-tones.ts';
import { isWords, listFilter, plainNumber, searched, WithDateOrAmount } from '../../parts/with-date-or-amount.tsx';
import { href, type Route, settle } from '../../shell/route.ts';

type Match = Replies['lookUp']['matches'][number];
type FoundListing = MarketSearchResult['listings'][number];

const shownListings = 10;

function addressOf({ what, id, kind = '', home }: Match, markets: readonly Market[]): string {
  if (what === 'entry') return href('ledger', ['entry', id]);
  if (what === 'identity') return href('identities', [id]);
  const market = markets.find(({ type }) => `${type}-listing` === kind);
  return market === undefined ? href('charts', [kind, id]) : href('markets', [market.path, spelledId(id, { home })]);
}

export function Find({ route }: { route: Route }) {
  const text = (route.query.get('text') ?? '').trim();
  return text === '' ? (
    <p>Type a number, hash, DID, id or name into the box above.</p>
  ) : (
    <Found key={text} text={text} />
  );
}

function Found({ text }: { text: string }) {
  const named = useRead<Replies['lookUp']>(withQuery('/api/v1/lookup', { text: plainNumber(text) }));
  const keyword = isWords(text) ? text : undefined;
  const query = { keyword, limit: shownListings, statuses: 'active,paused,expired,removed' };
  const listed = useRead<MarketSearchResult>(keyword && withQuery('/api/v1/markets/search', query));
  const own = didsNamed(text).map((id): Match => ({ what: 'identity', id }));
  const found = named.data?.matches ?? [];
  const matches = [...own, ...found.filter(({ id }) => !own.some((each) => each.id === id))];
  const markets = useMarkets();
  const isDone =
    markets.isWhole &&
    named.data !== undefined &&
    (keyword === undefined || listed.data !== undefined || listed.problem !== undefined);
  const listings = listed.data?.listings ?? [];
  const isAlone = matches.length === 1 && listings.length === 0 && !listed.problem;
  const only = isDone && isAlone ? matches[0] : undefined;
  useEffect(() => {
    if (!only) return;
    searched.value = text;
    settle(addressOf(only, markets.all));
  }, [only?.id]);
  if (named.problem) return <Failure problem={named.problem} onRetry={named.reload} />;
  if (!isDone || only) return <Loading what="Searching" />;
  if (matches.length === 0 && listings.length === 0 && !listed.problem) return <Nothing text={text} />;
  return (
    <>
      {listed.problem && <Failure problem={listed.problem} onRetry={listed.reload} />}
      {matches.length > 0 && <Matches matches={matches} markets={markets.all} hasMore={named.data?.hasMore === true} />}
      {listings.length > 0 && (
        <Listings listings={listings} markets={markets.all} total={listed.data?.pagination.total ?? 0} text={text} />
      )}
      <WithDateOrAmount text={text} />
      <InGuide text={text} />
    </>
  );
}

const InGuide = ({ text }: { text: string }) => (
  <p>
    <a href={`/guide#search=${encodeURIComponent(text)}`}>Search guide and API</a>
  </p>
);

const Nothing = ({ text }: { text: string }) => {
  const filter = listFilter(text);
  return (
    <section class="panel" role="status">
      <h2>
        {filter ? (filter.since ? 'Created on' : 'No entry has the number') : 'Nothing found for'} “
        <bdi class="plain-text">{text}</bdi>”
      </h2>
      <WithDateOrAmount text={text} />
      {!filter && (
        <>
          <p>
            You can search for the number of an entry, any hash of the journal, a DID or <code>svc1…</code> address, an
            id or at least its first three characters, a name, words of a listing, the memo of a transfer of yours (with
            a read key), a date (2027-01-31), or an amount (40).
          </p>
          <p>
            To search by more, for example by party and amount, open the <a href={href('lists', ['escrows'])}>lists</a>.
          </p>
        </>
      )}
      <InGuide text={text} />
    </section>
  );
};

interface MatchesProps {
  readonly matches: readonly Match[];
  readonly markets: readonly Market[];
  readonly hasMore: boolean;
}

const Matches = ({ matches, markets, hasMore }: MatchesProps) => {
  const toneOf = useTones();
  return (
    <Panel title="Matches">
      <ul class="matches">
        {matches.map((match) => (
          <li key={`${match.what} ${match.kind} ${match.id} ${match.home}`}>
            <span class="faint">{match.what === 'resource' ? words(match.kind ?? '') : match.what}</span>
            {match.what === 'identity' ? (
              <Did did={match.id} />
            ) : (
              <a class="mono" href={addressOf(match, markets)}>
                {match.what === 'entry' ? count(Number(match.id)) : match.id}
              </a>
            )}
            {match.memo && <bdi class="plain-text">{match.memo}</bdi>}
            {match.state && (
              <State
                path={match.state}
                tone={toneOf(match.kind ?? '', match.state)}
                amounts={match.kind === 'escrow' ? viewNamed('escrow', spelledId(match.id, match)) : undefined}
              />
            )}
            <HomeMark home={match.home} />
          </li>
        ))}
      </ul>
      {hasMore && <p class="faint">There are more matches: use a longer text.</p>}
    </Panel>
  );
};

interface ListingsProps {
  readonly listings: readonly FoundListing[];
  readonly markets: readonly Market[];
  readonly total: number;
  readonly text: string;
}

const Listings = ({ listings, markets, total, text }: ListingsProps) => (
  <Panel title="Listings">
    <ul class="matches">
      {listings.map((listing) => {
        const { listingId, title, marketType, seller } = listing;
        return (
          <li key={spelledId(listingId, listing)}>
            <span class="faint">{marketType}</span>
            <a href={href('markets', [marketPath(markets, marketType), spelledId(listingId, listing)])}>
              <bdi class="plain-text">{title ?? <Erased />}</bdi>
            </a>
            <span class="faint">{pricesOf(listing.pricing).join(', ')}</span>
            <Did did={seller} />
            <HomeMark home={listing.home} />
          </li>
        );
      })}
    </ul>
    {total > listings.length && (
      <p>
        <a href={href('markets', [], { keyword: text })}>{`All ${count(total)} in the markets`}</a>
      </p>
    )}
  </Panel>
);
