/**
 * Lists, page by page (docs/reference/requests.md#pagination): a list can be awaited for one page, or iterated for all
 * of them.
 */
import type { Query } from './http.js';
import type { Pagination } from './wire.js';

/**
 * `await` gives the page that was asked for; `for await` goes on from there to the end, reading each page when it is
 * needed. What is written meanwhile may be seen or not; nothing is given twice.
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

/** All items of a list whose place is a number, each page read when it is needed. @param read gives what comes behind `after` */
export async function* numbered<P extends NumberedPage, Item>(
  read: (place: { readonly after: number; readonly limit: number }) => Promise<P>,
  itemsOf: (page: P) => readonly Item[],
  start = 0,
): AsyncGenerator<Item, void, undefined> {
  for (let after: number | null = start; after !== null; ) {
    const page: P = await read({ after, limit: largestPage });
    yield* itemsOf(page);
    after = page.next;
  }
}

/** The cursor stands for the place; only the size of a page is kept. */
function following({ limit, offset, page, pageSize, per_page, ...filter }: Query, after: string): Query {
  return { ...filter, limit: limit ?? pageSize ?? per_page, after };
}
