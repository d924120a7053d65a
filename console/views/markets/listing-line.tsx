/** A listing in a list. */
import { type Market, marketPath, marketTitle } from '../../api/use-markets.ts';
import { count, spelledId } from '../../format/format.ts';
import { Erased } from '../../parts/erased.tsx';
import { HomeMark } from '../../parts/home.tsx';
import type { Listing } from '../../parts/listing.ts';
import { pricesOf } from '../../parts/pricing.ts';
import { Badge, Did, State, Time } from '../../parts/text.tsx';
import type { ToneOf } from '../../parts/use-tones.ts';
import { href } from '../../shell/route.ts';

export const typeOf = ({ infoType, taskType, capabilityType }: Listing): string | undefined =>
  infoType ?? taskType ?? capabilityType;

/** The state's path in its definition: `active.open`. */
export const stateOf = ({ status, substate }: Listing): string => (substate ? `${status}.${substate}` : status);

interface ListingLineProps {
  readonly listing: Listing;
  readonly markets: readonly Market[];
  readonly toneOf: ToneOf;
}

export function ListingLine({ listing, markets, toneOf }: ListingLineProps) {
  const { listingId, title, marketType, category, tags, seller, pricing, status, substate, stats } = listing;
  const { createdAt } = listing;
  const state = stateOf(listing);
  return (
    <li>
      <div class="listing-line">
        <a
          class="listing-title"
          href={href('markets', [marketPath(markets, marketType), spelledId(listingId, listing)])}
        >
          {title ?? <Erased />}
        </a>
        <span class="listing-price">
          {marketType === 'task' && <span class="faint">budget </span>}
          {pricesOf(pricing).join(', ')}
        </span>
      </div>
      <p class="listing-about faint">
        {[marketTitle(marketType), category, typeOf(listing)].filter(Boolean).join(' · ')}
        {tags.map((tag) => (
          <a key={tag} href={href('markets', [], { 'tags[]': tag })}>
            <Badge>{tag}</Badge>
          </a>
        ))}
        {(status !== 'active' || (substate && substate !== 'open')) && (
          <span>
            <State path={state} tone={toneOf(`${marketType}-listing`, state)} />
          </span>
        )}
      </p>
      <p class="listing-about faint">
        <Did did={seller} />
        <Stars stats={stats} />
        <span>{stats.orders === 1 ? '1 order' : `${count(stats.orders)} orders`}</span>
        <Time at={createdAt} />
        <HomeMark home={listing.home} />
      </p>
    </li>
  );
}

export function Stars({ stats: { averageRating, ratingCount } }: { stats: Listing['stats'] }) {
  if (averageRating === null) return <span>not rated</span>;
  return (
    <span class="number">
      <span aria-hidden="true">★ </span>
      {averageRating.toFixed(1)} <span class="unseen">of 5 stars</span> ({count(ratingCount)})
    </span>
  );
}
