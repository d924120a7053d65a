/**
 * What the parts of a node tell `/metrics`.
 */
import type { Actors } from './actors/actor.js';
import type { Feed } from './actors/feed.js';
import type { ChainSettlement } from './chain/settlement/chain-settlement.js';
import type { Housekeeping } from './housekeeping.js';
import type { Metrics } from './http/metrics.js';
import type { ChainParts } from './node-chain.js';
import type { Store } from './store/store.js';

export function gauges(metrics: Metrics, actors: Actors, feed: Feed): void {
  metrics.gauge('svc_journal_height', 'Number of the newest entry.', () => feed.head);
  metrics.gauge('svc_entries_in_flight', 'Entries queued for the disk.', () => actors.committer.inFlight);
  metrics.gauge('svc_actors', 'Actors in memory.', () => actors.registry.size);
  metrics.gauge('svc_supply_tokens', 'Tokens in existence.', () => actors.committer.supply);
}

/** What fills up, or goes away, under a node. */
export function roomGauges(metrics: Metrics, { shared }: Store, house: Housekeeping): void {
  if (shared) {
    const away = () => (shared.awayForMs ?? 0) / 1_000;
    metrics.gauge('svc_store_away_seconds', 'For how long the database has not answered.', away);
    for (const { name, help, sort, read } of shared.figures) {
      metrics[sort](name, help, read);
    }
  } else {
    metrics.gauge(
      'svc_store_free_bytes',
      'Free bytes of the disk under the database.',
      () => house.freeBytes ?? Number.NaN,
    );
  }
}

export function chainGauges(metrics: Metrics, { backlog }: ChainSettlement): void {
  metrics.gauge('svc_settlement_lag_operations', 'Operations committed and not settled.', () => backlog.lag);
  metrics.gauge('svc_settlement_lag_seconds', 'Age of the oldest of them.', () => backlog.ageMs / 1_000);
}

export function batchCounters(metrics: Metrics): ChainParts['onBatch'] {
  const batches = metrics.counter('svc_settlement_batches_total', 'Batches that were mined.');
  const operations = metrics.counter('svc_settlement_operations_total', 'Operations in them.');
  const gas = metrics.counter('svc_settlement_gas_total', 'Gas that they used.');
  const reverts = metrics.counter('svc_settlement_reverts_total', 'Batches that the chain refused.');
  return (batch) => {
    batches.inc();
    operations.inc(batch.operations);
    gas.inc(batch.gas);
    if (batch.reverted) reverts.inc();
  };
}
