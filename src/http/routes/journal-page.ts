/** One page of the journal: in either direction, between two times, filtered by the amount moved. */
import { bounds } from '../../core/bounds.js';
import type { NumberedEntry } from '../../store/entry.js';
import { entryAt, type StoreReader } from '../../store/store.js';
import { entriesOfTypes, type TypedFilter } from './event-types.js';

export interface JournalRange {
  readonly after: number;
  /** Newest first, before this number. */
  readonly before?: number | undefined;
  readonly limit: number;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  readonly minAmount?: number | undefined;
  readonly maxAmount?: number | undefined;
  readonly head: number;
}

export interface JournalPage {
  readonly items: readonly NumberedEntry[];
  /** Number after which the next page starts; null at the end. */
  readonly next: number | null;
}

type Entries = Pick<StoreReader, 'entries'>;

/** Tokens that an entry moved between ledger accounts. */
const movedBy = ({ core }: NumberedEntry): number =>
  core.postings.reduce((sum, [, delta]) => sum + Math.max(0, delta), 0);

export async function journalPage(store: Entries, filter: TypedFilter, range: JournalRange): Promise<JournalPage> {
  const { head, since, until, minAmount, maxAmount, limit } = range;
  const first = since === undefined ? 1 : await firstSince(store, since, head);
  const end = until === undefined ? head + 1 : await firstSince(store, until + 1, head);
  const isDown = range.before !== undefined;
  let after = Math.max(range.after, first - 1);
  let before = Math.min(range.before ?? Number.MAX_SAFE_INTEGER, end);
  const hasAmount = minAmount !== undefined || maxAmount !== undefined;
  const fits = (entry: NumberedEntry) => {
    const moved = movedBy(entry);
    return moved >= (minAmount ?? 0) && moved <= (maxAmount ?? moved);
  };
  const items: NumberedEntry[] = [];
  for (let scanned = 0; after + 1 < before; ) {
    const { pageCharacters: characters } = bounds;
    // Reads one more than is shown, which tells whether more follow.
    const atOnce = hasAmount ? bounds.pageLimit : limit - items.length + 1;
    const found = await entriesOfTypes(store, {
      ...{ ...filter, after, limit: atOnce, characters },
      ...(isDown && { before }),
    });
    for (const entry of found) {
      if (!isDown && entry.seq >= before) return { items, next: null };
      if (items.length === limit) return { items, next: items.at(-1)!.seq };
      if (!hasAmount || fits(entry)) items.push(entry);
      if (isDown) before = entry.seq;
      else after = entry.seq;
    }
    scanned += found.length;
    if (found.length === 0) break;
    if (!hasAmount && found.length < atOnce) {
      const rest = await entriesOfTypes(store, { ...filter, after, limit: 1, ...(isDown && { before }) });
      const hasMore = rest.some(({ seq }) => isDown || seq < before);
      return { items, next: hasMore ? (items.at(-1)?.seq ?? null) : null };
    }
    // Continues behind the entries that were examined in vain, so that they are not examined again.
    if (scanned >= bounds.journalScanned) return { items, next: isDown ? before : after };
  }
  return { items, next: null };
}

/** Number of the first entry at this time or later; head + 1 if there is none. Entry times never decrease. */
async function firstSince(store: Entries, time: number, head: number): Promise<number> {
  let [low, high] = [1, head + 1];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const entry = await entryAt(store, middle);
    if (entry && entry.core.time < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
