/**
 * A page of a list that lies in several stores. Each store sorts by the same position, so its cursors suit the others:
 * every store gives its page after the position, and the smallest come first. Equal positions of several homes are told
 * apart by the home, one's own first.
 */
import type { PageRequest } from '../../store/store.js';

/** A sort position; all members sort descending, and the last one is an id. */
export type ListPlace = readonly [...(string | number)[], id: string];

export interface PartPage<Item> {
  readonly items: readonly Item[];
  /** Of the items, in their order. */
  readonly places: readonly ListPlace[];
  readonly total: number;
  readonly hasMore: boolean;
}

/** One store's share of the list. */
export interface Part<Item> {
  /** DID; '' for one's own, which sorts before all others. */
  readonly home: string;
  page(request: PageRequest): Promise<PartPage<Item>>;
}

export interface Sorted<Item> {
  /** A store's cursor after a position; the home, if there is one, follows as a further member. */
  readonly cursor: (place: ListPlace, ...home: readonly string[]) => string;
  /** Reads it; throws RefusedError (INVALID_REQUEST). */
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
    // The next item of a page that was cut is unknown, so nothing may come before it.
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
 * How many items of each part are among the first `offset` of the merged list. If each of k parts shows the item in
 * `offset / k` places, all up to the first of these items are among them.
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
    // All of them together have fewer than are skipped.
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

/** No id has control characters, so nothing lies between the two: a list after it begins with the place. */
const justBefore = (place: ListPlace): ListPlace =>
  [...place.slice(0, -1), `${place.at(-1)}\u0001`] as unknown as ListPlace;
