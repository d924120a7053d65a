/** Where feeds have stopped, stored with the evidence until the operator decides. */
import type { JsonObject } from '../../core/canonical.js';
import type { Did } from '../../core/codecs/did.js';
import type { Store } from '../../store/store.js';
import type { FeedStop } from '../feed/feed-stop.js';

type StopRecords = Pick<Store, 'getLocal' | 'putLocal' | 'deleteLocal'>;

const table = 'peer-stops';

/**
 * The stop of an earlier run, except one at an entry of a later release: that is tried again, because this run may be
 * the update.
 */
export async function keptStop(store: StopRecords, home: Did): Promise<FeedStop | undefined> {
  const stop = (await store.getLocal(table, home))?.value as unknown as FeedStop | undefined;
  return stop?.cause === 'violation' ? stop : undefined;
}

/** Durable when it resolves. */
export async function keepStop(store: StopRecords, home: Did, stop: FeedStop): Promise<void> {
  const revision = (await store.getLocal(table, home))?.revision ?? 0;
  await store.putLocal(table, home, stop as unknown as JsonObject, revision);
}

export const dropStop = (store: StopRecords, home: Did): Promise<boolean> => store.deleteLocal(table, home);
