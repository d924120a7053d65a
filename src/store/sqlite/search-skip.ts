/** Reads the counts by time (search-ages.ts): a far page is reached without a scan, and facets are counted in parts. */
import { between } from './search-ages.js';
import type { All, IndexPartition, Sql } from './search-sql.js';
import { block } from './search-terms.js';

/** Start of a scan, and how many documents to skip from there. */
export interface ScanStart {
  /** Documents made before this time, epoch ms; absent: all. */
  readonly before?: number;
  readonly offset: number;
}

/** Offsets up to this are scanned, because reading the counts takes as long. */
const walked = 256;
/** Bound of expired documents whose alarm has not been handled yet. Beyond it, the counts aren't used. */
const mostExpired = 1_000;

type AgeCount = readonly [since: number, count: number];

/** @param hidden creation times of documents that the scan leaves out */
export function startOf(
  all: All,
  partitions: readonly IndexPartition[],
  { offset, time, hidden }: { readonly offset: number; readonly time: number; readonly hidden: readonly number[] },
): ScanStart {
  if (offset < walked || partitions.some(({ part }) => part === 'expired')) return { offset };
  const expired = expiredOn(all, partitions, time);
  if (!expired) return { offset };
  const leftOut = [...expired, ...hidden];
  const among = partitions.map(({ partition }) => partition).join(', ');
  const counts = `SELECT since, sum(count) FROM search_ages WHERE shelf IN (${among}) AND since < ?
    GROUP BY since ORDER BY since DESC LIMIT ?`;
  // Enough if documents of all partitions are listed.
  const atOnce = Math.ceil(offset / between) + 1;
  let start: ScanStart = { offset };
  let passed = 0;
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const rows = all<AgeCount>(counts, [before, atOnce]);
    for (const [since, count] of rows) {
      passed += count - leftOut.filter((createdAt) => createdAt >= since && createdAt < before).length;
      if (passed > offset) return start;
      start = { before: since, offset: offset - passed };
      before = since;
    }
    if (rows.length < atOnce) return start;
  }
}

/** Creation times of expired documents that are still in a partition; undefined if there are too many. */
function expiredOn(all: All, partitions: readonly IndexPartition[], time: number): number[] | undefined {
  const expired = `SELECT created_at FROM search_documents WHERE shelf = ? AND expires_at <= ? LIMIT ${mostExpired + 1}`;
  const fresh = partitions.filter(({ part }) => part === 'fresh');
  const found = fresh.flatMap(({ partition }) =>
    all<[number]>(expired, [partition, time]).map(([createdAt]) => createdAt),
  );
  return found.length > mostExpired ? undefined : found;
}

/** A range of blocks, both ends included. */
export interface Blocks {
  readonly newest: number;
  readonly oldest: number;
}

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
