/**
 * Follows the numbered journal for all webhooks, each from its own place. Of several processes on one store one delivers, by
 * lease; what it notes bears the lease's token, so that one who has lost it can note nothing any more.
 */
import type { NumberedEntry } from '../store/entry.js';
import type { SharedStore, StoreReader } from '../store/store.js';
import type { Timer, World } from '../world.js';
import { Lane, type LaneBounds, type LaneParts } from './lane.js';
import { type MessageOptions, messageOf } from './message.js';
import type { Poster } from './post.js';
import { Tenure } from './tenure.js';
import { progressOf } from './webhook.js';
import type { Armed, Webhooks } from './webhooks.js';

export interface CourierOptions extends MessageOptions {
  readonly store: Pick<StoreReader, 'entries'> & { readonly shared?: SharedStore | undefined } & ConstructorParameters<
      typeof Tenure
    >[0]['store'];
  readonly webhooks: Webhooks;
  readonly poster: Pick<Poster, 'post'>;
  readonly world: World;
  readonly onOutcome: LaneParts['onOutcome'];
  readonly log: (message: string, detail: object) => void;
  readonly bounds: LaneBounds & {
    /** Entries read at once. */
    readonly page: number;
    /** Between two readings, so that many entries are read together. */
    readonly gatherMs: number;
    /** How often it is looked at who delivers, and on a shared store at what others have changed. */
    readonly lookMs: number;
    /** For so long a delivery of the holder before may be on its way, ms. */
    readonly totalMs: number;
    /** Of entries kept in memory for whoever sends them next. */
    readonly recentBytes: number;
  };
}

export class Courier {
  readonly #lanes = new Map<string, Lane>();
  readonly #recent = new Map<number, NumberedEntry>();
  readonly #tenure: Tenure;
  #recentBytes = 0;
  #head = 0;
  /** The last reading has filled its page: there is more. */
  #isBehind = false;
  #isChanged = true;
  #stopped = false;
  #looking: Promise<void> = Promise.resolve();
  #reading: Promise<void> | undefined;
  #lookTimer: Timer | undefined;
  #readTimer: Timer | undefined;

  constructor(private readonly options: CourierOptions) {
    const { store, world, bounds } = options;
    this.#tenure = new Tenure({ store, world, totalMs: bounds.totalMs });
    options.webhooks.onChange = (id) => this.#changed(id);
  }

  /** The journal has grown to this entry. */
  saw(seq: number): void {
    this.#head = Math.max(this.#head, seq);
    this.#readSoon();
  }

  start(): void {
    this.#lookIn(0);
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    this.#lookTimer?.cancel();
    this.#readTimer?.cancel();
    await this.#looking;
    await this.#reading;
    await Promise.all([...this.#lanes.values()].map((lane) => lane.stop()));
    this.#lanes.clear();
    await this.#tenure.leave().catch((err: unknown) => this.options.log('the webhooks were not given back', { err }));
  }

  /** Of this process; all 0 where another one delivers. */
  get figures(): { readonly lanes: number; readonly failing: number; readonly lag: number; readonly inFlight: number } {
    const lanes = [...this.#lanes.values()];
    const behind = Math.min(this.#head, ...lanes.map(({ at }) => at));
    return {
      lanes: lanes.length,
      failing: lanes.filter(({ isFailing }) => isFailing).length,
      lag: this.#head - behind,
      inFlight: lanes.reduce((sum, { inFlight }) => sum + inFlight, 0),
    };
  }

  /** Whatever it is, nothing of before goes out from here. */
  #changed(id: string): void {
    this.#lanes.get(id)?.drop();
    this.#lanes.delete(id);
    this.#isChanged = true;
    if (!this.#stopped) this.#lookIn(0);
  }

  #lookIn(delayMs: number): void {
    this.#lookTimer?.cancel();
    this.#lookTimer = this.options.world.after(delayMs, () => {
      this.#looking = this.#looking
        .then(() => this.#look())
        .catch((err: unknown) => this.options.log('the webhooks were not looked at', { err }))
        .finally(() => {
          const { gatherMs, lookMs } = this.options.bounds;
          if (!this.#stopped) this.#lookIn(this.#isChanged ? gatherMs : lookMs);
        });
    });
  }

  async #look(): Promise<void> {
    const { store, webhooks } = this.options;
    const began = await this.#tenure.look();
    if (!this.#tenure.holds) return this.#dropAll();
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
      for (const lane of this.#lanes.values()) lane.resume();
      this.#readSoon();
    }
  }

  #dropAll(): void {
    for (const lane of this.#lanes.values()) lane.drop();
    this.#lanes.clear();
  }

  async #open(active: readonly Armed[]): Promise<void> {
    const current = new Map(active.map((armed) => [armed.webhook.id, armed]));
    for (const [id, lane] of this.#lanes) {
      const { generation, rotations } = lane.armed.webhook;
      const now = current.get(id)?.webhook;
      if (now?.generation === generation && now.rotations === rotations && !lane.isDropped) continue;
      lane.drop();
      this.#lanes.delete(id);
    }
    for (const [id, armed] of current) if (!this.#lanes.has(id)) await this.#begin(armed);
  }

  async #begin(armed: Armed): Promise<void> {
    const { webhooks, world, poster, onOutcome, log, bounds } = this.options;
    const { webhook } = armed;
    const known = await webhooks.progress(webhook.id);
    const progress = { ...progressOf(webhook, known?.progress), token: this.#tenure.token };
    const revision = known?.revision ?? 0;
    // Whoever delivered before can note nothing any more.
    if (!(await webhooks.putProgress(webhook.id, progress, revision))) {
      this.#isChanged = true;
      return;
    }
    if (this.#stopped || !(await webhooks.get(webhook.id))) return;
    const parts: LaneParts = {
      ...{ world, webhooks, poster, onOutcome, log, bounds },
      message: async (to, seq) => messageOf(to.webhook, await this.#entry(seq), this.options),
      mayDeliver: () => this.#tenure.mayDeliver,
      onRoom: () => this.#readSoon(),
    };
    this.#lanes.set(webhook.id, new Lane(armed, { progress, revision: revision + 1 }, parts));
  }

  #readSoon(): void {
    if (this.#readTimer || this.#reading || this.#stopped || this.#hungry().length === 0) return;
    this.#readTimer = this.options.world.after(this.#isBehind ? 0 : this.options.bounds.gatherMs, () => {
      this.#readTimer = undefined;
      this.#reading = this.#read()
        .catch((err: unknown) => {
          this.options.log('the journal could not be read for the webhooks', { err });
        })
        .finally(() => {
          this.#reading = undefined;
          this.#readSoon();
        });
    });
  }

  #hungry(): Lane[] {
    return [...this.#lanes.values()].filter((lane) => lane.wantsMore && lane.read < this.#head);
  }

  /** A page for each place where lanes stand: mostly they all stand at the end. */
  async #read(): Promise<void> {
    const { store, bounds } = this.options;
    this.#isBehind = false;
    for (const after of new Set(this.#hungry().map(({ read }) => read))) {
      const page = await store.entries({ after, limit: bounds.page });
      if (page.length === bounds.page) this.#isBehind = true;
      for (const entry of page) this.#keep(entry);
      for (const lane of this.#lanes.values()) if (lane.read === after) lane.offer(page);
    }
  }

  #keep(entry: NumberedEntry): void {
    if (this.#recent.has(entry.seq)) return;
    this.#recent.set(entry.seq, entry);
    this.#recentBytes += sizeOf(entry);
    for (const [oldest, kept] of this.#recent) {
      if (this.#recentBytes <= this.options.bounds.recentBytes) return;
      this.#recent.delete(oldest);
      this.#recentBytes -= sizeOf(kept);
    }
  }

  async #entry(seq: number): Promise<NumberedEntry> {
    const known = this.#recent.get(seq);
    if (known) return known;
    const [entry] = await this.options.store.entries({ after: seq - 1, limit: 1 });
    if (entry?.seq !== seq) throw new EntryMissing(`entry ${seq} is not in the journal`);
    return entry;
  }
}

/** Of its texts; what was parsed of them comes on top. */
const sizeOf = ({ coreText, payloadText }: NumberedEntry): number => 2 * (coreText.length + (payloadText?.length ?? 0));

class EntryMissing extends Error {
  override name = 'EntryMissing';
}
