/** Metrics of the store. */
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
    /** Whether this process holds the order lease. */
    readonly holds: boolean;
  };
  /** Live processes on the database, including this one. */
  readonly processes: number;
}

interface FigureSource {
  stats(): StoreStats;
  readonly skewMs: number;
}

export function figuresOf(store: FigureSource): readonly Figure[] {
  const total = (name: string, help: string, of: (stats: StoreStats) => number): Figure => ({
    ...{ name, help, sort: 'total', read: () => of(store.stats()) },
  });
  const gauge = (name: string, help: string, read: () => number): Figure => ({ name, help, sort: 'gauge', read });
  return [
    total('svc_store_entries_total', 'Entries of this process that were accepted.', ({ entries }) => entries),
    total('svc_store_inserts_total', 'Calls of insertMany that they took.', ({ batches }) => batches),
    total(
      'svc_store_conflicts_total',
      'Appends that lost to another process; most are tried again.',
      ({ lost }) => lost,
    ),
    total(
      'svc_store_numbered_total',
      'Entries that this process has numbered, also for others.',
      ({ order }) => order.numbered,
    ),
    total('svc_store_rounds_total', 'Rounds in which it numbered them.', ({ order }) => order.rounds),
    total(
      'svc_store_contested_total',
      'Rounds that met the numbers of another process.',
      ({ order }) => order.contested,
    ),
    total(
      'svc_store_discarded_total',
      'Entries discarded because what they depend on had changed.',
      ({ order }) => order.discarded,
    ),
    total(
      'svc_store_pools_cleared_total',
      'Times that the driver gave up all its connections.',
      (stats) => stats.poolsCleared,
    ),
    total(
      'svc_store_heartbeats_failed_total',
      'Heartbeats that the server did not answer.',
      (stats) => stats.heartbeatsFailed,
    ),
    total('svc_store_renewals_total', 'Times that the driver hung and was replaced.', ({ renewals }) => renewals),
    gauge('svc_store_numbers', 'Whether this process numbers the entries: 1 or 0.', () =>
      Number(store.stats().order.holds),
    ),
    gauge('svc_store_processes', 'Processes that use the database, including this one.', () => store.stats().processes),
    gauge('svc_store_connections', 'Connections to the server.', () => store.stats().connections),
    gauge('svc_store_connections_in_use', 'Connections that wait for an answer.', () => store.stats().checkedOut),
    gauge(
      'svc_store_clock_skew_seconds',
      'Largest difference between the clock of another process and this one.',
      () => store.skewMs / 1_000,
    ),
  ];
}
