/**
 * Pages of lists (docs/reference/requests.md#pagination): `limit`/`offset` or `page`/`pageSize`, and `after` for
 * further pages.
 */
import { bounds } from '../../core/bounds.js';
import { invalid, type Refusal, RefusedError } from '../../core/refusal.js';
import { described, integer, optional, text } from '../../core/schema/scalar.js';
import * as shape from '../../core/schema/shape.js';
import type { PageRequest } from '../../store/store.js';

const size = integer(1, bounds.pageLimit);

/** The query fields of every list: `object({ ...pageFields, status: … })`. */
export const pageFields = {
  limit: optional(described(size, `The most elements on a page; default ${bounds.pageDefault}.`)),
  offset: optional(
    described(integer(0, bounds.pageOffset), 'Number of elements to skip, at most 10,000; after that use `after`.'),
  ),
  page: optional(described(integer(1), 'Number of the page, from 1: an alternative to `offset`.')),
  pageSize: optional(described(size, 'An alternative to `limit`.')),
  per_page: optional(described(size, 'The same as `pageSize`.')),
  after: optional(described(text(bounds.cursorLength, 1), 'Cursor from `pagination.after` of an earlier page.')),
} as const;

/** What `pageFields` validates. */
export interface PageQuery {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly page?: number | undefined;
  readonly pageSize?: number | undefined;
  readonly per_page?: number | undefined;
  readonly after?: string | undefined;
}

/** INVALID_REQUEST if the two spellings differ, or the page lies beyond the largest `offset`. */
export function pageOf(query: PageQuery, defaultLimit: number = bounds.pageDefault): PageRequest | Refusal {
  const sizes = [query.limit, query.pageSize, query.per_page].filter((each) => each !== undefined);
  const limit = sizes[0] ?? defaultLimit;
  if (sizes.some((each) => each !== limit)) return invalid('pageSize', 'limit, pageSize and per_page must be equal');
  const byPage = query.page === undefined ? undefined : (query.page - 1) * limit;
  const offset = query.offset ?? byPage ?? 0;
  if (byPage !== undefined && byPage !== offset) {
    return invalid('page', 'page and offset must name the same element');
  }
  if (offset > bounds.pageOffset) {
    return invalid('page', `reaches beyond element ${bounds.pageOffset}; use after`);
  }
  const characters = bounds.pageCharacters;
  if (query.after === undefined) return { limit, offset, characters };
  if (offset > 0) return invalid('after', 'goes without offset and page');
  return { limit, offset: 0, after: query.after, characters };
}

export interface Pagination {
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
  readonly hasMore: boolean;
  readonly page: number;
  readonly pageSize: number;
  /** Cursor of the next page; null on the last. */
  readonly after: string | null;
}

/** @param next cursor after the last element of this page, null when nothing follows (see Listing) */
export const pagination = ({ limit, offset }: PageRequest, total: number, next: string | null): Pagination => ({
  total,
  limit,
  offset,
  hasMore: next !== null,
  page: Math.floor(offset / limit) + 1,
  pageSize: limit,
  after: next,
});

/** JSON Schema of the pagination object. */
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

/** A page of a list that is in memory. Cursors are `@<index>`; throws RefusedError for any other. */
export function slicePage<T>(all: readonly T[], page: PageRequest): { items: readonly T[]; next: string | null } {
  const start = page.after === undefined ? page.offset : indexOf(page.after);
  const end = start + page.limit;
  return { items: all.slice(start, end), next: end < all.length ? `@${end}` : null };
}

function indexOf(after: string): number {
  const [, index] = /^@(\d{1,9})$/.exec(after) ?? [];
  if (index === undefined) throw new RefusedError(invalid('after', 'is not a cursor that this list handed out'));
  return Number(index);
}
