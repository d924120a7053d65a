/** The webhooks of a node: who delivers, who is asked for by hand, and what /metrics says of it. */
import { bounds, type Config } from './config.js';
import type { Log } from './http/log.js';
import type { Metrics } from './http/metrics.js';
import { webhookKey } from './node-database.js';
import type { Store } from './store/store.js';
import { Courier, type CourierOptions } from './webhooks/courier.js';
import { Errand } from './webhooks/errand.js';
import { Poster, type PosterOptions } from './webhooks/post.js';
import { resolveByDns } from './webhooks/target.js';
import type { Show } from './webhooks/webhook.js';
import { Webhooks } from './webhooks/webhooks.js';
import type { World } from './world.js';

export interface NodeWebhooksOptions {
  readonly config: Config;
  readonly store: Store;
  readonly world: World;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly show: Show;
  /** For tests. */
  readonly own?: WebhookOverrides | undefined;
}

export interface WebhookOverrides {
  readonly poster?: Partial<Pick<PosterOptions, 'resolve' | 'ca' | 'totalMs'>>;
  readonly bounds?: Partial<CourierOptions['bounds']>;
}

const courierBounds: CourierOptions['bounds'] = {
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
  readonly webhooks: Webhooks;
  readonly errand: Errand;
  readonly courier: Courier;
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
  const webhooks = new Webhooks({ store, world, sealingKey, most: bounds.webhooks, logLines: bounds.webhookLogLines });
  const rules = { encrypted: network === 'mainnet', networks: config.webhookNetworks };
  const limits = { totalMs: bounds.webhookMs, replyBytes: bounds.webhookReplyBytes };
  const poster = new Poster({ ...rules, ...limits, world, resolve: resolveByDns, ...own.poster });
  const message = { network, show, bodyBytes: bounds.webhookBodyBytes };
  const common = { ...message, store, webhooks, poster, world };
  const courier = new Courier({
    ...common,
    onOutcome: deliveryMetrics(metrics),
    log: (words, detail) => log.warn(detail, words),
    bounds: { ...courierBounds, ...own.bounds },
  });
  figures(metrics, courier);
  return { webhooks, courier, rules, errand: new Errand(common) };
}

function deliveryMetrics(metrics: Metrics): CourierOptions['onOutcome'] {
  const delivered = metrics.counter('svc_webhook_deliveries_total', 'Deliveries that arrived.');
  const failed = metrics.counter('svc_webhook_failures_total', 'Attempts that failed.');
  const givenUp = metrics.counter('svc_webhook_given_up_total', 'Deliveries that were given up.');
  const seconds = metrics.histogram('svc_webhook_delivery_duration_seconds', 'Time of one attempt.');
  return ({ durationMs }, { outcome }) => {
    (outcome === 'delivered' ? delivered : failed).inc();
    if (outcome === 'given-up') givenUp.inc();
    seconds.observe(durationMs / 1_000);
  };
}

function figures(metrics: Metrics, courier: Courier): void {
  metrics.gauge('svc_webhooks', 'Active webhooks that this process delivers for.', () => courier.figures.lanes);
  metrics.gauge('svc_webhooks_failing', 'Of them those whose last delivery failed.', () => courier.figures.failing);
  metrics.gauge('svc_webhook_lag_entries', 'Entries that the slowest of them is behind.', () => courier.figures.lag);
  metrics.gauge('svc_webhook_deliveries_in_flight', 'Deliveries on their way.', () => courier.figures.inFlight);
}
