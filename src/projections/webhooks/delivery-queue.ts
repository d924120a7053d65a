/**
 * Deliveries of one webhook, independent of other webhooks: in order per resource, several at a time, retried with
 * growing delays. Progress is written shortly afterwards; a delivery whose progress was lost in a crash is sent
 * again.
 */

import { dayMs } from '../../core/bounds.js';
import type { Environment, Timer } from '../../core/environment.js';
import type { NumberedEntry } from '../../store/entry.js';
import type { DeliveryLine } from './delivery-log.js';
import { headersOf, type Message } from './message.js';
import { PendingDeliveries, type PendingDelivery } from './pending-deliveries.js';
import type { DeliveryOutcome, Poster } from './post.js';
import { type DeliveryProgress, matches, webhookResourcesOf } from './webhook.js';
import type { Armed, WebhookRegistry } from './webhooks.js';

export interface DeliveryQueueBounds {
  readonly window: number;
  readonly inFlight: number;
  /** Attempts of one delivery before it is given up, if others succeed meanwhile. */
  readonly attempts: number;
  readonly firstRestMs: number;
  readonly longestRestMs: number;
  /** The webhook is disabled when every delivery has failed for this long, ms. */
  readonly failingMs: number;
  /**
   * Longest delay before progress is written, ms: after a delivery, and after entries that don't match the filter.
   */
  readonly noteMs: number;
  readonly noteForeignMs: number;
  /** Time that deliveries in flight get when the node stops, ms. */
  readonly stopMs: number;
}

export interface DeliveryQueueOptions {
  readonly world: Environment;
  readonly webhooks: Pick<WebhookRegistry, 'disable' | 'putProgress' | 'log'>;
  readonly poster: Pick<Poster, 'post'>;
  readonly message: (armed: Armed, seq: number) => Promise<Message>;
  readonly mayDeliver: () => boolean;
  readonly onRoom: () => void;
  readonly onOutcome: (outcome: DeliveryOutcome, line: DeliveryLine) => void;
  readonly log: (message: string, detail: object) => void;
  readonly bounds: DeliveryQueueBounds;
}

const gone = 410;
/** After this many consecutive failures, the receiver counts as failing, not a single event. */
const patience = 3;

export class DeliveryQueue {
  readonly #pending: PendingDeliveries;
  readonly #ending = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  #stopped = false;
  #isDropped = false;
  #timer: Timer | undefined;
  #failures = 0;
  #failingSince: number | null;
  #deliveredAt: number | null;
  #restsUntil = 0;
  #lines: DeliveryLine[] = [];
  #noteTimer: Timer | undefined;
  #notesAt = Number.POSITIVE_INFINITY;
  #noting: Promise<void> = Promise.resolve();
  #noted: number;

  /** @param kept the stored progress and its revision */
  constructor(
    readonly armed: Armed,
    private kept: { readonly progress: DeliveryProgress; readonly revision: number },
    private readonly parts: DeliveryQueueOptions,
  ) {
    this.#pending = new PendingDeliveries(kept.progress, parts.bounds.window);
    this.#failingSince = kept.progress.failingSince;
    this.#deliveredAt = kept.progress.deliveredAt;
    this.#noted = kept.progress.at;
  }

  get id(): string {
    return this.armed.webhook.id;
  }

  get read(): number {
    return this.#pending.read;
  }

  get at(): number {
    return this.#pending.at;
  }

  get wantsMore(): boolean {
    return !this.#stopped && this.#pending.hasRoom;
  }

  get isFailing(): boolean {
    return this.#failingSince !== null;
  }

  /** True when the queue has ended. The dispatcher opens a new one for its webhook. */
  get isDropped(): boolean {
    return this.#isDropped;
  }

  get inFlight(): number {
    return this.#underWay.size;
  }

  offer(entries: readonly NumberedEntry[]): void {
    for (const entry of entries) {
      if (!this.wantsMore) break;
      const resources = webhookResourcesOf(entry);
      this.#pending.take(entry.seq, matches(this.armed.webhook, entry, resources) ? resources : undefined);
    }
    const { noteForeignMs } = this.parts.bounds;
    if (this.at > this.#noted) this.#noteWithin(noteForeignMs);
    this.#go();
  }

  resume(): void {
    this.#go();
  }

  drop(): void {
    this.#stopped = true;
    this.#isDropped = true;
    this.#timer?.cancel();
    this.#noteTimer?.cancel();
    this.#ending.abort();
  }

  /** Waits a little for deliveries in flight, then writes the progress. */
  async stop(): Promise<void> {
    const { world, bounds } = this.parts;
    this.#stopped = true;
    this.#timer?.cancel();
    const timer = world.after(bounds.stopMs, () => this.#ending.abort());
    await Promise.all(this.#underWay);
    timer.cancel();
    this.#noteTimer?.cancel();
    await this.#note();
    this.drop();
  }

  #go(): void {
    const { world, bounds, mayDeliver } = this.parts;
    if (this.#stopped) return;
    this.#timer?.cancel();
    const now = world.monotonic();
    const resting = this.#restsUntil - now;
    if (resting > 0) {
      this.#later(resting);
      return;
    }
    // Sends one at a time to a failing receiver, to limit the cost.
    const most = this.#failures > 0 ? 1 : bounds.inFlight;
    if (!mayDeliver()) return;
    while (this.#underWay.size < most) {
      const item = this.#pending.ready(now);
      if (!item) break;
      this.#start(item);
    }
    if (this.#underWay.size < most) this.#later(this.#pending.wakesAt - now);
  }

  #later(delayMs: number): void {
    if (delayMs === Number.POSITIVE_INFINITY) return;
    this.#timer = this.parts.world.after(Math.max(0, delayMs), () => this.#go());
  }

  #start(item: PendingDelivery): void {
    item.isUnderWay = true;
    const delivery = this.#deliver(item)
      .catch((error: unknown) => {
        // The store failed: retries as for a failed delivery.
        this.parts.log('a delivery of a webhook failed in the node', { webhook: this.id, err: error });
        item.notBefore = this.parts.world.monotonic() + this.parts.bounds.firstRestMs;
      })
      .finally(() => {
        item.isUnderWay = false;
        this.#underWay.delete(delivery);
        this.#go();
        if (this.wantsMore) this.parts.onRoom();
      });
    this.#underWay.add(delivery);
  }

  async #deliver(item: PendingDelivery): Promise<void> {
    const { world, poster, message, onOutcome } = this.parts;
    const sent = await message(this.armed, item.seq);
    if (this.#ending.signal.aborted) return;
    const attempt = item.attempts + 1;
    const at = world.now();
    const headers = headersOf(sent, this.armed, attempt, at);
    const outcome = await poster.post(this.armed.webhook.url, headers, sent.body, this.#ending.signal);
    if (this.#ending.signal.aborted && outcome.error !== null) return;
    const verdict = outcome.error === null ? this.#arrived(item) : this.#failed(item, outcome);
    const { id, type, seq } = sent;
    const { status, error, durationMs } = outcome;
    const line = { id, type, seq, attempt, outcome: verdict, status, error, at, durationMs };
    this.#lines.push(line);
    if (this.#lines.length > this.parts.bounds.window) this.#lines.shift();
    onOutcome(outcome, line);
    this.#noteWithin(this.parts.bounds.noteMs);
  }

  #arrived(item: PendingDelivery): 'delivered' {
    this.#failures = 0;
    this.#failingSince = null;
    this.#restsUntil = 0;
    this.#deliveredAt = this.parts.world.now();
    this.#pending.finish(item);
    return 'delivered';
  }

  #failed(item: PendingDelivery, { status, error, retryAfterMs }: DeliveryOutcome): 'failed' | 'given-up' {
    const { world, bounds } = this.parts;
    const now = world.now();
    item.attempts++;
    item.failedSince ??= now;
    this.#failures++;
    this.#failingSince ??= now;
    if (status === gone) void this.#disable('the receiver has answered 410: it is gone');
    else if (now - this.#failingSince >= bounds.failingMs) {
      const days = Math.round(bounds.failingMs / dayMs);
      void this.#disable(`nothing has arrived for ${days} days; the last failure: ${error}`);
    }
    const takesOthers = this.#deliveredAt !== null && this.#deliveredAt > item.failedSince;
    if (item.attempts >= bounds.attempts && takesOthers) {
      this.#pending.finish(item);
      return 'given-up';
    }
    item.notBefore = world.monotonic() + this.#restMs(item.attempts);
    if (this.#failures > patience) this.#restsUntil = world.monotonic() + this.#restMs(this.#failures - patience);
    const asked = Math.min(retryAfterMs ?? 0, bounds.longestRestMs);
    this.#restsUntil = Math.max(this.#restsUntil, world.monotonic() + asked);
    return 'failed';
  }

  /** Exponential backoff with jitter, so that retries don't arrive at the same time. */
  #restMs(attempts: number): number {
    const { world, bounds } = this.parts;
    const whole = Math.min(bounds.longestRestMs, bounds.firstRestMs * 2 ** (attempts - 1));
    return whole * (0.5 + (world.random(1)[0] ?? 0) / 512);
  }

  async #disable(reason: string): Promise<void> {
    const { webhooks, log } = this.parts;
    this.#stopped = true;
    log('a webhook was disabled', { webhook: this.id, reason });
    await Promise.all(this.#underWay);
    await this.#note();
    try {
      await webhooks.disable(this.id, reason, this.armed.webhook.generation);
    } catch (error) {
      // The database does not answer. The next queue of this webhook tries again.
      log('a webhook could not be disabled', { webhook: this.id, err: error });
      this.drop();
    }
  }

  #noteWithin(delayMs: number): void {
    const { world } = this.parts;
    const at = world.monotonic() + delayMs;
    if (at >= this.#notesAt || this.#isDropped) return;
    this.#noteTimer?.cancel();
    this.#notesAt = at;
    this.#noteTimer = world.after(delayMs, () => {
      void this.#note();
    });
  }

  /** Writes progress sequentially. If another process has written meanwhile, it delivers now, and this queue ends. */
  #note(): Promise<void> {
    this.#noteTimer?.cancel();
    this.#notesAt = Number.POSITIVE_INFINITY;
    this.#noting = this.#noting
      .then(() => this.#write())
      .catch((error: unknown) => {
        this.parts.log('the progress of a webhook could not be recorded yet', { webhook: this.id, err: error });
        this.#noteWithin(this.parts.bounds.noteForeignMs);
      });
    return this.#noting;
  }

  async #write(): Promise<void> {
    if (this.#isDropped) return;
    const { webhooks } = this.parts;
    const { generation, token } = this.kept.progress;
    const progress = {
      ...{ generation, token, failingSince: this.#failingSince, deliveredAt: this.#deliveredAt },
      ...this.#pending.progress,
    };
    const { revision } = this.kept;
    if (!(await webhooks.putProgress(this.id, progress, revision))) return this.drop();
    this.kept = { progress, revision: revision + 1 };
    this.#noted = progress.at;
    const lines = this.#lines.splice(0);
    if (lines.length === 0 || this.#isDropped) return;
    try {
      await webhooks.log.add(this.id, lines);
    } catch (error) {
      this.#lines.unshift(...lines.slice(-this.parts.bounds.window));
      throw error;
    }
  }
}
