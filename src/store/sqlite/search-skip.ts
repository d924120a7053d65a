/** How a page far down a list in the order of age is reached without walking there (search-ages.ts). */
import { between } from './search-ages.js';
import type { All, Shelf } from './search-reads.js';

/** Where to begin, and how many to pass over from there. */
export interface Start {
  /** Documents made before this time, epoch ms; absent: all. */
  readonly before?: number;
  readonly offset: number;
}

/** Offsets that are walked: to read the counts takes as long. */
const walked = 256;
/** Expired ones that the clock has not come by yet: more than these are a fault of the clock, and are walked over. */
const mostExpired = 1_000;

type Row = readonly [since: number, count: number];

export function startOf(all: All, shelves: readonly Shelf[], offset: number, time: number): Start {
  if (offset < walked || shelves.some(({ part }) => part === 'expired')) return { offset };
  const expired = expiredOn(all, shelves, time);
  if (!expired) return { offset };
  const among = shelves.map(({ shelf }) => shelf).join(', ');
  const counts = `SELECT since, sum(count) FROM search_ages WHERE shelf IN (${among}) AND since < ?
    GROUP BY since ORDER BY since DESC LIMIT ?`;
  // So many are enough where all that there is, is asked for.
  const atOnce = Math.ceil(offset / between) + 1;
  let start: Start = { offset };
  let passed = 0;
  let before = Number.MAX_SAFE_INTEGER;
  for (;;) {
    const rows = all<Row>(counts, [before, atOnce]);
    for (const [since, count] of rows) {
      passed += count - expired.filter((createdAt) => createdAt >= since && createdAt < before).length;
      if (passed > offset) return start;
      start = { before: since, offset: offset - passed };
      before = since;
    }
    if (rows.length < atOnce) return start;
  }
}

/** When those were made that stand on a shelf although their time is over; undefined where they are too many. */
function expiredOn(all: All, shelves: readonly Shelf[], time: number): number[] | undefined {
  const expired = `SELECT created_at FROM search_documents WHERE shelf = ? AND expires_at <= ? LIMIT ${mostExpired + 1}`;
  const fresh = shelves.filter(({ part }) => part === 'fresh');
  const found = fresh.flatMap(({ shelf }) => all<[number]>(expired, [shelf, time]).map(([createdAt]) => createdAt));
  return found.length > mostExpired ? undefined : found;
}
