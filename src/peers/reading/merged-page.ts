/**
 * Merges a page of a list from several stores. All stores sort by the same key, so a cursor of one is valid for the
 * others: every store returns its page after the position, and the items that sort first are taken. Equal positions are
 * ordered by home, the node's own first.
 */
import type { PageRequest } from '../../store/store.js';

/** A sort position. All members sort descending; the last one is an id. */
export type ListPlace = readonly [...(string | number)[], id: string];

export interface PartPage<Item> {
  readonly items: readonly Item[];
  /** Positions of the items, in their order. */
  readonly places: readonly ListPlace[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** One store's share of the list. */
export interface Part<Item> {
  /** DID; '' for the node's own, which sorts before all others. */
  readonly home: string;
  page(request: PageRequest): Promise<PartPage<Item>>;
}

export interface Sorted<Item> {
  /** A store's cursor for a position. The home, if there is one, becomes a further member. */
  readonly cursor: (place: ListPlace, ...home: readonly string[]) => string;
  /** Parses a cursor; throws RefusedError (INVALID_REQUEST). */
  readonly read: (after: string) => { readonly place: ListPlace; readonly home: string };
  /** Characters of an item's stored text. */
  readonly lengthOf: (item: Item) => number;
}

export interface MergedPage<Item> {
  readonly items: readonly { readonly item: Item; readonly home: string }[];
  readonly total: number;
  readonly next: string | null;
}

/** @param parts in order of their homes */
export async function mergedPage<Item>(
  parts: readonly Part<Item>[],
  request: PageRequest,
  { cursor, read, lengthOf }: Sorted<Item>,
): Promise<MergedPage<Item>> {
  const { after, limit, characters } = request;
  const start = after === undefined ? undefined : read(after);
  const offsets = start ? parts.map(() => 0) : await skipped(parts, request.offset);
  const pages = await Promise.all(
    parts.map((part, index) =>
      part.page({
        ...{ limit, characters, offset: offsets[index]! },
        ...(start ? { after: cursor(part.home <= start.home ? start.place : justBefore(start.place)) } : {}),
      }),
    ),
  );
  const taken = parts.map(() => 0);
  const items: { item: Item; home: string }[] = [];
  let [length, last] = [0, -1];
  while (items.length < limit) {
    // A store's page may have ended early; its next item is unknown then, so none may be placed before it.
    if (pages.some((page, index) => page.hasMore && taken[index] === page.items.length)) break;
    const first = firstOf(pages.map(({ places }, index) => places[taken[index]!]));
    if (first === undefined) break;
    const item = pages[first]!.items[taken[first]!]!;
    length += characters === undefined ? 0 : lengthOf(item);
    if (items.length > 0 && length > (characters ?? length)) break;
    items.push({ item, home: parts[first]!.home });
    taken[first]!++;
    last = first;
  }
  const hasMore = pages.some((page, index) => page.hasMore || taken[index]! < page.items.length);
  const total = pages.reduce((sum, page) => sum + page.total, 0);
  if (last < 0 || !hasMore) return { items, total, next: null };
  const place = pages[last]!.places[taken[last]! - 1]!;
  const { home } = parts[last]!;
  return { items, total, next: home === '' ? cursor(place) : cursor(place, home) };
}

/**
 * How many items of each part are among the first `offset` items of the merged list. With k parts, the items up to the
 * first of those at rank `offset / k` of each part are certainly among them, so each round skips at least that many.
 */
async function skipped<Item>(parts: readonly Part<Item>[], offset: number): Promise<number[]> {
  const offsets = parts.map(() => 0);
  let open = parts.map((_, index) => index);
  for (let left = offset; left > 0; ) {
    if (open.length === 1) {
      offsets[open[0]!]! += left;
      return offsets;
    }
    const step = Math.max(1, Math.floor(left / open.length));
    const shown = await Promise.all(
      open.map((index) => parts[index]!.page({ limit: 1, offset: offsets[index]! + step - 1 })),
    );
    const first = firstOf(shown.map(({ places }) => places[0]));
    // All parts together have fewer items than are to be skipped.
    if (first === undefined) {
      for (const [at, index] of open.entries()) offsets[index] = shown[at]!.total;
      return offsets;
    }
    offsets[open[first]!]! += step;
    left -= step;
    open = open.filter((index, at) => offsets[index]! < shown[at]!.total);
    if (open.length === 0) return offsets;
  }
  return offsets;
}

/** The index of the position that sorts first; of equal ones the first. Undefined if there is none. */
function firstOf(places: readonly (ListPlace | undefined)[]): number | undefined {
  let first: number | undefined;
  for (const [index, place] of places.entries()) {
    if (place && (first === undefined || isBefore(place, places[first]!))) first = index;
  }
  return first;
}

function isBefore(one: ListPlace, other: ListPlace): boolean {
  for (const [index, member] of one.entries()) {
    if (member !== other[index]) return member > other[index]!;
  }
  return false;
}

/**
 * The position just before a place: no id contains control characters, so a list that starts after it begins with the
 * place itself.
 */
const justBefore = (place: ListPlace): ListPlace =>
  [...place.slice(0, -1), `${place.at(-1)}\u0001`] as unknown as ListPlace;
