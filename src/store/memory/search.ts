/** Search in the reference store: it examines every document, without any index. */

import type { LeafTexts } from '../../core/leaf.js';
import type { Ranked, Searched } from '../../machines/kernel/searched.js';
import { topState } from '../../machines/kernel/state-path.js';
import { fitting, shownLength } from '../fitting.js';
import {
  facetsOf,
  type OwnerRank,
  placeAfter,
  type Rewording,
  type SearchEntry,
  type SearchQuery,
  type SearchResult,
  type SortKeys,
  type SortPlace,
  sortNumber,
  sortOf,
  textsOf,
} from '../search.js';
import { encodeCursor, type Snapshot } from '../store.js';
import { weighedWords } from '../words.js';

interface Document {
  readonly kind: string;
  readonly id: string;
  readonly status: string;
  readonly createdAt: number;
  readonly found: Searched;
  readonly words: ReadonlyMap<string, number>;
}

interface Hit extends Document {
  readonly keys: SortKeys;
}

export class MemorySearch {
  rules: string | undefined;
  readonly #documents = new Map<string, Document>();
  readonly #ranks = new Map<string, Ranked>();
  readonly #reputations = new Map<string, number | null>();

  constructor(private readonly leaves: LeafTexts) {}

  reword({ id, found }: Rewording): void {
    const document = this.#documents.get(id);
    if (document) this.#documents.set(id, { ...document, words: weighedWords(textsOf(found, this.leaves)) });
  }

  keep({ snapshot: { kind, id, state, createdAt }, found, ranked }: SearchEntry): void {
    if (ranked && this.#documents.has(id)) this.#ranks.set(id, { ...ranked });
    if (!found) return;
    const words = weighedWords(textsOf(found, this.leaves));
    this.#documents.set(id, { kind, id, status: topState(state), createdAt, found: structuredClone(found), words });
  }

  rank(ranks: readonly OwnerRank[]): void {
    for (const { owner, reputation } of ranks) this.#reputations.set(owner, reputation);
  }

  clear(): void {
    this.rules = undefined;
    this.#documents.clear();
    this.#ranks.clear();
  }

  search(query: SearchQuery, load: (kind: string, id: string) => Snapshot): SearchResult {
    const after = placeAfter(query);
    const sort = sortOf(query);
    const place = ({ keys, createdAt, id }: Hit): SortPlace => [sortNumber(sort, keys), createdAt, id];
    const hits = [...this.#documents.values()].flatMap((document) => this.#hit(document, query));
    hits.sort((a, b) => -compare(place(a), place(b)));
    const rest = after ? hits.filter((hit) => compare(place(hit), after) < 0) : hits.slice(query.page.offset);
    const { limit, characters } = query.page;
    const read = ({ kind, id }: Hit) => load(kind, id);
    const lengthOf = (item: Snapshot) => shownLength(JSON.stringify(item));
    const items = fitting(rest.slice(0, limit), read, { lengthOf, most: characters });
    const last = rest[items.length - 1];
    return {
      items,
      total: hits.length,
      next: last && rest.length > items.length ? encodeCursor(...place(last)) : null,
      facets: facetsOf(query, counts(hits)),
      ...(query.isPart ? { places: rest.slice(0, items.length).map(place) } : {}),
    };
  }

  #hit(document: Document, query: SearchQuery): Hit[] {
    const { found, words, status } = document;
    const { rating = null, popularity = 0 } = this.#ranks.get(document.id) ?? {};
    const reputation = this.#reputations.get(found.owner) ?? null;
    const weights = query.words.map((prefix) =>
      [...words].filter(([word]) => word.startsWith(prefix)).map(([, weight]) => weight),
    );
    const relevance = weights.flat().reduce((sum, weight) => sum + weight, 0);
    const keys = { relevance, price: found.price, rating, popularity, reputation };
    const isOver = found.expiresAt !== null && found.expiresAt <= query.time;
    const fits =
      !query.hidden?.includes(document.id) &&
      weights.every((some) => some.length > 0) &&
      query.statuses.includes(isOver ? 'expired' : status) &&
      query.visibility.includes(found.visibility) &&
      (found.visibility === 'public' || found.owner === query.reader) &&
      (query.owner === undefined || query.owner === found.owner) &&
      (query.markets === undefined || query.markets.includes(found.market)) &&
      query.labels.every((group) => group.some((label) => found.labels.includes(label))) &&
      within(found.price, query.minPrice, query.maxPrice) &&
      within(rating, query.minRating) &&
      within(reputation, query.minReputation);
    return fits ? [{ ...document, keys }] : [];
  }
}

function within(value: number | null, min?: number, max?: number): boolean {
  if (min === undefined && max === undefined) return true;
  return value !== null && value >= (min ?? value) && value <= (max ?? value);
}

function compare(a: SortPlace, b: SortPlace): number {
  for (const i of [0, 1, 2] as const) {
    if (a[i] < b[i]) return -1;
    if (a[i] > b[i]) return 1;
  }
  return 0;
}

function counts(hits: readonly Hit[]): Map<string, number> {
  const counted = new Map<string, number>();
  for (const { found } of hits) {
    for (const label of new Set(found.labels)) counted.set(label, (counted.get(label) ?? 0) + 1);
  }
  return counted;
}
