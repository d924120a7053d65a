/** A listing with all its members, and its publisher's reputation. */
import { path } from '../../api/read.ts';
import type { JsonObject } from '../../api/types.ts';
import { marketTitle } from '../../api/use-markets.ts';
import { useRead } from '../../api/use-read.ts';
import { capital, count } from '../../format/format.ts';
import { Erased, isErased } from '../../parts/erased.tsx';
import { HomeNote } from '../../parts/home.tsx';
import { Facts, Panel } from '../../parts/layout.tsx';
import type { Listing } from '../../parts/listing.ts';
import { Members } from '../../parts/members.tsx';
import { pricesOf } from '../../parts/pricing.ts';
import { Shown } from '../../parts/reading.tsx';
import { ReputationPanel } from '../../parts/reputation.tsx';
import { Badge, Code, Did, ResourceLink, State, Time } from '../../parts/text.tsx';
import { useTones } from '../../parts/use-tones.ts';
import { usePageAbout } from '../../shell/page-about.ts';
import { TryActions } from '../../write/try-actions.tsx';
import { Bids } from './bids.tsx';
import { Stars, stateOf, typeOf } from './listing-line.tsx';

export function ListingPage({ market, id }: { market: string; id: string }) {
  const listing = useRead<Listing>(`/api/v1/markets/${encodeURIComponent(market)}${path`/${id}`}`);
  usePageAbout(listing.data?.title);
  return (
    <Shown reading={listing}>
      {(data) => (
        <>
          <HomeNote {...data}>You can deal with it at that home only.</HomeNote>
          <Head listing={data} />
          <div class="columns">
            <Offer listing={data} />
            <ReputationPanel did={data.seller} title={`Reputation of the ${publisherOf(data)}`} />
          </div>
          {data.home === undefined && (
            <TryActions kind={`${data.marketType}-listing`} view={data as unknown as JsonObject} actions={[]} />
          )}
          {isDescribed(data) ? <Own listing={data} /> : <Others listing={data} />}
          {data.marketType === 'task' && data.home === undefined && <Bids taskId={data.listingId} />}
        </>
      )}
    </Shown>
  );
}

/** Who has published it: the market of tasks lists requests, not offers. */
const publisherOf = ({ marketType }: Listing): string => (marketType === 'task' ? 'requester' : 'seller');

function Head({ listing }: { listing: Listing }) {
  const { title, description, marketType, visibility, hidden } = listing;
  const toneOf = useTones();
  const state = stateOf(listing);
  return (
    <section class="panel listing-head" aria-label="Listing">
      <div class="listing-line">
        <h2>{title ?? <Erased />}</h2>
        <span>
          <State path={state} tone={toneOf(`${marketType}-listing`, state)} />{' '}
          {visibility === 'private' && <Badge tone="warn">private</Badge>}
          {hidden && <Badge tone="warn">hidden</Badge>}
        </span>
      </div>
      {hidden && <p class="faint plain-text">Others don’t see it: {hidden}</p>}
      <p class="plain-text">{description ?? <Erased />}</p>
    </section>
  );
}

function Offer({ listing }: { listing: Listing }) {
  const { pricing, seller, stock, stats, tags, category, marketType, createdAt, updatedAt, expiresAt } = listing;
  const isRequest = marketType === 'task';
  return (
    <Panel title={isRequest ? 'Request' : 'Offer'}>
      <Facts
        facts={[
          [isRequest ? 'Budget' : 'Price', <strong key="price">{pricesOf(pricing).join(', ')}</strong>],
          ['Negotiable', pricing.negotiable ? 'yes' : undefined],
          [capital(publisherOf(listing)), <Did key="seller" did={seller} />],
          ['Market', marketTitle(marketType)],
          ['Category', category],
          ['Type', typeOf(listing)],
          ['Tags', tags.length > 0 ? tags.join(', ') : undefined],
          ['Skills', listing.skills?.join(', ')],
          ['Stock', isRequest ? undefined : stock === undefined ? 'unlimited' : count(stock)],
          ['Orders', `${count(stats.orders)}, ${count(stats.completedOrders)} completed`],
          ['Rating', <Stars key="stars" stats={stats} />],
          ['Published', <Time key="created" at={createdAt} />],
          ['Changed', updatedAt === createdAt ? undefined : <Time key="updated" at={updatedAt} />],
          ['Ends', expiresAt === null ? 'never' : <Time key="expires" at={expiresAt} />],
          [
            'State chart',
            listing.home === undefined ? (
              <ResourceLink key="chart" kind={`${marketType}-listing`} id={listing.listingId} />
            ) : undefined,
          ],
          ['Last event', <Code key="prev" text={listing.resourcePrev} what="hash of the last event" />],
        ]}
      />
    </Panel>
  );
}

const ownMembers = ['content', 'accessMethod', 'license', 'task', 'timeline', 'capability', 'quota', 'access'] as const;
const titles = {
  content: 'Content',
  accessMethod: 'Access method',
  license: 'Licence',
  task: 'Task',
  timeline: 'Timeline',
  capability: 'Capability',
  quota: 'Quota',
  access: 'Access',
} as const;

const Own = ({ listing }: { listing: Listing }) => (
  <div class="columns">
    {ownMembers.map((name) => {
      const value = listing[name];
      if (isErased(listing, name))
        return (
          <Panel key={name} title={titles[name]}>
            <Erased />
          </Panel>
        );
      if (!value || Object.keys(value).length === 0) return null;
      return (
        <Panel key={name} title={titles[name]}>
          <Members of={value} label={titles[name]} />
        </Panel>
      );
    })}
  </div>
);

const isDescribed = ({ marketType }: Listing): boolean => ['info', 'task', 'capability'].includes(marketType);

/** Members that the page shows above, or that repeat one. */
const shared = [
  ...['id', 'listingId', 'marketType', 'type', 'title', 'description', 'category', 'tags', 'seller', 'pricing'],
  ...['stock', 'status', 'substate', 'state', 'visibility', 'stats', 'createdAt', 'updatedAt', 'expiresAt'],
  ...['resourcePrev', 'permittedActions', 'txHash', 'blockNumber', 'confirmations', 'home', 'asOf'],
];

/** The own members of a listing of a market that the console does not describe. */
const Others = ({ listing }: { listing: Listing }) => {
  const own = Object.entries(listing).filter(([name]) => !shared.includes(name));
  if (own.length === 0) return null;
  const title = marketTitle(listing.marketType);
  return (
    <Panel title={title}>
      <Members of={Object.fromEntries(own)} label={title} />
    </Panel>
  );
};
