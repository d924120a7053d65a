/** Reads other homes' cards next to this node's own resources (docs/reference/other-homes.md). */
import { bounds } from '../../core/bounds.js';
import type { JsonObject } from '../../core/canonical.js';
import { leavesIn, withTexts } from '../../core/leaf.js';
import type { Log } from '../../core/log.js';
import { assert, invalid, type Refusal, refuse } from '../../core/refusal.js';
import type { AnyResource } from '../../machines/kernel/definition.js';
import { isVisible } from '../../machines/kernel/visibility.js';
import {
  type CardContext,
  cardId,
  cardIdParts,
  type ForeignCards,
  type ForeignHome,
  homeLabel,
  noForeignCards,
  textsIn,
} from '../../peers/cards/foreign-cards.js';
import { namedBeginning, tagOf } from '../../peers/cards/home-tag.js';
import { mergedSearch } from '../../peers/cards/merged-search.js';
import type { SearchQuery, SearchResult } from '../../store/search.js';
import type { Snapshot, StoreReader } from '../../store/store.js';
import { viewOf } from '../render/render.js';

/** A resource of another home, with its id there. */
export interface Card {
  readonly home: string;
  readonly resource: Snapshot;
}

/** What a filter `home` selects: this node's own resources, or those of one other home. */
export type HomeFilter = 'own' | { readonly home: string } | undefined;

export interface CardReaderOptions {
  readonly cards: ForeignCards;
  readonly store: Pick<StoreReader, 'search'>;
  /** DID of this node's home. */
  readonly home: () => string;
  readonly now: () => number;
  readonly log: Log;
}

/** The most homes that have one id, and that a refusal lists. */
const homesLookedAt = 8;
const idText = /^[A-Za-z0-9][A-Za-z0-9._:-]*$/;

const cardOf = (found: Snapshot): Card => {
  const { id, home } = cardIdParts(found.id);
  assert(home !== undefined, 'a card’s id names its home');
  return { home, resource: { ...found, id } };
};

export class CardReader {
  constructor(private readonly options: CardReaderOptions) {}

  get index(): ForeignCards['index'] {
    return this.options.cards.index;
  }

  /** The part of a text before the tag or DID of this node's own home; undefined if it does not name that. */
  ownIdIn(text: string): string | undefined {
    const { id, home = '' } = cardIdParts(text);
    const beginning = namedBeginning(home);
    return beginning !== undefined && this.options.home().startsWith(beginning) ? id : undefined;
  }

  /** INVALID_REQUEST for a home of which this node has no cards, or a tag of several. */
  filterOf(text: string | undefined): HomeFilter | Refusal {
    if (text === undefined || text === 'own') return text;
    const [home, another] = this.homesNamed(text);
    if (home === undefined) return invalid('home', 'is not a home that this node follows');
    if (another !== undefined) return invalid('home', 'is the tag of several homes: use more of its characters');
    return home === this.options.home() ? 'own' : { home };
  }

  /** This node's own home, and those that it follows. */
  get homes(): readonly string[] {
    return [this.options.home(), ...this.options.cards.homes().map(({ home }) => home)];
  }

  /** The homes whose DID a text is, or begins with its tag; this node's own first. */
  homesNamed(text: string): readonly string[] {
    const beginning = namedBeginning(text);
    if (beginning === undefined) return [];
    return this.homes.filter((home) => home.startsWith(beginning));
  }

  /** Without other homes. */
  get ownOnly(): CardReader {
    return new CardReader({ ...this.options, cards: noForeignCards });
  }

  /** Throws RefusedError (INVALID_REQUEST) for a malformed cursor. */
  search(query: SearchQuery, filter: HomeFilter): Promise<SearchResult> {
    const { store } = this.options;
    const index = this.index;
    if (index === undefined || filter === 'own') return store.search(query);
    if (filter === undefined) return mergedSearch([store, index], query);
    return index.search({ ...query, labels: [...query.labels, [homeLabel(filter.home)]] });
  }

  /** The result of a search as a card; undefined if it is this node's own. */
  cardIn(found: Snapshot): Card | undefined {
    return cardIdParts(found.id).home === undefined ? undefined : cardOf(found);
  }

  /**
   * The card of a resource that this node does not have.
   * @param text an id, `id~tag` or `id~DID`
   * @returns CONFLICT if several homes have it
   */
  async find(definitions: readonly AnyResource[], text: string): Promise<Card | Refusal | undefined> {
    const { id, home } = cardIdParts(text);
    const beginning = home === undefined ? '' : namedBeginning(home);
    if (beginning === undefined) return undefined;
    const byKind = new Map(definitions.map((definition) => [definition.kind, definition]));
    const found = await this.beginning([...byKind.keys()], cardId(id, beginning));
    const [card, ...others] = found.filter(
      ({ resource }) => resource.id === id && isVisible(byKind.get(resource.kind)!, resource, undefined),
    );
    return card && others.length > 0 ? this.#ambiguous(id, [card, ...others]) : card;
  }

  /** Cards of these kinds whose id begins with a text, ordered by kind and id: at most `limit` of each kind. */
  async beginning(kinds: readonly string[], text: string, limit = homesLookedAt): Promise<readonly Card[]> {
    if (!idText.test(cardIdParts(text).id)) return [];
    const found = await this.index?.named(kinds, text, { limit, characters: bounds.pageCharacters });
    return (found ?? []).map(cardOf);
  }

  #ambiguous(id: string, found: readonly Card[]): Refusal {
    const spellings = found.map(({ home }) => cardId(id, this.#tagOf(home)));
    return refuse('CONFLICT', `several homes have ${id}: say which one, as ${spellings.join(' or ')}`);
  }

  #tagOf(home: string): string {
    const { cards, home: own } = this.options;
    return tagOf(home, [own(), ...cards.homes().map((each) => each.home)]);
  }

  /** The newest card of an identity. */
  async identity(did: string): Promise<Card | undefined> {
    const found = (await this.beginning(['identity'], cardId(did, ''))).filter(({ resource }) => resource.id === did);
    return found.toSorted((a, b) => b.resource.updatedAt - a.resource.updatedAt)[0];
  }

  /** The home of the newest card of a DID: of its identity, else of a listing that it has published. */
  async homeOfOwner(did: string): Promise<string | undefined> {
    const identity = await this.identity(did);
    if (identity) return identity.home;
    const found = await this.index?.search({
      ...{ words: [], labels: [], facets: [], statuses: ['active', 'paused', 'expired'], visibility: ['public'] },
      ...{ owner: did, time: this.options.now(), sort: 'newest', page: { limit: 1, offset: 0 } },
    });
    return found?.items.map(cardOf)[0]?.home;
  }

  /** The view of a listing; undefined if it can't be shown. */
  async listing(definition: AnyResource, card: Card): Promise<JsonObject | undefined> {
    return this.shown(card, async (resource) => {
      const { figures } = resource.context as unknown as CardContext;
      const { createdAt = resource.createdAt } = figures ?? {};
      const options = { time: this.options.now(), companion: figures, withoutPermitted: true };
      return viewOf(definition, { ...resource, createdAt }, options);
    });
  }

  /**
   * A view of a card with its texts, its home, and the time up to which that home's feed was read. One that can't be
   * made is undefined and logged, since another home wrote it.
   */
  async shown(card: Card, view: (resource: Snapshot) => Promise<JsonObject>): Promise<JsonObject | undefined> {
    const { home, resource } = card;
    try {
      const filled = withTexts(await view(resource), textsIn(resource.context)) as JsonObject;
      assert(leavesIn(filled).size === 0, 'no text of a card is a reference to a text');
      const asOf = this.homeOf(home)?.asOf;
      return { ...filled, home, ...(asOf === undefined ? {} : { asOf }) };
    } catch (error) {
      const { kind, id } = resource;
      this.options.log.warn({ kind, id, home, error: String(error) }, 'a card of another home cannot be shown');
      return undefined;
    }
  }

  homeOf(did: string): ForeignHome | undefined {
    return this.options.cards.homes().find(({ home }) => home === did);
  }
}
