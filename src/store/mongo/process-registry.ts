/**
 * The processes on this database, and the leases that they hold. A process shows that it is alive by increasing its
 * heartbeat counter; the others judge by their own monotonic clocks, so that no two clocks are compared. A lease names
 * its holder and a fencing token that grows with each hand-over; another process takes it when the holder's heartbeat
 * has not changed for too long.
 */
import { type Environment, pause } from '../../core/environment.js';
import { StoreFault } from '../store.js';
import type { Commands } from './commands.js';
import type { Collections } from './database.js';
import { type HomeDocument, homeId, type LeaseDocument, type ProcessDocument } from './documents.js';
import { isDuplicate, type Outage } from './outage.js';

export interface Other {
  readonly document: ProcessDocument;
  /** How long the heartbeat had not changed at the last poll, ms. */
  readonly silentMs: number;
  /** The process's wall clock minus ours, when that heartbeat arrived; undefined before the first that was waited for. */
  readonly aheadMs: number | undefined;
}

/** Interval of the heartbeat, and the silence after which a process loses its leases. */
export const beatMs = 500;
export const silenceMs = 2_500;
/**
 * The longest time that one poll interval adds to a silence. If polls are further apart, the database or this process
 * was stalled, not the other one.
 */
const watchedMs = 1_000;

export class ProcessRegistry {
  readonly others = new Map<string, Other>();
  readonly #leases = new Map<string, LeaseDocument>();
  #beat = 0;
  #polledAt = 0;
  #home: string | null = null;
  #settlesOn: string | null = null;

  constructor(
    readonly id: string,
    private readonly collections: Pick<Collections, 'control'>,
    private readonly commands: Commands,
    private readonly world: Environment,
    private readonly outage: Outage,
  ) {}

  async poll(): Promise<void> {
    const all = () => this.commands.find<ProcessDocument | LeaseDocument>('control', { filter: {} }, 'local');
    const documents = await this.outage.retry(all);
    const sinceMs = this.#sincePollMs;
    this.#polledAt = this.world.monotonic();
    const found = new Set<string>();
    this.#leases.clear();
    for (const document of documents) {
      const [sort, name = ''] = split(document._id);
      if (sort === 'lease') this.#leases.set(name, document as LeaseDocument);
      if (sort !== 'process' || name === this.id) continue;
      found.add(name);
      const known = this.others.get(name);
      const process = document as ProcessDocument;
      const isNews = known?.document.beat !== process.beat;
      // Clocks are compared only at a heartbeat that has just changed, because the age of the first one seen is
      // unknown.
      const aheadMs = known && isNews ? process.now - this.world.now() : known?.aheadMs;
      this.others.set(name, { document: process, silentMs: isNews ? 0 : known.silentMs + sinceMs, aheadMs });
    }
    for (const name of this.others.keys()) if (!found.has(name)) this.others.delete(name);
  }

  get #sincePollMs(): number {
    return Math.min(watchedMs, this.world.monotonic() - this.#polledAt);
  }

  /**
   * Writes the heartbeat and the entries that wait for a number. Throws StoreFault if another process runs as the same
   * node.
   */
  async beat(ready: readonly string[], settled: number): Promise<void> {
    const beat = ++this.#beat;
    const who = { home: this.#home, settlesOn: this.#settlesOn };
    const state = { beat, ready, settled, ...who, now: this.world.now() };
    const { matchedCount } = await this.outage.retry(() =>
      this.collections.control.updateOne({ _id: `process/${this.id}` }, { $set: state }, { upsert: beat === 1 }),
    );
    if (matchedCount === 0 && beat > 1) await this.#rejoin(state);
  }

  /**
   * Registers again after other processes have removed this one, because it was silent for too long and had left
   * nothing.
   */
  async #rejoin(state: Omit<ProcessDocument, '_id'>): Promise<void> {
    const { control } = this.collections;
    await this.outage.retry(() => control.updateOne({ _id: `process/${this.id}` }, { $set: state }, { upsert: true }));
    await this.poll();
    if (this.predecessors().length > 0) {
      throw new StoreFault('this process was silent for so long that another one has taken its place');
    }
  }

  isSilent(process: string): boolean {
    const other = this.others.get(process);
    return other === undefined || other.silentMs + this.#sincePollMs > silenceMs;
  }

  /** The largest difference between another living process's wall clock and ours. */
  get skewMs(): number {
    return Math.max(0, ...this.#living().map(({ aheadMs = 0 }) => Math.abs(aheadMs)));
  }

  /** The wall clocks of the other living processes minus ours, ms. Waits for a heartbeat of each. */
  async clocks(): Promise<readonly number[]> {
    for (;;) {
      await this.poll();
      const clocks = this.#living().map(({ aheadMs }) => aheadMs);
      if (!clocks.includes(undefined)) return clocks as readonly number[];
      await pause(this.world, beatMs / 4);
    }
  }

  #living(): Other[] {
    return [...this.others].filter(([process]) => !this.isSilent(process)).map(([, other]) => other);
  }

  get living(): number {
    return this.#living().length;
  }

  /** The token under which this process holds the lease, as of the last poll. */
  token(lease: string): number | undefined {
    const document = this.#leases.get(lease);
    return document?.holder === this.id ? document.token : undefined;
  }

  /** Takes a lease that is free, or whose holder is silent. @returns whether this process holds it */
  async take(lease: string): Promise<boolean> {
    const _id = `lease/${lease}`;
    const found = this.#leases.get(lease);
    if (found?.holder === this.id) return true;
    if (found?.holder && !this.isSilent(found.holder)) return false;
    const next = { holder: this.id, token: (found?.token ?? 0) + 1 };
    const won = found ? await this.#replace(found, next) : await this.#create({ _id, ...next });
    if (won) this.#leases.set(lease, { _id, ...next });
    return won;
  }

  async #create(document: LeaseDocument): Promise<boolean> {
    try {
      await this.outage.retry(() => this.collections.control.insertOne(document));
      return true;
    } catch (error) {
      if (!isDuplicate(error)) throw error;
      return (await this.outage.retry(() => this.collections.control.findOne({ ...document }))) !== null;
    }
  }

  async #replace({ _id, holder, token }: LeaseDocument, next: Omit<LeaseDocument, '_id'>): Promise<boolean> {
    const { control } = this.collections;
    const { matchedCount } = await this.outage.retry(() => control.updateOne({ _id, holder, token }, { $set: next }));
    // Also true if a first try succeeded and its reply was lost.
    return matchedCount === 1 || (await this.outage.retry(() => control.findOne({ _id, ...next }))) !== null;
  }

  /** Other registered processes of this node; at its start, those that were killed before. */
  predecessors(): readonly string[] {
    const same = [...this.others].filter(([, { document }]) => document.home === this.#home);
    return this.#home === null ? [] : same.map(([process]) => process);
  }

  /** Records which node this is, and on what it settles. @returns a living process that excludes this one, if any */
  async announce(home: string, settlesOn: string): Promise<ProcessDocument | undefined> {
    const clashes = (other: ProcessDocument) =>
      other.home === home || (typeof other.settlesOn === 'string' && other.settlesOn !== settlesOn);
    await this.poll();
    const other = await this.#alive(clashes);
    if (other !== undefined) return other;
    this.#home = home;
    this.#settlesOn = settlesOn;
    const { control } = this.collections;
    const who = { home, settlesOn };
    await this.outage.retry(() => control.updateOne({ _id: `process/${this.id}` }, { $set: who }));
    // If two processes announce themselves at once, each sees the other in this poll.
    await this.poll();
    return this.#alive(clashes);
  }

  /**
   * Claims the home of the journal: the DID of the first caller counts for all processes. Only used before the
   * journal's first entry, so the claim of a process that has ended passes to another. Two processes that both assume
   * to have the claim do no harm: the first numbered entry determines the home, and an entry for another home gets no
   * number.
   */
  async claimHome(did: string): Promise<string> {
    const { control } = this.collections;
    try {
      await this.outage.retry(() => control.insertOne({ _id: homeId, did }));
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    const claimant = async () =>
      ((await this.outage.retry(() => control.findOne({ _id: homeId }))) as HomeDocument).did;
    const claimed = await claimant();
    if (claimed === did) return did;
    await this.poll();
    const lives = [...this.others].some(([id, { document }]) => document.home === claimed && !this.isSilent(id));
    if (lives) return claimed;
    await this.outage.retry(() => control.updateOne({ _id: homeId, did: claimed }, { $set: { did } }));
    return claimant();
  }

  async isAlone(): Promise<boolean> {
    await this.poll();
    return (await this.#alive(() => true)) === undefined;
  }

  /** Finds a living process. One that was just killed counts as alive until it has been silent for long enough. */
  async #alive(which: (document: ProcessDocument) => boolean): Promise<ProcessDocument | undefined> {
    const same = [...this.others].filter(([, { document }]) => which(document));
    while (same.some(([process]) => !this.isSilent(process))) {
      const grown = same.find(([process, { document }]) => {
        const beat = this.others.get(process)?.document.beat;
        return beat !== undefined && beat !== document.beat;
      });
      if (grown) return grown[1].document;
      await pause(this.world, beatMs / 4);
      await this.poll();
    }
    return undefined;
  }

  async release(lease: string): Promise<void> {
    const held = this.#leases.get(lease);
    if (held?.holder !== this.id) return;
    await this.collections.control.updateOne({ ...held }, { $set: { holder: null } });
    this.#leases.set(lease, { ...held, holder: null });
  }

  /** Releases the leases of this process and removes it from the list. */
  async leave(): Promise<void> {
    for (const lease of [...this.#leases.keys()]) await this.release(lease);
    await this.collections.control.deleteOne({ _id: `process/${this.id}` });
  }

  /** Removes a dead process that has left no entries from the list. */
  async forget(process: string): Promise<void> {
    const { document } = this.others.get(process) ?? {};
    if (!document) return;
    await this.outage.retry(() => this.collections.control.deleteOne({ _id: document._id, beat: document.beat }));
  }
}

const split = (id: string): readonly string[] => {
  const slash = id.indexOf('/');
  return slash === -1 ? [id] : [id.slice(0, slash), id.slice(slash + 1)];
};
