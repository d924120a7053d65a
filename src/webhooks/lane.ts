/**
 * Deliveries of one webhook, apart from all others: in the order of each resource, some at a time, tried again with longer and
 * longer rests. What arrived is noted soon afterwards; after a crash what was not noted goes out once more.
 */
import type { NumberedEntry } from '../store/entry.js';
import type { Timer, World } from '../world.js';
import type { DeliveryLine } from './delivery-log.js';
import { headersOf, type Message } from './message.js';
import { type Item, Outstanding } from './outstanding.js';
import type { Outcome, Poster } from './post.js';
import { matches, type Progress, resourcesOf } from './webhook.js';
import type { Armed, Webhooks } from './webhooks.js';

export interface LaneBounds {
  readonly window: number;
  readonly inFlight: number;
  /** Attempts of one delivery, where the receiver takes others meanwhile. */
  readonly attempts: number;
  readonly firstRestMs: number;
  readonly longestRestMs: number;
  /** Where nothing at all has arrived for so long, the webhook is disabled. */
  readonly failingMs: number;
  /** How long what has happened may stay unwritten: after a delivery, and where only foreign entries passed. */
  readonly noteMs: number;
  readonly noteForeignMs: number;
  /** On the way when the node stops: they have so long. */
  readonly stopMs: number;
}

export interface LaneParts {
  readonly world: World;
  readonly webhooks: Pick<Webhooks, 'disable' | 'putProgress' | 'log'>;
  readonly poster: Pick<Poster, 'post'>;
  readonly message: (armed: Armed, seq: number) => Promise<Message>;
  /** Whether this process is the one that delivers, as far as it can know. */
  readonly mayDeliver: () => boolean;
  /** There is room for more entries. */
  readonly onRoom: () => void;
  readonly onOutcome: (outcome: Outcome, line: DeliveryLine) => void;
  readonly log: (message: string, detail: object) => void;
  readonly bounds: LaneBounds;
}

const gone = 410;
/** So many failures in a row are the receiver's, not those of one event. */
const patience = 3;

export class Lane {
  readonly #outstanding: Outstanding;
  readonly #ending = new AbortController();
  readonly #underWay = new Set<Promise<void>>();
  #stopped = false;
  #isDropped = false;
  #timer: Timer | undefined;
  /** Failures since something has arrived. */
  #failures = 0;
  #failingSince: number | null;
  #deliveredAt: number | null;
  #restsUntil = 0;
  #lines: DeliveryLine[] = [];
  #noteTimer: Timer | undefined;
  #notesAt = Number.POSITIVE_INFINITY;
  #noting: Promise<void> = Promise.resolve();
  #noted: number;

  /** @param kept what is written of it, and under which revision */
  constructor(
    readonly armed: Armed,
    private kept: { readonly progress: Progress; readonly revision: number },
    private readonly parts: LaneParts,
  ) {
    this.#outstanding = new Outstanding(kept.progress, parts.bounds.window);
    this.#failingSince = kept.progress.failingSince;
    this.#deliveredAt = kept.progress.deliveredAt;
    this.#noted = kept.progress.at;
  }

  get id(): string {
    return this.armed.webhook.id;
  }

  get read(): number {
    return this.#outstanding.read;
  }

  get at(): number {
    return this.#outstanding.at;
  }

  get wantsMore(): boolean {
    return !this.#stopped && this.#outstanding.hasRoom;
  }

  get isFailing(): boolean {
    return this.#failingSince !== null;
  }

  /** It is none any more; what becomes of its webhook is for whoever delivers to begin anew. */
  get isDropped(): boolean {
    return this.#isDropped;
  }

  get inFlight(): number {
    return this.#underWay.size;
  }

  /** The next entries of the journal, as many as there is room for. */
  offer(entries: readonly NumberedEntry[]): void {
    for (const entry of entries) {
      if (!this.wantsMore) break;
      const resources = resourcesOf(entry);
      this.#outstanding.take(entry.seq, matches(this.armed.webhook, entry, resources) ? resources : undefined);
    }
    const { noteForeignMs } = this.parts.bounds;
    if (this.at > this.#noted) this.#noteWithin(noteForeignMs);
    this.#go();
  }

  /** What was held back, as it was not certain that this process is the one that delivers. */
  resume(): void {
    this.#go();
  }

  /** Breaks off what is under way; nothing of it goes out any more. */
  drop(): void {
    this.#stopped = true;
    this.#isDropped = true;
    this.#timer?.cancel();
    this.#noteTimer?.cancel();
    this.#ending.abort();
  }

  /** Gives what is under way a little time, and writes down how far it came. */
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
    // One at a time while it fails: a dead receiver costs no more than that.
    const most = this.#failures > 0 ? 1 : bounds.inFlight;
    if (!mayDeliver()) return;
    while (this.#underWay.size < most) {
      const item = this.#outstanding.ready(now);
      if (!item) break;
      this.#start(item);
    }
    if (this.#underWay.size < most) this.#later(this.#outstanding.wakesAt - now);
  }

  #later(delayMs: number): void {
    if (delayMs === Number.POSITIVE_INFINITY) return;
    this.#timer = this.parts.world.after(Math.max(0, delayMs), () => this.#go());
  }

  #start(item: Item): void {
    item.isUnderWay = true;
    const delivery = this.#deliver(item)
      .catch((error: unknown) => {
        // The store: it is tried again like a delivery that failed.
        this.parts.log('a webhook could not be delivered for', { webhook: this.id, err: error });
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

  async #deliver(item: Item): Promise<void> {
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
    onOutcome(outcome, line);
    this.#noteWithin(this.parts.bounds.noteMs);
  }

  #arrived(item: Item): 'delivered' {
    this.#failures = 0;
    this.#failingSince = null;
    this.#restsUntil = 0;
    this.#deliveredAt = this.parts.world.now();
    this.#outstanding.finish(item);
    return 'delivered';
  }

  #failed(item: Item, { status, error, retryAfterMs }: Outcome): 'failed' | 'given-up' {
    const { world, bounds } = this.parts;
    const now = world.now();
    item.attempts++;
    item.failedSince ??= now;
    this.#failures++;
    this.#failingSince ??= now;
    if (status === gone) void this.#disable('the receiver has answered 410: it is gone');
    else if (now - this.#failingSince >= bounds.failingMs) {
      const days = Math.round(bounds.failingMs / 86_400_000);
      void this.#disable(`nothing has arrived for ${days} days; the last failure: ${error}`);
    }
    const takesOthers = this.#deliveredAt !== null && this.#deliveredAt > item.failedSince;
    if (item.attempts >= bounds.attempts && takesOthers) {
      this.#outstanding.finish(item);
      return 'given-up';
    }
    item.notBefore = world.monotonic() + this.#restMs(item.attempts);
    if (this.#failures > patience) this.#restsUntil = world.monotonic() + this.#restMs(this.#failures - patience);
    const asked = Math.min(retryAfterMs ?? 0, bounds.longestRestMs);
    this.#restsUntil = Math.max(this.#restsUntil, world.monotonic() + asked);
    return 'failed';
  }

  /** Twice as long each time, half of it by chance, so that not all come back at once. */
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
      // The database is away: the lane that comes after this one finds out by itself.
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

  /** One after the other. Where somebody else has written, somebody else delivers: this lane ends. */
  #note(): Promise<void> {
    this.#noteTimer?.cancel();
    this.#notesAt = Number.POSITIVE_INFINITY;
    this.#noting = this.#noting
      .then(() => this.#write())
      .catch((error: unknown) => {
        this.parts.log('what became of a webhook was not noted', { webhook: this.id, err: error });
      });
    return this.#noting;
  }

  async #write(): Promise<void> {
    if (this.#isDropped) return;
    const { webhooks } = this.parts;
    const lines = this.#lines.splice(0);
    const { generation, token } = this.kept.progress;
    const progress = {
      ...{ generation, token, failingSince: this.#failingSince, deliveredAt: this.#deliveredAt },
      ...this.#outstanding.progress,
    };
    const { revision } = this.kept;
    if (!(await webhooks.putProgress(this.id, progress, revision))) return this.drop();
    this.kept = { progress, revision: revision + 1 };
    this.#noted = progress.at;
    if (lines.length === 0 || this.#isDropped) return;
    try {
      await webhooks.log.add(this.id, lines);
    } catch (error) {
      this.#lines.unshift(...lines.slice(-this.parts.bounds.window));
      this.#noteWithin(this.parts.bounds.noteForeignMs);
      throw error;
    }
  }
}
