/** Reads all pages of a list, for a download. */
import { Problem } from './problem.ts';
import { type Query, read, withQuery } from './read.ts';
import type { Pagination } from './types.ts';

/** Most rows of one file. For a longer list, the page asks the user to narrow the filters. */
export const mostRows = 5_000;
const limit = 100;

export async function readAll<Page extends { readonly pagination: Pagination }, Row>(
  url: string,
  query: Query,
  rowsOf: (page: Page) => readonly Row[],
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (let after: string | undefined; ; ) {
    const page = await read<Page>(withQuery(url, { ...query, limit, after }));
    if (page.pagination.total > mostRows) {
      const says = `There are ${page.pagination.total} rows, but a file can hold at most ${mostRows}. Narrow the filters.`;
      throw new Problem(0, 'TOO_MANY_ROWS', says);
    }
    rows.push(...rowsOf(page));
    if (page.pagination.after === null) return rows;
    after = page.pagination.after;
  }
}
