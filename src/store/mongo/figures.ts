import type { Figure } from '../store.js';
import type { ConnectionStats } from './database.js';

export interface StoreStats extends Readonly<ConnectionStats> {
  /** Accepted entries of this process, and the insert commands that they took. */
  readonly entries: number;
  readonly batches: number;
  /** Appends that lost a key to another process. */
  readonly lost: number;
  readonly order: {
    readonly rounds: number;
    readonly numbered: number;
    readonly contested: number;
    readonly discarded: number;
    readonly holds: boolean;
  };
  readonly processes: number;
}

interface FigureSource {
  stats(): StoreStats;
  readonly skewMs: number;
}

type FigureLine = readonly [name: string, help: string, of: (stats: StoreStats) => number];

const totals: readonly FigureLine[] = [
  ['entries', 'Entries of this process that were accepted.', ({ entries }) => entries],
  ['inserts', 'Calls of insertMany that they took.', ({ batches }) => batches],
  ['conflicts', 'Appends that lost to another process; most are tried again.', ({ lost }) => lost],
  ['numbered', 'Entries that this process has numbered, also for others.', ({ order }) => order.numbered],
  ['rounds', 'Rounds in which it numbered them.', ({ order }) => order.rounds],
  ['contested', 'Rounds that met the numbers of another process.', ({ order }) => order.contested],
  ['discarded', 'Entries discarded because what they depend on had changed.', ({ order }) => order.discarded],
  ['pools_cleared', 'Times that the driver gave up all its connections.', (stats) => stats.poolsCleared],
  ['heartbeats_failed', 'Heartbeats that the server did not answer.', (stats) => stats.heartbeatsFailed],
  ['renewals', 'Times that the driver hung and was replaced.', ({ renewals }) => renewals],
];

const gauges: readonly FigureLine[] = [
  ['numbers', 'Whether this process numbers the entries: 1 or 0.', ({ order }) => Number(order.holds)],
  ['processes', 'Processes that use the database, including this one.', ({ processes }) => processes],
  ['connections', 'Connections to the server.', ({ connections }) => connections],
  ['connections_in_use', 'Connections that wait for an answer.', ({ checkedOut }) => checkedOut],
];

export function figuresOf(store: FigureSource): readonly Figure[] {
  const figure = (sort: Figure['sort'], [name, help, of]: FigureLine): Figure => ({
    ...{ name: `svc_store_${name}${sort === 'total' ? '_total' : ''}`, help, sort, read: () => of(store.stats()) },
  });
  const skew = 'Largest difference between the clock of another process and this one.';
  return [
    ...totals.map((line) => figure('total', line)),
    ...gauges.map((line) => figure('gauge', line)),
    figure('gauge', ['clock_skew_seconds', skew, () => store.skewMs / 1_000]),
  ];
}
