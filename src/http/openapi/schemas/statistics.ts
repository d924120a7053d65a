/** What the journal adds up to (docs/reference/node.md#statistics). */
import { dayMs, hourMs } from '../../../core/bounds.js';
import type { JsonObject } from '../../../core/canonical.js';
import { publicForm } from '../../../core/schema/public-form.js';
import * as a from '../../../core/schema/shape.js';
import type { JournalSums, PointSums, PriceStatistics, StatisticsReading } from '../../../projections/statistics.js';

/** Points of each period: hours, quarters of a day, or days, in UTC. */
export const statisticsPeriods = {
  day: { everyMs: hourMs, points: 24 },
  week: { everyMs: 6 * hourMs, points: 28 },
  month: { everyMs: dayMs, points: 30 },
} as const;
export type StatisticsPeriod = keyof typeof statisticsPeriods;

const sums = (at: string) => ({
  transfers: a.described(a.count, 'Transfers.'),
  transferred: a.described(a.tokens, 'Tokens that they moved.'),
  trades: a.described(a.count, 'Orders, leases and contracts for which Tokens were locked.'),
  traded: a.described(a.tokens, 'Tokens that were locked for them.'),
  released: a.described(a.tokens, 'Tokens that escrows paid out to beneficiaries.'),
  escrowed: a.described(a.tokens, `Tokens that funded escrows hold ${at}.`),
  openDisputes: a.described(a.count, `Disputes without a ruling ${at}.`),
});

const point = publicForm<PointSums>({
  startedAt: [a.described(a.time, 'Start of the point; epoch milliseconds.'), ({ start }) => start],
  ...sums('at its end'),
});

const price = publicForm<PriceStatistics>({
  market: a.described(a.text, 'Market of the listings: `info`, `task` or `capability`.'),
  category: a.described(a.text, 'The category under which the listings were published.'),
  unit: a.nullable(a.text, 'What the price is for, as the leases say; null: one unit of goods, or a task.'),
  trades: a.described(a.count, 'Trades at these prices.'),
  average: [
    a.described(a.tokens, 'Average of the trades, rounded; Tokens.'),
    ({ sum, trades }) => Math.round(sum / trades),
  ],
});

interface ShownStatistics extends StatisticsReading, JournalSums {
  readonly period: StatisticsPeriod;
}

const form = publicForm<ShownStatistics>({
  period: a.described(a.oneOf(...Object.keys(statisticsPeriods)), 'The period.'),
  everyMs: [a.described(a.count, 'Length of a point, ms.'), ({ period }) => statisticsPeriods[period].everyMs],
  upTo: a.described(a.count, 'Number of the newest entry that is counted.'),
  ...sums('now'),
  points: [
    a.described(a.list(a.named('StatisticsPoint', point.schema)), 'Oldest first; the last one has begun.'),
    ({ points }) => points.map((each) => point.view(each)),
  ],
  prices: [
    a.described(
      a.list(a.named('CategoryPrice', price.schema)),
      'Prices agreed on the UTC days of the points, by category with 3 buyers or more; most Tokens first, at most 50.',
    ),
    ({ prices }) => prices.map((each) => price.view(each)),
  ],
});

export const statisticsSchema = a.named('Statistics', form.schema);
export const statisticsView = (period: StatisticsPeriod, reading: StatisticsReading): JsonObject =>
  form.view({ period, ...reading.sums, ...reading });
