/** Paged lists (docs/reference/requests.md#pagination): await a list for one page, or iterate over it for all items. */
import type { Query } from './http.js';
import type { Pagination } from './wire.js';

/**
 * `await` resolves with the requested page; `for await` continues to the end and reads each page when it is needed.
 * Items written in the meantime may or may not appear; none appears twice.
 */
export type Paged<Page, Item> = Promise<Page> & AsyncIterable<Item>;

const largestPage = 100;

interface Page {
  readonly pagination: Pagination;
}

/** @param member of the page that holds the items */
export function paged<P extends Page, Item>(
  read: (query: Query) => Promise<P>,
  query: Query,
  member: keyof P,
): Paged<P, Item> {
  const first = read(query);
  return Object.assign(first, {
    async *[Symbol.asyncIterator]() {
      let page = await first;
      for (;;) {
        yield* page[member] as readonly Item[];
        const { after } = page.pagination;
        if (after === null) return;
        page = await read(following(query, after));
      }
    },
  });
}

interface NumberedPage {
  readonly next: number | null;
}

/**
 * Iterates over a list whose cursor is a number, reading each page when it is needed. @param read returns the page
 * after `after`
 */
export async function* numbered<P extends NumberedPage, Item, Start = number>(
  read: (place: { readonly after: Start | number; readonly limit: number }) => Promise<P>,
  itemsOf: (page: P) => readonly Item[],
  start: Start | number = 0,
): AsyncGenerator<Item, void, undefined> {
  for (let after: Start | number | null = start; after !== null; ) {
    const page: P = await read({ after, limit: largestPage });
    yield* itemsOf(page);
    after = page.next;
  }
}

/** Drops the position of the first page, because the cursor replaces it; the page size is kept. */
function following({ limit, offset, page, pageSize, per_page, ...filter }: Query, after: string): Query {
  return { ...filter, limit: limit ?? pageSize ?? per_page, after };
}
