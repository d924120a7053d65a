/**
 * The index of what other homes' feeds have shown (docs/reference/feeds.md#index): a separate SQLite file, on which nothing of
 * the node depends. It can be deleted at any time, and is read again from the feeds. A card is computed by this program's
 * own functions from what its owner has signed; status, stock and statistics are its home's word.
 */
import { feedBounds } from '../../core/bounds.js';
import type { Environment } from '../../core/environment.js';
import { RefusedError } from '../../core/refusal.js';
import type { Catalogue } from '../../machines/kernel/step.js';
import { rulesOf } from '../../projections/search-index.js';
import { noHash } from '../../store/entry.js';
import type { CardStore, JournalHead, StoreReader } from '../../store/store.js';
import type { ChainLink } from '../feed/feed-batch.js';
import { CardChange, shown } from './card-change.js';
import type { ForeignCards } from './foreign-cards.js';
import { type CardKinds, cardKinds } from './kinds.js';

/** Where a feed was read up to, as a local record of the index. */
const table = 'card-cursors';
const nothing = { items: [], total: 0, next: null };

interface Cursor extends JournalHead {
  /** Of searches: other ones begin the index again. */
  readonly rules: string;
  readonly network: string;
  /** Of all lines with cards that were taken. */
  readonly bytes: number;
}

/** The file of the index. */
export interface CardFile {
  /** Opens it; one that cannot be used is replaced by an empty one. */
  open(): Promise<CardStore>;
  /** Whether the open file is still there: somebody may have deleted it. */
  isThere(): Promise<boolean>;
  /** Deletes it; it must be closed. */
  delete(): Promise<void>;
}

export interface CardIndexOptions {
  readonly file: CardFile;
  readonly catalogue: Catalogue;
  readonly network: string;
  readonly world: Environment;
}

export class CardIndex {
  readonly #kinds: CardKinds;
  readonly #rules: string;
  /** Of each home that was read, with the revision of its record. */
  readonly #cursors = new Map<string, { readonly cursor: Cursor; readonly revision: number }>();
  #fault: unknown;

  private constructor(
    private readonly options: CardIndexOptions,
    private store: CardStore,
  ) {
    this.#kinds = cardKinds(options.catalogue);
    this.#rules = rulesOf(options.catalogue);
  }

  /**
   * One that another program has made, by other rules or for another network, or that has cards of a home that is no peer
   * any more, is begun again.
   */
  static async open(options: CardIndexOptions, isPeer: (home: string) => boolean): Promise<CardIndex> {
    const index = new CardIndex(options, await options.file.open());
    if (!(await index.#read(isPeer).catch(() => false))) await index.reset();
    return index;
  }

  /** @returns whether the index is as it should be */
  async #read(isPeer: (home: string) => boolean): Promise<boolean> {
    const records = await this.store.listLocal(table);
    for (const { id, value, revision } of records)
      this.#cursors.set(id, { cursor: value as unknown as Cursor, revision });
    return [...this.#cursors].every(
      ([home, { cursor }]) => isPeer(home) && cursor.rules === this.#rules && cursor.network === this.options.network,
    );
  }

  /** The cards as resources; those that were withdrawn are missing. While the file cannot be read there are none. */
  readonly reader: NonNullable<ForeignCards['index']> = {
    load: async (kind, id) => shown(await this.#reading((store) => store.load(kind, id), undefined)),
    find: (query) => this.#reading((store) => store.find(query), nothing),
    search: (query) => this.#reading((store) => store.search(query), { ...nothing, places: [], facets: {} }),
    named: async (...asked) =>
      (await this.#reading((store) => store.named(...asked), [])).filter((each) => shown(each)),
  };

  async #reading<T>(
    read: (store: Pick<StoreReader, 'load' | 'find' | 'search' | 'named'>) => Promise<T>,
    otherwise: T,
  ): Promise<T> {
    try {
      return await read(this.store);
    } catch (error) {
      if (error instanceof RefusedError) throw error;
      this.#fault = error;
      return otherwise;
    }
  }

  /** The first failure since the index was opened. */
  get fault(): unknown {
    return this.#fault;
  }

  /** The entry up to which a home's feed was read. */
  cursor(home: string): JournalHead {
    const { seq, chainHash } = this.#cursors.get(home)?.cursor ?? { seq: 0, chainHash: noHash };
    return { seq, chainHash };
  }

  /** Whether the file is still there: somebody may have deleted it. */
  isThere(): Promise<boolean> {
    return this.options.file.isThere();
  }

  /** Begins with an empty file: every feed must be read again. No `take` may be under way. */
  async reset(): Promise<void> {
    const { file } = this.options;
    // The file is deleted next, so a failure to close it has no consequence.
    await this.store.close().catch(() => {});
    await file.delete();
    this.store = await file.open();
    this.#fault = undefined;
    this.#cursors.clear();
  }

  /**
   * Takes what a home shows with these entries, in one transaction with its cursor. Only one call for a home at a time.
   * @returns the first entry that shows what no honest home shows; then nothing was taken
   */
  async take(
    home: string,
    links: readonly ChainLink[],
  ): Promise<{ readonly seq: number; readonly what: string } | undefined> {
    const { store } = this;
    const { network, catalogue, world } = this.options;
    const known = this.#cursors.get(home);
    // An error of this node after the last `take` has the same entries read again.
    const entries = links.filter(({ seq }) => seq > (known?.cursor.seq ?? 0));
    const last = entries.at(-1);
    if (!last) return undefined;
    const bytes = entries.reduce((sum, each) => sum + (each.bytes ?? 0), known?.cursor.bytes ?? 0);
    const hasRoom = bytes <= feedBounds.cardBytes;
    const change = new CardChange({ ...{ home, network, catalogue, world, store, hasRoom }, kinds: this.#kinds });
    for (const { seq, part } of entries) {
      const flaw = part && (await change.take(part));
      if (flaw) return { seq, what: flaw };
    }
    const { seq, chainHash } = last;
    const cursor: Cursor = { seq, chainHash, rules: this.#rules, network, bytes };
    const revision = known?.revision ?? 0;
    await store.keepCards({ ...change.writes(), cursor: { table, id: home, value: { ...cursor }, revision } });
    this.#cursors.set(home, { cursor, revision: revision + 1 });
    return undefined;
  }

  close(): Promise<void> {
    return this.store.close();
  }
}
