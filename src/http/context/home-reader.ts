/**
 * Finds resources of this node and of the homes that it follows (docs/reference/other-homes.md). If it follows none,
 * this costs no look-ups and no allocations.
 */
import { invalid, isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import type { ForeignHome, ForeignHomes } from '../../peers/reading/foreign.js';
import { findIn, type HomeStore, searchIn } from '../../peers/reading/merged-lists.js';
import type { MergedPage } from '../../peers/reading/merged-page.js';
import { isNamedBy, spelled, spellingOf } from '../../peers/tag.js';
import type { SearchQuery, SearchResult } from '../../store/search/search.js';
import type { FindQuery, ListPage, Snapshot } from '../../store/store.js';
import { foreignContext, type ReadContext } from './read-context.js';

/** Where something was found. */
export interface Located<T> {
  readonly at: ReadContext;
  readonly found: T;
}

/** The homes of the items of a merged page; absent if all items are this node's own. */
interface Origins {
  readonly origins?: ReadonlyMap<Snapshot, ReadContext>;
}

/** The most spellings that a refusal lists. */
const mostNamed = 8;

/** Looks something up in one home; undefined if it does not exist there, or this reader may not see it. */
export type Lookup<T> = (at: ReadContext, id: string) => Promise<T | undefined> | T | undefined;

export class HomeReader {
  #homes: readonly ForeignHome[] = [];
  #contexts: readonly ReadContext[] = [];

  constructor(
    private readonly own: ReadContext,
    private readonly foreign: ForeignHomes,
  ) {}

  /** Contexts of all followed homes, in order of the DID. */
  get others(): readonly ReadContext[] {
    const homes = this.foreign.all();
    if (homes !== this.#homes) {
      const known = new Map(this.#contexts.map((context) => [context.foreign, context]));
      this.#contexts = homes.map((home) => known.get(home) ?? foreignContext(this.own, home));
      this.#homes = homes;
    }
    return this.#contexts;
  }

  /**
   * Finds what a text names: this node's own resource, else the only one of another home; CONFLICT if several homes
   * have it.
   */
  async find<T>(text: string, lookup: Lookup<T>): Promise<Located<T> | Refusal | undefined> {
    const found = await lookup(this.own, text);
    return found === undefined ? this.elsewhere(text, lookup) : { at: this.own, found };
  }

  /** Like `find`, for what this node itself does not have. Returns undefined synchronously if it follows no home. */
  elsewhere<T>(text: string, lookup: Lookup<T>): Promise<Located<T> | Refusal | undefined> | undefined {
    return this.others.length === 0 && !text.includes('~') ? undefined : this.#elsewhere(text, lookup);
  }

  async #elsewhere<T>(text: string, lookup: Lookup<T>): Promise<Located<T> | Refusal | undefined> {
    const { id, home } = spellingOf(text);
    if (home !== undefined && isNamedBy(this.own.home(), home)) {
      const found = await lookup(this.own, id);
      if (found !== undefined) return { at: this.own, found };
    }
    const named = this.others.filter((at) => home === undefined || isNamedBy(at.home(), home));
    const looked = await Promise.all(
      named.map(async (at): Promise<Located<T>[]> => {
        const found = await lookup(at, id);
        return found === undefined ? [] : [{ at, found }];
      }),
    );
    const [first, second] = looked.flat();
    return second ? ambiguous(id, looked.flat()) : first;
  }

  /** The home that a text names by its tag; undefined for a bare id, and for a home that this node does not follow. */
  namedIn(text: string): ReadContext | undefined {
    if (!text.includes('~')) return undefined;
    const { home = '' } = spellingOf(text);
    return [this.own, ...this.others].find((at) => isNamedBy(at.home(), home));
  }

  /**
   * The homes that a filter `home` selects; all if it is absent. INVALID_REQUEST for a home that this node does not
   * follow.
   */
  selected(home: string | undefined): readonly ReadContext[] | Refusal {
    if (home === undefined) return [this.own, ...this.others];
    if (home === 'own' || isNamedBy(this.own.home(), home)) return [this.own];
    const named = this.others.filter((at) => isNamedBy(at.home(), home));
    return named.length > 0 ? named : invalid('home', 'is not a home that this node follows');
  }

  /** The one home that a filter names; this node's own without one. */
  one(home: string | undefined): ReadContext | Refusal {
    if (home === undefined) return this.own;
    const selected = this.selected(home);
    if (isRefusal(selected)) return selected;
    return selected.length === 1 ? selected[0]! : invalid('home', 'is the beginning of several homes’ tags');
  }

  /** A page of a list over these homes, of which there must be at least one. */
  list(homes: readonly ReadContext[], query: FindQuery): Promise<ListPage<Snapshot> & Origins> {
    return homes.length === 1 && homes[0] === this.own
      ? this.own.store.find(query)
      : findIn(storesOf(homes), query).then((page) => this.#withOrigins(page, homes));
  }

  search(homes: readonly ReadContext[], query: SearchQuery): Promise<SearchResult & Origins> {
    return homes.length === 1 && homes[0] === this.own
      ? this.own.store.search(query)
      : searchIn(storesOf(homes), query).then(({ facets, ...page }) => ({ ...this.#withOrigins(page, homes), facets }));
  }

  #withOrigins({ items, total, next }: MergedPage<Snapshot>, homes: readonly ReadContext[]) {
    const byHome = new Map(homes.map((at) => [at.foreign?.home ?? '', at]));
    const origins = new Map(items.map(({ item, home }) => [item, byHome.get(home)!]));
    return { items: items.map(({ item }) => item), total, next, origins };
  }
}

const storesOf = (homes: readonly ReadContext[]): readonly HomeStore[] =>
  homes.map(({ foreign, store }) => ({ home: foreign?.home ?? '', store }));

function ambiguous(id: string, found: readonly Located<unknown>[]): Refusal {
  const spellings = found.slice(0, mostNamed).map(({ at }) => spelled(id, at.foreign?.tag ?? at.home()));
  return refuse('CONFLICT', `several homes have ${id}: say which one, as ${spellings.join(' or ')}`);
}
