/** What a DID has done here: its trades and with whom, the reviews of it, its listings, and its balance over time. */
import { path, withQuery } from '../../api/read.ts';
import type { AnyView, JsonObject, MarketSearchResult, Replies, Reputation } from '../../api/types.ts';
import { marketPath, marketTitle, useMarkets } from '../../api/use-markets.ts';
import { useRead } from '../../api/use-read.ts';
import { totalOf, useStatement } from '../../api/use-statement.ts';
import { clock, count, dateOf, spelledId, tokens } from '../../format/format.ts';
import { type Amounts, amountsIn, outcomeText } from '../../format/outcome.ts';
import { isoTime } from '../../format/table-text.ts';
import { amountOf } from '../../parts/amount.ts';
import { Erased } from '../../parts/erased.tsx';
import { Panel, Table } from '../../parts/layout.tsx';
import { Plot } from '../../parts/plot.tsx';
import { subjectOf } from '../../parts/references.ts';
import { Did, ResourceLink, State, Time } from '../../parts/text.tsx';
import { useTones } from '../../parts/use-tones.ts';
import { href } from '../../shell/route.ts';

/** Trades of each sort that are read, and those of all that are shown. */
const read = 100;
const shown = 10;
/** Entries of which the balance is drawn. */
const drawn = 100;

interface Trade {
  readonly kind: string;
  readonly id: string;
  readonly state: string;
  readonly isBuyer: boolean;
  readonly other: string;
  readonly amount: number;
  /** An order's view has none: its escrow's has. */
  readonly amounts: Amounts;
  readonly at: number;
}

const sorts = [
  { name: 'orders', url: '/api/v1/orders', kind: undefined, buyer: 'buyer', seller: 'seller' },
  { name: 'contracts', url: '/api/v1/contracts', kind: 'contract', buyer: 'client', seller: 'provider' },
  { name: 'leases', url: '/api/v1/markets/capabilities/leases', kind: 'lease', buyer: 'lessee', seller: 'lessor' },
  { name: 'escrows', url: '/api/v1/escrows', kind: 'escrow', buyer: 'depositor', seller: 'beneficiary' },
] as const;

type TradePage = { readonly [name: string]: readonly AnyView[] };

function useTrades(did: string): readonly Trade[] {
  const pages = [useTradesOf(did, 0), useTradesOf(did, 1), useTradesOf(did, 2), useTradesOf(did, 3)];
  return pages.flat().sort((one, other) => other.at - one.at);
}

function useTradesOf(did: string, sort: 0 | 1 | 2 | 3): readonly Trade[] {
  const { name, url, kind, buyer, seller } = sorts[sort];
  const { data } = useRead<TradePage>(withQuery(url, { did, limit: read }));
  // The escrow of another trade is part of it.
  const own = (data?.[name] ?? []).filter(
    (item) => kind !== 'escrow' || subjectOf(kind, item as JsonObject) === undefined,
  );
  return own.map((item) => {
    const isBuyer = item[buyer] === did;
    return {
      kind: kind ?? `${item.marketType ?? 'info'}-order`,
      ...{ id: String(item.id), state: String(item.state ?? item.status), isBuyer },
      other: String(item[isBuyer ? seller : buyer]),
      amount: amountOf(item as JsonObject) ?? 0,
      amounts: amountsIn(item as JsonObject),
      at: Number(item.createdAt ?? item.startedAt),
    };
  });
}

export function Person({ did }: { did: string }) {
  const trades = useTrades(did);
  return (
    <>
      <Balance did={did} />
      {trades.length > 0 && <Trades did={did} trades={trades} />}
      {trades.length > 0 && <Counterparties trades={trades} />}
      <Reviews did={did} />
      <Listings did={did} />
    </>
  );
}

const sideOf = (kind: string, isBuyer: boolean): string =>
  kind === 'escrow' ? `escrow ${isBuyer ? 'for' : 'from'}` : isBuyer ? 'bought from' : 'sold to';

function Trades({ did, trades }: { did: string; trades: readonly Trade[] }) {
  const toneOf = useTones();
  return (
    <Panel title="Trades">
      <Table
        caption="Trades, newest first"
        columns={['Trade', 'With', '#Amount', 'State', 'Time']}
        exported={{
          name: `trades-${did.slice(-8)}`,
          rows: trades,
          columns: [
            { name: 'id', of: ({ id }) => id },
            { name: 'side', of: ({ isBuyer }) => (isBuyer ? 'bought' : 'sold') },
            { name: 'with', of: ({ other }) => other },
            { name: 'amount', of: ({ amount }) => amount },
            { name: 'state', of: ({ state }) => state },
            { name: 'time', of: ({ at }) => isoTime(at) },
          ],
        }}
      >
        {trades.slice(0, shown).map(({ kind, id, state, isBuyer, other, amount, amounts, at }) => (
          <tr key={id}>
            <td>
              <ResourceLink kind={kind} id={id} />
            </td>
            <td>
              <span class="faint">{sideOf(kind, isBuyer)}</span> <Did did={other} />
            </td>
            <td class="number">
              {tokens(amount)}
              {outcomeText(amounts) && <div class="faint small">{outcomeText(amounts)}</div>}
            </td>
            <td>
              <State path={state} tone={toneOf(kind, state)} amounts={amounts} />
            </td>
            <td>
              <Time at={at} />
            </td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

function Counterparties({ trades }: { trades: readonly Trade[] }) {
  const found = new Map<string, { trades: number; bought: number; sold: number }>();
  for (const { other, isBuyer, amount } of trades) {
    const before = found.get(other) ?? { trades: 0, bought: 0, sold: 0 };
    found.set(other, {
      trades: before.trades + 1,
      bought: before.bought + (isBuyer ? amount : 0),
      sold: before.sold + (isBuyer ? 0 : amount),
    });
  }
  const rows = [...found].sort(([, one], [, other]) => other.trades - one.trades);
  return (
    <Panel title="Counterparties">
      <Table
        caption="Amounts of the trades with each, most trades first"
        columns={['With', '#Trades', '#Agreed to pay', '#Agreed to get']}
        exported={{
          name: 'counterparties',
          rows,
          columns: [
            { name: 'did', of: ([did]) => did },
            { name: 'trades', of: ([, sums]) => sums.trades },
            { name: 'bought', of: ([, sums]) => sums.bought },
            { name: 'sold', of: ([, sums]) => sums.sold },
          ],
        }}
      >
        {rows.slice(0, shown).map(([did, sums]) => (
          <tr key={did}>
            <td>
              <Did did={did} />
            </td>
            <td class="number">{count(sums.trades)}</td>
            <td class="number">{tokens(sums.bought)}</td>
            <td class="number">{tokens(sums.sold)}</td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}

function Reviews({ did }: { did: string }) {
  const reputation = useRead<Reputation>(`${path`/api/v1/reputations/${did}`}?orEmpty=true`);
  const hasRecords = (reputation.data?.updatedAt ?? 0) > 0;
  const url = withQuery(path`/api/v1/reputations/${did}/reviews`, { limit: shown });
  const { data } = useRead<Replies['listReviews']>(hasRecords ? url : undefined);
  if (!data || data.total === 0) return null;
  return (
    <Panel title="Reviews" aside={<span class="faint">{`${count(data.reviews.length)} of ${count(data.total)}`}</span>}>
      <ul class="stack">
        {data.reviews.map(({ id, reviewer, rating, dimension, comment, erased, createdAt }) => (
          <li key={id}>
            <strong>{`${rating} of 5`}</strong> for {dimension}, by <Did did={reviewer} />, <Time at={createdAt} />
            {erased?.includes('comment') ? <Erased /> : comment && <p class="plain-text">{comment}</p>}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

function Listings({ did }: { did: string }) {
  const query = { seller: did };
  const { data } = useRead<MarketSearchResult>(withQuery('/api/v1/markets/search', { ...query, limit: shown }));
  const markets = useMarkets().all;
  if (!data || data.listings.length === 0) return null;
  return (
    <Panel title="Listings" aside={<a href={href('markets', [], query)}>all listings</a>}>
      <ul>
        {data.listings.map((listing) => (
          <li key={listing.listingId} class="plain-text">
            <a href={href('markets', [marketPath(markets, listing.marketType), spelledId(listing.listingId, listing)])}>
              {listing.title ?? <Erased />}
            </a>{' '}
            <span class="faint">
              {marketTitle(listing.marketType)} · {listing.category} · {count(listing.stats.orders)}{' '}
              {listing.stats.orders === 1 ? 'order' : 'orders'}
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

/** Now, and after each of the newest entries. */
function Balance({ did }: { did: string }) {
  const { statement } = useStatement(did, { since: undefined, until: undefined, most: drawn });
  if (!statement || statement.lines.length === 0) return null;
  const lines = statement.lines.toReversed();
  const { closing } = statement;
  return (
    <Panel title="Balance" aside={<a href={href('ledger', ['account', did])}>statement</a>}>
      <p>
        <strong class="number">{tokens(totalOf(closing))}</strong>, {tokens(closing.available)} of them available
      </p>
      {lines.length > 1 && (
        <Plot
          title={`After each of the newest ${count(lines.length)} entries`}
          times={lines.map(({ entry }) => entry.time)}
          at={(time) => `${dateOf(time)} ${clock(time, { bare: true })}`}
          format={tokens}
          lines={[
            { name: 'balance', values: lines.map(({ after }) => totalOf(after)) },
            { name: 'available', values: lines.map(({ after }) => after.available) },
          ]}
        />
      )}
    </Panel>
  );
}
