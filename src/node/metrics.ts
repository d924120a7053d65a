/** The gauges and counters of a node's components for `/metrics`. */
import type { WritePath } from '../actors/write-path.js';
import type { ChainSettlement } from '../chain/settlement/chain-settlement.js';
import type { Feed } from '../core/feed.js';
import type { Metrics } from '../http/server/metrics.js';
import type { PeerView } from '../peers/peering/peer-view.js';
import type { Peering } from '../peers/peering/peering.js';
import type { JournalSums, StatisticsIndex } from '../projections/statistics.js';
import type { Store } from '../store/store.js';
import type { ChainParts } from './chain.js';
import type { Housekeeping } from './housekeeping.js';

export function gauges(metrics: Metrics, actors: WritePath, feed: Feed): void {
  metrics.gauge('svc_journal_height', 'Number of the newest journal entry.', () => feed.head);
  metrics.gauge('svc_entries_in_flight', 'Journal entries that wait to be durable.', () => actors.committer.inFlight);
  metrics.gauge('svc_actors', 'Actors in memory.', () => actors.registry.size);
  metrics.gauge('svc_supply_tokens', 'Total supply of Tokens.', () => actors.committer.supply);
}

/** What the whole journal adds up to, as `GET /api/v1/statistics` shows it of some days. */
export function statisticsMetrics(metrics: Metrics, statistics: StatisticsIndex): void {
  metrics.gauge('svc_escrowed_tokens', 'Tokens that funded escrows hold.', () => statistics.sums?.escrowed);
  metrics.gauge('svc_open_disputes', 'Disputes without a ruling.', () => statistics.sums?.openDisputes);
  const totals: readonly [name: string, help: string, of: keyof JournalSums][] = [
    ['svc_transfers_total', 'Transfers of Tokens.', 'transfers'],
    ['svc_transferred_tokens_total', 'Tokens that transfers moved.', 'transferred'],
    ['svc_trades_total', 'Orders, leases and contracts for which Tokens were locked.', 'trades'],
    ['svc_traded_tokens_total', 'Tokens that were locked for them.', 'traded'],
    ['svc_released_tokens_total', 'Tokens that escrows paid out.', 'released'],
  ];
  for (const [name, help, of] of totals) metrics.total(name, help, () => statistics.sums?.[of]);
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

/** The state of each peer's feed, and counters of what peers did to this node. */
export function peerMetrics(metrics: Metrics, peering: Peering): void {
  const byPeer = (value: (peer: PeerView) => number) => () =>
    peering.views().map((peer): [string, number] => [peer.did, value(peer)]);
  const gauges: readonly [name: string, help: string, value: (peer: PeerView) => number][] = [
    ['svc_peer_connected', '1 while the feed of the peer is read.', ({ direction }) => (reads(direction) ? 1 : 0)],
    [
      'svc_peer_lag_seconds',
      'Age of the newest checkpoint of the peer that is followed; NaN before the first.',
      ({ lagMs }) => (lagMs ?? Number.NaN) / 1_000,
    ],
    [
      'svc_peer_lag_entries',
      'Entries that the peer has announced and the node has not followed.',
      (peer) => peer.head - peer.followed,
    ],
    ['svc_peer_followed_entries', 'Number of the newest followed entry of the peer.', ({ followed }) => followed],
    [
      'svc_peer_mirrored_entries',
      'Number of the last entry of this journal that the peer keeps as a mirror; NaN for a peer that is none.',
      ({ mirrored }) => mirrored ?? Number.NaN,
    ],
    [
      'svc_peer_violation',
      '1 for a peer that the node no longer follows: it has sent a bad line, or has signed two journals.',
      ({ status }) => (status === 'stopped' || status === 'forked' ? 1 : 0),
    ],
  ];
  for (const [name, help, value] of gauges) metrics.gauges(name, help, 'peer', byPeer(value));
  metrics.total(
    'svc_feed_sent_entries_total',
    'Entries of this journal that were sent to peers.',
    () => peering.counts().sent,
  );
  metrics.totals(
    'svc_peer_connections_refused',
    'Connections and requests of peers that were refused, by reason.',
    'reason',
    () => Object.entries(peering.counts().inbound ?? {}).filter(([reason]) => reason !== 'accepted'),
  );
  metrics.totals(
    'svc_peer_checkpoints_heard',
    'Checkpoints and proofs that peers have sent, by result.',
    'result',
    () => [...peering.counts().heard],
  );
}

const reads = (direction: PeerView['direction']): boolean => direction === 'outbound' || direction === 'both';
