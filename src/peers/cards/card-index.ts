/**
 * The index of what other homes' feeds have shown (docs/reference/feeds.md#index): a separate SQLite file, on which nothing of
 * the node depends. It can be deleted at any time, and is read again from the feeds. A card is computed by this program's
 * own functions from what its owner has signed; status, stock and statistics are its home's word.
 */
import { feedBounds } from '../../core/bounds.js';
import type { Environment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import { RefusedError } from '../../core/refusal.js';
import type { Catalogue } from '../../machines/kernel/definition.js';
import { searchRulesOf } from '../../projections/search-index.js';
import { noHash } from '../../store/entry.js';
import type { CardStore, JournalHead, StoreReader } from '../../store/store.js';
import { Allowance } from '../allowance.js';
import type { ChainLink } from '../feed/feed-batch.js';
import type { ShowOutcome } from '../feed/feed-follower.js';
import { CardChange, unlessWithdrawn } from './card-change.js';
import type { ForeignCards } from './foreign-cards.js';
import { type CardKinds, cardKinds } from './kinds.js';

/** Increased when cards are kept in another form. */
const form = 2;
/** Where a feed was read up to, as a local record of the index. */
const table = 'card-cursors';
const nothing = { items: [], total: 0, next: null };

interface Cursor extends JournalHead {
  /** Of cards and searches: other ones begin the index again. */
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
  /** Called when the file was deleted or has failed: the index must be begun again. */
  readonly onLost: () => void;
  readonly log: (message: string, detail: object) => void;
}

type IsFollowed = (home: string, cursor: JournalHead) => boolean | Promise<boolean>;

/** How often an index that fails is begun again: once in so many ms. */
const renewalMs = 10_000;

export class CardIndex {
  readonly #kinds: CardKinds;
  readonly #rules: string;
  /** Of each home that was read, with the revision of its record. */
  readonly #cursors = new Map<string, { readonly cursor: Cursor; readonly revision: number }>();
  readonly #renewals: Allowance;
  /** The first failure since the index was begun. */
  #fault: unknown;

  private constructor(
    private readonly options: CardIndexOptions,
    private store: CardStore,
  ) {
    this.#kinds = cardKinds(options.catalogue);
    this.#rules = `cards-${form}, ${searchRulesOf(options.catalogue)}`;
    this.#renewals = new Allowance(options.world, 1_000 / renewalMs, 1);
  }

  /**
   * One that another program has made, by other rules or for another network, is begun again.
   * @param isFollowed whether a home is a peer, and was followed at least up to there
   */
  static async open(options: CardIndexOptions, isFollowed: IsFollowed): Promise<CardIndex> {
    const index = new CardIndex(options, await options.file.open());
    if (!(await index.#read(isFollowed).catch(() => false))) await index.reset();
    return index;
  }

  /** @returns whether the index is as it should be */
  async #read(isFollowed: IsFollowed): Promise<boolean> {
    for (const { id, value, revision } of await this.store.listLocal(table)) {
      const cursor = value as unknown as Cursor;
      if (cursor.rules !== this.#rules || cursor.network !== this.options.network) return false;
      if (!(await isFollowed(id, cursor))) return false;
      this.#cursors.set(id, { cursor, revision });
    }
    return true;
  }

  /** The cards as resources; those that were withdrawn are missing. While the file cannot be read there are none. */
  readonly reader: NonNullable<ForeignCards['index']> = {
    find: (query) => this.#reading((store) => store.find(query), nothing),
    search: (query) => this.#reading((store) => store.search(query), { ...nothing, places: [], facets: {} }),
    named: async (...asked) => (await this.#reading((store) => store.named(...asked), [])).filter(unlessWithdrawn),
  };

  async #reading<T>(
    read: (store: Pick<StoreReader, 'find' | 'search' | 'named'>) => Promise<T>,
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

  /** The entry up to which a home's feed was read. */
  cursor(home: string): JournalHead {
    const { seq, chainHash } = this.#cursors.get(home)?.cursor ?? { seq: 0, chainHash: noHash };
    return { seq, chainHash };
  }

  /**
   * Takes what a home shows, unless the index must be begun again. An error of this node is tried again, and is no evidence
   * against a home.
   */
  async show(home: string, links: readonly ChainLink[]): Promise<ShowOutcome> {
    const { file, log, onLost } = this.options;
    if (this.#fault === undefined && (await file.isThere())) {
      try {
        return await this.take(home, links);
      } catch (error) {
        log('cards could not be kept', { home, seq: links[0]?.seq, error: messageOf(error) });
        this.#fault = error;
      }
    }
    if (this.#renewals.take()) onLost();
    return 'again';
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
  async take(home: string, links: readonly ChainLink[]): Promise<Exclude<ShowOutcome, 'again'>> {
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
    const flaw = await change.take(entries);
    if (flaw) return flaw;
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
