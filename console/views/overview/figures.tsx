/** What is traded here: Tokens in escrow, volumes, disputes and prices, over a day, a week or a month. */
import { useState } from 'preact/hooks';
import { withQuery } from '../../api/read.ts';
import type { Statistics } from '../../api/types.ts';
import { listEveryMs, type Reading, useRead } from '../../api/use-read.ts';
import { clock, count, dateOf, tokens, words } from '../../format/format.ts';
import { Panel, Table } from '../../parts/layout.tsx';
import { Plot } from '../../parts/plot.tsx';
import { Shown } from '../../parts/reading.tsx';
import { href } from '../../shell/route.ts';

const periods = ['day', 'week', 'month'] as const;

export function useStatistics() {
  const [period, setPeriod] = useState<(typeof periods)[number]>('day');
  return { period, setPeriod, reading: useRead<Statistics>(withQuery('/api/v1/statistics', { period }), listEveryMs) };
}

type FiguresProps = ReturnType<typeof useStatistics>;

export const Figures = ({ period, setPeriod, reading }: FiguresProps) => (
  <Panel
    title="What is traded"
    aside={
      <span class="buttons">
        {periods.map((each) => (
          <button key={each} type="button" aria-pressed={each === period} onClick={() => setPeriod(each)}>
            {`Last ${each}`}
          </button>
        ))}
      </span>
    }
  >
    <Shown reading={reading}>
      {(statistics) => (
        <>
          <Charts statistics={statistics} />
          <p class="faint">Counted up to entry {count(statistics.upTo)}</p>
        </>
      )}
    </Shown>
  </Panel>
);

function Charts({ statistics }: { statistics: Statistics }) {
  const { everyMs, points, escrowed, released, transfers, transferred, trades, traded, openDisputes } = statistics;
  const times = points.map(({ startedAt }) => startedAt);
  // Points of days begin with the day in UTC.
  const at = (time: number) =>
    everyMs < 86_400_000
      ? `${dateOf(time).slice(5)} ${clock(time, { bare: true }).slice(0, 5)}`
      : new Date(time).toISOString().slice(0, 10);
  const line = (name: string, of: (point: (typeof points)[number]) => number) => ({ name, values: points.map(of) });
  return (
    <div class="plots figures">
      <Plot
        title="In escrow"
        headline={
          <>
            <a href={href('lists', ['escrows'], { status: 'funded' })}>
              <strong class="number">{tokens(escrowed)}</strong>
            </a>{' '}
            in escrow, {tokens(released)} paid out
          </>
        }
        {...{ times, at }}
        format={tokens}
        lines={[line('in escrow', (each) => each.escrowed)]}
      />
      <Plot
        title="Transferred"
        headline={
          <>
            <a href={href('ledger', ['journal'], { type: 'transfer.sent' })}>
              <strong class="number">{tokens(transferred)}</strong>
            </a>{' '}
            in {count(transfers)} {transfers === 1 ? 'transfer' : 'transfers'}
          </>
        }
        {...{ times, at }}
        format={tokens}
        lines={[line('sent', (each) => each.transferred)]}
      />
      <Plot
        title="Traded"
        headline={
          <>
            <strong class="number">{tokens(traded)}</strong> agreed in {count(trades)}{' '}
            {trades === 1 ? 'trade' : 'trades'}: <a href={href('lists', ['orders'])}>orders</a>,{' '}
            <a href={href('lists', ['contracts'])}>contracts</a>, <a href={href('lists', ['leases'])}>leases</a>
          </>
        }
        {...{ times, at }}
        format={tokens}
        lines={[line('agreed', (each) => each.traded)]}
      />
      <Plot
        title="Open disputes"
        headline={
          <>
            <a href={href('lists', ['disputes'], { status: 'open' })}>
              <strong class="number">{count(openDisputes)}</strong>
            </a>{' '}
            open {openDisputes === 1 ? 'dispute' : 'disputes'}
          </>
        }
        {...{ times, at }}
        format={count}
        lines={[line('open', (each) => each.openDisputes)]}
      />
    </div>
  );
}

/** Nothing where nothing was bought. */
export function Prices({ data }: Reading<Statistics>) {
  if (!data || data.prices.length === 0) return null;
  const { prices, period } = data;
  return (
    <Panel title="Prices by category">
      <Table
        caption={`Prices on the UTC days of the last ${period}, by 3 buyers or more; most Tokens first`}
        columns={['Category', 'Market', '#Average', '#Trades']}
        exported={{
          name: `prices of the ${period}`,
          rows: prices,
          columns: (['category', 'market', 'unit', 'average', 'trades'] as const).map((name) => ({
            name,
            of: (price: Statistics['prices'][number]) => price[name],
          })),
        }}
      >
        {prices.map(({ market, category, unit, average, trades }) => (
          <tr key={`${market} ${category} ${unit}`}>
            <td class="plain-text">
              <a href={href('markets', [], { category })}>
                <bdi>{category}</bdi>
              </a>
            </td>
            <td>{words(market)}</td>
            <td class="number">
              {tokens(average)}
              {unit !== null && <span class="faint"> a {words(unit)}</span>}
            </td>
            <td class="number">{count(trades)}</td>
          </tr>
        ))}
      </Table>
    </Panel>
  );
}
