/**
 * Follows the numbered journal for all webhooks, each from its own position. Where several processes share a store,
 * the holder of the lease delivers. Progress carries the lease's fencing token, so that a former holder cannot write
 * any more.
 */
import { LRUCache } from 'lru-cache';
import { Background } from '../../core/background.js';
import type { Environment } from '../../core/environment.js';
import type { NumberedEntry } from '../../store/entry.js';
import { entryAt, type SharedStore, type StoreReader } from '../../store/store.js';
import { DeliveryQueue, type DeliveryQueueBounds, type DeliveryQueueOptions } from './delivery-queue.js';
import { Leadership } from './leadership.js';
import { type MessageOptions, messageOfEntry } from './message.js';
import type { Poster } from './post.js';
import { progressOf } from './webhook.js';
import type { Armed, WebhookRegistry } from './webhooks.js';

export interface DispatcherOptions extends MessageOptions {
  readonly store: Pick<StoreReader, 'entries'> & { readonly shared?: SharedStore | undefined } & ConstructorParameters<
      typeof Leadership
    >[0]['store'];
  readonly webhooks: WebhookRegistry;
  readonly poster: Pick<Poster, 'post'>;
  readonly world: Environment;
  readonly onOutcome: DeliveryQueueOptions['onOutcome'];
  readonly log: (message: string, detail: object) => void;
  readonly bounds: DeliveryQueueBounds & {
    readonly page: number;
    /** Delay between reads, so that several entries are read together, ms. */
    readonly gatherMs: number;
    /** How often the lease is checked, and on a shared store also for changed webhooks, ms. */
    readonly lookMs: number;
    /** Longest time that a former holder's delivery may still be in flight, ms. */
    readonly totalMs: number;
    /** Bound of the entries kept in memory for deliveries, bytes. */
    readonly recentBytes: number;
  };
}

export class Dispatcher {
  readonly #queues = new Map<string, DeliveryQueue>();
  readonly #recent: LRUCache<number, NumberedEntry>;
  readonly #leadership: Leadership;
  #head = 0;
  /** True if the last read filled its page, so that more entries follow. */
  #isBehind = false;
  #isChanged = true;
  #stopped = false;
  readonly #looks: Background;
  readonly #reads: Background;

  constructor(private readonly options: DispatcherOptions) {
    const { store, world, bounds, log } = options;
    this.#recent = new LRUCache({ maxSize: bounds.recentBytes, sizeCalculation: sizeOf });
    this.#leadership = new Leadership({ store, world, totalMs: bounds.totalMs });
    this.#looks = new Background({
      world,
      round: () => this.#look().then(() => (this.#isChanged ? bounds.gatherMs : bounds.lookMs)),
      onFailure: (err) => log('the webhooks could not be checked', { err }),
    });
    this.#reads = new Background({
      world,
      round: () => this.#read().then(() => this.#readAgainMs()),
      onFailure: (err) => log('the journal could not be read for the webhooks', { err }),
    });
    options.webhooks.onChange = (id) => this.#changed(id);
  }

  saw(seq: number): void {
    this.#head = Math.max(this.#head, seq);
    this.#readSoon();
  }

  start(): void {
    this.#looks.start();
    this.#reads.start();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await Promise.all([this.#looks.stop(), this.#reads.stop()]);
    await Promise.all([...this.#queues.values()].map((queue) => queue.stop()));
    this.#queues.clear();
    await this.#leadership
      .leave()
      .catch((err: unknown) => this.options.log('the leadership of webhooks could not be given up', { err }));
  }

  /** Metrics of this process; all 0 where another process delivers. */
  get figures(): {
    readonly queues: number;
    readonly failing: number;
    readonly lag: number;
    readonly inFlight: number;
  } {
    const queues = [...this.#queues.values()];
    const behind = Math.min(this.#head, ...queues.map(({ at }) => at));
    return {
      queues: queues.length,
      failing: queues.filter(({ isFailing }) => isFailing).length,
      lag: this.#head - behind,
      inFlight: queues.reduce((sum, { inFlight }) => sum + inFlight, 0),
    };
  }

  #changed(id: string): void {
    this.#queues.get(id)?.drop();
    this.#queues.delete(id);
    this.#isChanged = true;
    this.#looks.wake();
  }

  async #look(): Promise<void> {
    const { store, webhooks } = this.options;
    const began = await this.#leadership.look();
    if (!this.#leadership.holds) return this.#dropAll();
    if (began) {
      this.#dropAll();
      this.#isChanged = true;
      await webhooks.sweep();
    }
    if (!this.#isChanged && !store.shared) return;
    this.#isChanged = false;
    try {
      await this.#open(await webhooks.active());
    } catch (error) {
      this.#isChanged = true;
      throw error;
    } finally {
      for (const queue of this.#queues.values()) queue.resume();
      this.#readSoon();
    }
  }

  #dropAll(): void {
    for (const queue of this.#queues.values()) queue.drop();
    this.#queues.clear();
  }

  async #open(active: readonly Armed[]): Promise<void> {
    const current = new Map(active.map((armed) => [armed.webhook.id, armed]));
    for (const [id, queue] of this.#queues) {
      const { generation, rotations } = queue.armed.webhook;
      const now = current.get(id)?.webhook;
      if (now?.generation === generation && now.rotations === rotations && !queue.isDropped) continue;
      queue.drop();
      this.#queues.delete(id);
    }
    for (const [id, armed] of current) if (!this.#queues.has(id)) await this.#begin(armed);
  }

  async #begin(armed: Armed): Promise<void> {
    const { webhooks, world, poster, onOutcome, log, bounds } = this.options;
    const { webhook } = armed;
    const known = await webhooks.progress(webhook.id);
    const progress = { ...progressOf(webhook, known?.progress), token: this.#leadership.token };
    const revision = known?.revision ?? 0;
    // Writes the new token first, so that the former holder cannot write any more.
    if (!(await webhooks.putProgress(webhook.id, progress, revision))) {
      this.#isChanged = true;
      return;
    }
    if (this.#stopped || !(await webhooks.get(webhook.id))) return;
    const parts: DeliveryQueueOptions = {
      ...{ world, webhooks, poster, onOutcome, log, bounds },
      message: async (to, seq) => messageOfEntry(to.webhook, await this.#entry(seq), this.options),
      mayDeliver: () => this.#leadership.mayDeliver,
      onRoom: () => this.#readSoon(),
    };
    this.#queues.set(webhook.id, new DeliveryQueue(armed, { progress, revision: revision + 1 }, parts));
  }

  #readSoon(): void {
    const againMs = this.#readAgainMs();
    if (againMs !== undefined) this.#reads.wake(againMs);
  }

  #readAgainMs(): number | undefined {
    if (this.#hungry().length === 0) return undefined;
    return this.#isBehind ? 0 : this.options.bounds.gatherMs;
  }

  #hungry(): DeliveryQueue[] {
    return [...this.#queues.values()].filter((queue) => queue.wantsMore && queue.read < this.#head);
  }

  /** Reads one page per distinct position. Usually all queues are at the end. */
  async #read(): Promise<void> {
    const { store, bounds } = this.options;
    this.#isBehind = false;
    for (const after of new Set(this.#hungry().map(({ read }) => read))) {
      const page = await store.entries({ after, limit: bounds.page });
      if (page.length === bounds.page) this.#isBehind = true;
      for (const entry of page) this.#keep(entry);
      for (const queue of this.#queues.values()) if (queue.read === after) queue.offer(page);
    }
  }

  #keep(entry: NumberedEntry): void {
    if (this.#recent.has(entry.seq)) return;
    this.#recent.set(entry.seq, entry);
  }

  async #entry(seq: number): Promise<NumberedEntry> {
    const known = this.#recent.get(seq);
    if (known) return known;
    const entry = await entryAt(this.options.store, seq);
    if (!entry) throw new EntryMissing(`entry ${seq} is not in the journal`);
    return entry;
  }
}

/** Size of the entry's texts in bytes; the parsed objects are not counted. */
const sizeOf = ({ coreText, payloadText }: NumberedEntry): number =>
  2 * (coreText.length + (payloadText?.length ?? 0)) || 1;

class EntryMissing extends Error {
  override name = 'EntryMissing';
}
