/** The gauges and counters of a node's components for `/metrics`. */
import type { Actors } from '../actors/actor.js';
import type { ChainSettlement } from '../chain/settlement/chain-settlement.js';
import type { Feed } from '../core/feed.js';
import type { Metrics } from '../http/server/metrics.js';
import type { Store } from '../store/store.js';
import type { ChainParts } from './chain.js';
import type { Housekeeping } from './housekeeping.js';

export function gauges(metrics: Metrics, actors: Actors, feed: Feed): void {
  metrics.gauge('svc_journal_height', 'Number of the newest journal entry.', () => feed.head);
  metrics.gauge('svc_entries_in_flight', 'Journal entries that wait to be durable.', () => actors.committer.inFlight);
  metrics.gauge('svc_actors', 'Actors in memory.', () => actors.registry.size);
  metrics.gauge('svc_supply_tokens', 'Total supply of Tokens.', () => actors.committer.supply);
}

/** The state of the store: free disk space, or the outage of a shared database. */
export function storeMetrics(metrics: Metrics, { shared }: Store, housekeeping: Housekeeping): void {
  if (shared) {
    const outageSeconds = () => (shared.awayForMs ?? 0) / 1_000;
    metrics.gauge(
      'svc_store_away_seconds',
      'Seconds since the database last answered; 0 while it answers.',
      outageSeconds,
    );
    for (const { name, help, sort, read } of shared.figures) {
      metrics[sort](name, help, read);
    }
  } else {
    metrics.gauge(
      'svc_store_free_bytes',
      'Free bytes on the disk that holds the database.',
      () => housekeeping.freeBytes ?? Number.NaN,
    );
  }
}

export function chainGauges(metrics: Metrics, { backlog }: ChainSettlement): void {
  metrics.gauge(
    'svc_settlement_lag_operations',
    'Operations committed to the journal and not yet settled on chain.',
    () => backlog.lag,
  );
  metrics.gauge(
    'svc_settlement_lag_seconds',
    'Age of the oldest operation that is not settled.',
    () => backlog.ageMs / 1_000,
  );
}

export function batchCounters(metrics: Metrics): ChainParts['onBatch'] {
  const batches = metrics.counter('svc_settlement_batches_total', 'Settlement batches mined.');
  const operations = metrics.counter('svc_settlement_operations_total', 'Operations in mined batches.');
  const gas = metrics.counter('svc_settlement_gas_total', 'Gas used by mined batches.');
  const reverts = metrics.counter('svc_settlement_reverts_total', 'Batches that the chain reverted.');
  return (batch) => {
    batches.inc();
    operations.inc(batch.operations);
    gas.inc(batch.gas);
    if (batch.reverted) reverts.inc();
  };
}
