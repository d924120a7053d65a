/** Webhooks, for operators (docs/webhooks.md). */
import { pathOf, type ReadOptions } from '../http.js';
import { type Paged, paged } from '../pages.js';
import type { CreatedWebhook, Delivery, Paging, Replies, Requests, Webhook } from '../wire.js';
import type { WriteOptions } from '../write-options.js';
import type { Writes } from '../writes.js';

export class Webhooks {
  constructor(private readonly writes: Writes) {}

  create(webhook: Requests['createWebhook'], options?: WriteOptions): Promise<CreatedWebhook> {
    return this.writes.plain('/webhooks', webhook, options);
  }

  list(query?: Paging, options?: ReadOptions): Paged<Replies['listWebhooks'], Webhook> {
    return paged((asked) => this.writes.http.get('/webhooks', asked, options), { ...query }, 'webhooks');
  }

  get(id: string, options?: ReadOptions): Promise<Webhook> {
    return this.writes.http.get(pathOf`/webhooks/${id}`, undefined, options);
  }

  /** Results of deliveries, newest first. */
  deliveries(id: string, query?: Paging, options?: ReadOptions): Paged<Replies['listDeliveries'], Delivery> {
    const path = pathOf`/webhooks/${id}/deliveries`;
    return paged((asked) => this.writes.http.get(path, asked, options), { ...query }, 'deliveries');
  }

  /** Enables a webhook. @param from with `after`, deliveries continue after this entry instead of where they stopped */
  enable(
    id: string,
    from: {
      /** Number of an entry: the webhook continues after it. */
      readonly after?: number;
    } = {},
    options?: WriteOptions,
  ): Promise<Webhook> {
    return this.writes.plain(pathOf`/webhooks/${id}/actions/enable`, from, options);
  }

  disable(id: string, options?: WriteOptions): Promise<Webhook> {
    return this.writes.plain(pathOf`/webhooks/${id}/actions/disable`, {}, options);
  }

  /**
   * Creates a new signing secret, which only this reply contains. For `overlapMs` (default one day, at most 7) messages
   * are signed with the previous one as well.
   */
  rotateSecret(
    id: string,
    to: {
      /** The new secret; default a random one. */
      readonly secret?: string;
      /** For how long deliveries are signed with the old secret, too, milliseconds. */
      readonly overlapMs?: number;
    } = {},
    options?: WriteOptions,
  ): Promise<CreatedWebhook> {
    return this.writes.plain(pathOf`/webhooks/${id}/actions/rotate-secret`, to, options);
  }

  /** Sends a `webhook.test` event now. */
  test(id: string, options?: WriteOptions): Promise<Delivery> {
    return this.writes.plain(pathOf`/webhooks/${id}/actions/test`, {}, options);
  }

  /** Delivers one entry again now, once and out of order. */
  redeliver(id: string, seq: number, options?: WriteOptions): Promise<Delivery> {
    return this.writes.plain(pathOf`/webhooks/${id}/actions/redeliver`, { seq }, options);
  }

  remove(id: string, options?: ReadOptions): Promise<void> {
    return this.writes.http.send({ method: 'DELETE', path: pathOf`/webhooks/${id}`, ...options });
  }
}
