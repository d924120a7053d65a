/** Webhooks, for operators (docs/webhooks.md). */
import { pathOf, type ReadOptions } from '../http.js';
import { type Paged, paged } from '../pages.js';
import type { Pagination, Paging } from '../views.js';
import type { WriteOptions, Writes } from '../writes.js';

/** Which events; all that is given must hold. */
export interface WebhookFilter {
  /** `escrow.released`, or `escrow.*` for all of a kind. */
  readonly types?: readonly string[];
  /** Kinds of which a resource was written. */
  readonly kinds?: readonly string[];
  /** Signed by this DID, or Tokens of it moved. */
  readonly did?: string;
  /** `<kind>/<id>` */
  readonly resource?: string;
}

export interface NewWebhook extends WebhookFilter {
  readonly url: string;
  readonly label?: string;
  /** 24 to 256 visible ASCII characters; otherwise the node makes one. */
  readonly secret?: string;
  /** Number of the entry to begin behind; default: the newest. */
  readonly after?: number;
}

export interface Webhook extends WebhookFilter {
  readonly id: string;
  readonly url: string;
  readonly label: string;
  readonly status: 'active' | 'disabled';
  readonly reason: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Until then deliveries bear a second signature, by the secret before; null: there is none. */
  readonly previousSecretUntil: number | null;
  /** Number of the entry up to which all is done with. */
  readonly deliveredUpTo: number;
  /** Deliveries that have failed and will be tried again. */
  readonly waiting: number;
  readonly failingSince: number | null;
  readonly deliveredAt: number | null;
}

/** `secret` is shown once: a reply that is given again has null there. */
export interface CreatedWebhook extends Webhook {
  readonly secret: string | null;
}

/** One attempt. */
export interface Delivery {
  readonly id: string;
  readonly type: string;
  readonly seq: number | null;
  readonly attempt: number;
  readonly outcome: 'delivered' | 'failed' | 'given-up';
  readonly status: number | null;
  readonly error: string | null;
  readonly at: number;
  readonly durationMs: number;
}

interface Page {
  readonly total: number;
  readonly pagination: Pagination;
}

export class Webhooks {
  constructor(private readonly writes: Writes) {}

  create(webhook: NewWebhook, options?: WriteOptions): Promise<CreatedWebhook> {
    return this.writes.plain('/webhooks', webhook, options);
  }

  list(query?: Paging, options?: ReadOptions): Paged<Page & { readonly webhooks: readonly Webhook[] }, Webhook> {
    return paged((asked) => this.writes.http.get('/webhooks', asked, options), { ...query }, 'webhooks');
  }

  get(id: string, options?: ReadOptions): Promise<Webhook> {
    return this.writes.http.get(pathOf`/webhooks/${id}`, undefined, options);
  }

  /** What became of deliveries, newest first. */
  deliveries(
    id: string,
    query?: Paging,
    options?: ReadOptions,
  ): Paged<Page & { readonly deliveries: readonly Delivery[] }, Delivery> {
    const path = pathOf`/webhooks/${id}/deliveries`;
    return paged((asked) => this.writes.http.get(path, asked, options), { ...query }, 'deliveries');
  }

  /** @param from `after`: go on behind this entry instead of where it was */
  enable(id: string, from: { readonly after?: number } = {}, options?: WriteOptions): Promise<Webhook> {
    return this.writes.plain(pathOf`/webhooks/${id}/actions/enable`, from, options);
  }

  disable(id: string, options?: WriteOptions): Promise<Webhook> {
    return this.writes.plain(pathOf`/webhooks/${id}/actions/disable`, {}, options);
  }

  /**
   * Signs with another secret from now on, shown this once, and for `overlapMs` (default a day, at most 7) with the one
   * before as well.
   */
  rotateSecret(
    id: string,
    to: { readonly secret?: string; readonly overlapMs?: number } = {},
    options?: WriteOptions,
  ): Promise<CreatedWebhook> {
    return this.writes.plain(pathOf`/webhooks/${id}/actions/rotate-secret`, to, options);
  }

  /** Posts an event of type `webhook.test` now. */
  test(id: string, options?: WriteOptions): Promise<Delivery> {
    return this.writes.plain(pathOf`/webhooks/${id}/actions/test`, {}, options);
  }

  /** Posts one entry now, once and out of order. */
  redeliver(id: string, seq: number, options?: WriteOptions): Promise<Delivery> {
    return this.writes.plain(pathOf`/webhooks/${id}/actions/redeliver`, { seq }, options);
  }

  remove(id: string, options?: ReadOptions): Promise<void> {
    return this.writes.http.send({ method: 'DELETE', path: pathOf`/webhooks/${id}`, ...options });
  }
}
