/**
 * Replicas of other homes' journals in a database that several processes share. The process with the home's key writes
 * them (peering.ts); this file is for the other processes, which show what it has adopted.
 */
import type { Environment, Timer } from '../core/environment.js';
import { messageOf } from '../core/error-message.js';
import type { ForeignHome, ForeignHomes } from '../peers/reading/foreign.js';
import { tagOf } from '../peers/tag.js';
import type { Replicas } from '../store/replicas.js';
import { entryAt, type Store } from '../store/store.js';

/** Interval of the checks: how far the replicas are, and whether there is a first one. */
const lookMs = { some: 1_000, none: 10_000 };

interface ReadCopy {
  readonly store: Store;
  /** Number and time of its newest entry. */
  seq: number;
  time: number;
}

export class SharedCopies implements ForeignHomes {
  readonly #copies = new Map<string, ReadCopy>();
  #list: readonly ForeignHome[] = [];
  #timer: Timer | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isClosed = false;
  /** DID of the own journal's home. */
  #home = '';

  constructor(
    private readonly replicas: Replicas,
    private readonly options: { readonly world: Environment; readonly log: (message: string, detail: object) => void },
  ) {}

  all = (): readonly ForeignHome[] => this.#list;

  /** Starts checking. @param home DID of the own journal's home */
  start(home: string): void {
    this.#home = home;
    this.#lookOn();
  }

  #lookOn(): void {
    this.#looking = this.#look().catch((error: unknown) => {
      this.options.log('the copies of other homes cannot be read', { error: messageOf(error) });
    });
    void this.#looking.then(() => {
      if (!this.#isClosed)
        this.#timer = this.options.world.after(this.#copies.size > 0 ? lookMs.some : lookMs.none, () => this.#lookOn());
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#timer?.cancel();
    await this.#looking;
    await this.replicas.close();
  }

  async #look(): Promise<void> {
    const homes = await this.replicas.homes();
    const before = this.#copies.size;
    for (const [home, { store }] of this.#copies) {
      if (homes.includes(home)) continue;
      this.#copies.delete(home);
      await store.close();
    }
    const gone = before - this.#copies.size;
    const added = homes.filter((home) => !this.#copies.has(home));
    for (const home of added)
      this.#copies.set(home, { store: await this.replicas.open(home, 'read'), seq: 0, time: 0 });
    for (const copy of this.#copies.values()) {
      const { seq } = await copy.store.head();
      if (seq !== copy.seq) copy.time = (await entryAt(copy.store, seq))?.core.time ?? 0;
      copy.seq = seq;
    }
    if (gone > 0 || added.length > 0) this.#listHomes();
  }

  #listHomes(): void {
    const homes = [...this.#copies.keys()].sort();
    const all = [this.#home, ...homes];
    this.#list = homes.map((home) => {
      const copy = this.#copies.get(home)!;
      return { home, tag: tagOf(home, all), store: copy.store, asOf: () => ({ seq: copy.seq, time: copy.time }) };
    });
  }
}
