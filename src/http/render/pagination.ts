/**
 * Pages of lists (docs/reference/requests.md#pagination): `limit`/`offset` or `page`/`pageSize`, and `after` for
 * further pages.
 */

import type { Pagination } from '../../../packages/client/src/wire.js';
import { bounds } from '../../core/bounds.js';
import { hashOf } from '../../core/canonical.js';
import { invalid, isRefusal, type Refusal } from '../../core/refusal.js';
import { integer, type ObjectOf, optional, text } from '../../core/schema/scalar.js';
import * as shape from '../../core/schema/shape.js';
import { decodeCursor, encodeCursor, type PageRequest } from '../../store/store.js';
import type { Call, Reply } from '../server/route.js';

const size = integer(1, bounds.pageLimit);

/** The query fields of every list: `object({ ...pageFields, status: … })`. */
export const pageFields = {
  limit: optional(size, `The most elements on a page; default ${bounds.pageDefault}.`),
  offset: optional(
    integer(0, bounds.pageOffset),
    'Number of elements to skip, at most 10,000; after that use `after`.',
  ),
  page: optional(integer(1), 'Number of the page, from 1: an alternative to `offset`.'),
  pageSize: optional(size, 'An alternative to `limit`.'),
  per_page: optional(size, 'The same as `pageSize`.'),
  after: optional(text(bounds.cursorLength, 1), 'Cursor from `pagination.after` of an earlier page.'),
} as const;

type PageQuery = ObjectOf<typeof pageFields>;

/** A page of one list with one sort and the same filters. */
export interface ListPageRequest extends PageRequest {
  /** What ends each of its cursors: a hash of the path and of the query without these members and the page's. */
  readonly list: string;
}

/** Members of queries that do not change which elements a list has, nor their order. */
const shownOnly = new Set([...Object.keys(pageFields), 'include', 'includeFacets']);

function listOf({ path, query }: Pick<Call, 'path' | 'query'>): string {
  const selecting = Object.entries(query as object).filter(
    ([name, value]) => value !== undefined && !shownOnly.has(name),
  );
  return `.${hashOf([path, Object.fromEntries(selecting)]).slice(0, 8)}`;
}

/**
 * INVALID_REQUEST if the two spellings differ, the page lies beyond the largest `offset`, or the cursor is one of another
 * list, sort or filter.
 */
export function pageOf(call: Pick<Call, 'path' | 'query'>): ListPageRequest | Refusal {
  const query = call.query as PageQuery;
  const sizes = [query.limit, query.pageSize, query.per_page].filter((each) => each !== undefined);
  const limit = sizes[0] ?? bounds.pageDefault;
  if (sizes.some((each) => each !== limit)) return invalid('pageSize', 'limit, pageSize and per_page must be equal');
  const byPage = query.page === undefined ? undefined : (query.page - 1) * limit;
  const offset = query.offset ?? byPage ?? 0;
  if (byPage !== undefined && byPage !== offset) {
    return invalid('page', 'page and offset must name the same element');
  }
  if (offset > bounds.pageOffset) {
    return invalid('page', `reaches beyond element ${bounds.pageOffset}; use after`);
  }
  const list = listOf(call);
  const page = { limit, offset, characters: bounds.pageCharacters, list };
  const { after } = query;
  if (after === undefined) return page;
  if (offset > 0) return invalid('after', 'goes without offset and page');
  if (!after.endsWith(list)) return invalid('after', 'is not a cursor of this list with this sort and these filters');
  return { ...page, after: after.slice(0, -list.length) };
}

/** @param next position after the last element of this page, null when nothing follows (ListPage) */
export const pagination = (
  { limit, offset, list }: ListPageRequest,
  total: number,
  next: string | null,
): Pagination => ({
  total,
  limit,
  offset,
  hasMore: next !== null,
  page: Math.floor(offset / limit) + 1,
  pageSize: limit,
  after: next && `${next}${list}`,
});

export const paginationSchema = shape.named('Pagination', {
  description: 'Position of this page in the list.',
  ...shape.object({
    total: shape.described(shape.count, 'Number of elements in the whole list.'),
    limit: shape.described(
      shape.count,
      'The most elements on a page. A page of large elements has fewer: continue with `after`.',
    ),
    offset: shape.described(shape.count, 'Elements before this page.'),
    hasMore: shape.described(shape.flag, 'Whether there is another page.'),
    page: shape.described(shape.count, 'Number of this page, from 1.'),
    pageSize: shape.described(shape.count, 'The same as `limit`.'),
    after: { type: ['string', 'null'], description: 'Cursor of the next page; null on the last.' },
  }),
});

type ListPosition = readonly (string | number)[];

/**
 * A page of a list that is in memory, in the order of its elements' positions, which differ and do not change.
 * Throws RefusedError (INVALID_REQUEST) for a cursor of another shape.
 */
export function slicePage<T>(
  all: readonly T[],
  { after, offset, limit }: PageRequest,
  position: (element: T) => ListPosition,
  order: 'ascending' | 'descending' = 'descending',
): { items: readonly T[]; next: string | null } {
  const sign = order === 'ascending' ? 1 : -1;
  const placed = all.map((element) => ({ element, at: position(element) }));
  placed.sort((a, b) => sign * compare(a.at, b.at));
  const [first] = placed;
  const start = after !== undefined && first ? decodeCursor(after, shapeOf(first.at)) : undefined;
  const rest = start ? placed.filter(({ at }) => sign * compare(at, start) > 0) : placed.slice(offset);
  const items = rest.slice(0, limit);
  return {
    items: items.map(({ element }) => element),
    next: rest.length > limit ? encodeCursor(...items.at(-1)!.at) : null,
  };
}

interface ListInMemory<T> {
  /** Name of the list in the reply. */
  readonly name: string;
  readonly all: readonly T[];
  readonly position: (element: T) => ListPosition;
  readonly order?: 'ascending' | 'descending';
  readonly view?: (element: T) => unknown;
}

/** The page of a list in memory that the call asks for. */
export function listReply<T>(call: Call, { name, all, position, order, view }: ListInMemory<T>): Reply | Refusal {
  const page = pageOf(call);
  if (isRefusal(page)) return page;
  const { items, next } = slicePage(all, page, position, order);
  const shown = view ? items.map(view) : items;
  return { status: 200, body: { [name]: shown, total: all.length, pagination: pagination(page, all.length, next) } };
}

const shapeOf = (position: ListPosition) =>
  position.map((member) => (typeof member === 'number' ? 'number' : 'string'));

function compare(one: ListPosition, other: ListPosition): number {
  const at = one.findIndex((member, index) => member !== other[index]);
  return at < 0 ? 0 : one[at]! < other[at]! ? -1 : 1;
}
