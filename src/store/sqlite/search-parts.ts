/**
 * Splits the counting of facets into parts. The labels of all matches in one text would be held three times, by
 * SQLite, libsql and V8, and malloc keeps large freed chunks.
 */

import type { All, IndexPartition, Sql } from './search-sql.js';
import { block } from './search-terms.js';

/** A range of blocks, both ends included. */
export interface Blocks {
  readonly newest: number;
  readonly oldest: number;
}

/** Parts of one block each. */
export const partsOfBlocks = ({ newest, oldest }: Blocks): Blocks[] =>
  Array.from({ length: newest - oldest + 1 }, (_, index) => ({ newest: newest - index, oldest: newest - index }));

/** Parts of about equal size: conditions on the documents `d` of some index partitions, read in the order of age. */
export function partsOfAges(all: All, partitions: readonly IndexPartition[]): Sql[] {
  const among = partitions.map(({ partition }) => partition).join(', ');
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
