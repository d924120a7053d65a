/**
 * Where a reader of the journal continues (docs/reference/events-and-entries.md#reading-events): after the last entry that
 * it has read.
 */
import type { Environment } from '../../core/environment.js';
import type { Feed } from '../../core/feed.js';
import { isRefusal, type Refusal, refuse } from '../../core/refusal.js';
import { entryAt, type StoreReader } from '../../store/store.js';
import type { Route } from '../server/route.js';

/** How long this process may be behind another one that shares the database. */
const lagMs = 2_000;

export interface JournalReading {
  readonly store: Pick<StoreReader, 'entries'>;
  readonly environment: Environment;
  readonly feed: Feed;
}

/**
 * The number of the entry that a place names (is.place). CONFLICT with the number of the newest entry if this journal
 * does not have it, as after an older backup was restored.
 */
export async function entryNamed(
  place: number | string,
  { store, environment, feed }: JournalReading,
  signal: AbortSignal,
): Promise<number | Refusal> {
  const [digits, beginning] = String(place).split('.');
  const seq = Number(digits);
  const isReached = seq <= feed.head || (await feed.beyondWithin(seq - 1, lagMs, environment, signal));
  if (isReached && (beginning === undefined || (await hasHash(store, seq, beginning)))) return seq;
  const { head } = feed;
  return refuse('CONFLICT', `this journal has no entry ${place}; its newest has the number ${head}`, { head });
}

/** A list that continues after the number `after`: CONFLICT as by `entryNamed`. */
export const continuing = (route: Route, reading: JournalReading): Route => ({
  ...route,
  refuses: [...(route.refuses ?? []), 'CONFLICT'],
  async handle(call) {
    const { after = 0 } = call.query as { readonly after?: number };
    const place = await entryNamed(after, reading, call.signal);
    return isRefusal(place) ? place : route.handle(call);
  },
});

const hasHash = async (store: JournalReading['store'], seq: number, beginning: string): Promise<boolean> =>
  (await entryAt(store, seq))?.chainHash.startsWith(beginning) === true;
