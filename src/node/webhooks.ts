/** The webhooks of a node: the dispatcher, manual deliveries, and their metrics. */
import { bounds } from '../core/bounds.js';
import type { Environment } from '../core/environment.js';
import type { Log } from '../core/log.js';
import type { Metrics } from '../http/server/metrics.js';
import { Dispatcher, type DispatcherOptions } from '../projections/webhooks/dispatcher.js';
import { ManualDelivery } from '../projections/webhooks/manual-delivery.js';
import { Poster, type PosterOptions } from '../projections/webhooks/post.js';
import { resolveByDns } from '../projections/webhooks/target.js';
import type { ShowEntry } from '../projections/webhooks/webhook.js';
import { WebhookRegistry } from '../projections/webhooks/webhooks.js';
import type { Store } from '../store/store.js';
import type { Config } from './config/config.js';
import { webhookKey } from './database.js';

export interface NodeWebhooksOptions {
  readonly config: Config;
  readonly store: Store;
  readonly world: Environment;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly show: ShowEntry;
  /** For tests. */
  readonly own?: WebhookOverrides | undefined;
}

export interface WebhookOverrides {
  readonly poster?: Partial<Pick<PosterOptions, 'resolve' | 'ca' | 'totalMs'>>;
  readonly bounds?: Partial<DispatcherOptions['bounds']>;
}

const dispatcherBounds: DispatcherOptions['bounds'] = {
  window: bounds.webhookWindow,
  inFlight: bounds.webhookInFlight,
  attempts: bounds.webhookAttempts,
  firstRestMs: bounds.webhookFirstRestMs,
  longestRestMs: bounds.webhookLongestRestMs,
  failingMs: bounds.webhookFailingMs,
  noteMs: bounds.webhookNoteMs,
  noteForeignMs: bounds.webhookNoteForeignMs,
  stopMs: bounds.webhookStopMs,
  page: bounds.webhookPage,
  gatherMs: bounds.webhookGatherMs,
  lookMs: bounds.webhookLookMs,
  totalMs: bounds.webhookMs,
  recentBytes: bounds.webhookRecentBytes,
};

export interface NodeWebhooks {
  readonly webhooks: WebhookRegistry;
  readonly manual: ManualDelivery;
  readonly dispatcher: Dispatcher;
  readonly rules: { readonly encrypted: boolean; readonly networks: readonly string[] };
}

export async function webhooksOf({
  config,
  store,
  world,
  log,
  metrics,
  show,
  own = {},
}: NodeWebhooksOptions): Promise<NodeWebhooks> {
  const { network } = config;
  const sealingKey = await webhookKey(store, world);
  const webhooks = new WebhookRegistry({
    store,
    world,
    sealingKey,
    most: bounds.webhooks,
    logLines: bounds.webhookLogLines,
  });
  const rules = { encrypted: network === 'mainnet', networks: config.webhookNetworks };
  const limits = { totalMs: bounds.webhookMs, replyBytes: bounds.webhookReplyBytes };
  const poster = new Poster({ ...rules, ...limits, world, resolve: resolveByDns, ...own.poster });
  const message = { network, show, bodyBytes: bounds.webhookBodyBytes };
  const common = { ...message, store, webhooks, poster, world };
  const dispatcher = new Dispatcher({
    ...common,
    onOutcome: deliveryMetrics(metrics),
    log: (words, detail) => log.warn(detail, words),
    bounds: { ...dispatcherBounds, ...own.bounds },
  });
  figures(metrics, dispatcher);
  return { webhooks, dispatcher, rules, manual: new ManualDelivery(common) };
}

function deliveryMetrics(metrics: Metrics): DispatcherOptions['onOutcome'] {
  const delivered = metrics.counter('svc_webhook_deliveries_total', 'Deliveries that succeeded.');
  const failed = metrics.counter('svc_webhook_failures_total', 'Attempts that failed.');
  const givenUp = metrics.counter('svc_webhook_given_up_total', 'Deliveries that were given up.');
  const seconds = metrics.histogram('svc_webhook_delivery_duration_seconds', 'Time of one attempt.');
  return ({ durationMs }, { outcome }) => {
    (outcome === 'delivered' ? delivered : failed).inc();
    if (outcome === 'given-up') givenUp.inc();
    seconds.observe(durationMs / 1_000);
  };
}

function figures(metrics: Metrics, dispatcher: Dispatcher): void {
  metrics.gauge('svc_webhooks', 'Active webhooks that this process delivers for.', () => dispatcher.figures.queues);
  metrics.gauge(
    'svc_webhooks_failing',
    'Active webhooks of this process whose last delivery failed.',
    () => dispatcher.figures.failing,
  );
  metrics.gauge(
    'svc_webhook_lag_entries',
    'Number of entries that the slowest of these webhooks is behind.',
    () => dispatcher.figures.lag,
  );
  metrics.gauge('svc_webhook_deliveries_in_flight', 'Deliveries in progress.', () => dispatcher.figures.inFlight);
}
