/**
 * What is counted over all that match is counted in parts. The labels of all of them in one text would be held three times
 * over, by SQLite, libsql and V8, and once chunks of several MiB were freed malloc gives none of what is freed later back.
 */

import type { All, Shelf, Sql } from './search-reads.js';
import { block } from './search-terms.js';

/** Blocks of the index, both included. */
export interface Blocks {
  readonly newest: number;
  readonly oldest: number;
}

/** One block each. */
export const partsOfBlocks = ({ newest, oldest }: Blocks): Blocks[] =>
  Array.from({ length: newest - oldest + 1 }, (_, index) => ({ newest: newest - index, oldest: newest - index }));

/** About as many documents each: conditions on those of some shelves, `d`, which are read in the order of their age. */
export function partsOfAges(all: All, shelves: readonly Shelf[]): Sql[] {
  const among = shelves.map(({ shelf }) => shelf).join(', ');
  const ages = `SELECT since, sum(count) FROM search_ages WHERE shelf IN (${among}) GROUP BY since ORDER BY since DESC`;
  const parts: Sql[] = [];
  let documents = 0;
  let before = Number.MAX_SAFE_INTEGER;
  for (const [since, count] of all<[number, number]>(ages, [])) {
    documents += count;
    if (documents < block.size) continue;
    parts.push({ text: 'd.created_at < ? AND d.created_at >= ?', values: [before, since] });
    [before, documents] = [since, 0];
  }
  return [...parts, { text: 'd.created_at < ?', values: [before] }];
}
