/** Where feeds have stopped, stored until the operator decides. */
import type { JsonObject } from '../../core/canonical.js';
import type { Did } from '../../core/codecs/did.js';
import { putNewest } from '../../store/local-record.js';
import type { Store } from '../../store/store.js';
import type { FeedStop } from '../feed/feed-stop.js';

type StopRecords = Pick<Store, 'getLocal' | 'putLocal' | 'deleteLocal'>;

const table = 'peer-stops';

export const keptStop = async (store: StopRecords, home: Did): Promise<FeedStop | undefined> =>
  (await store.getLocal(table, home))?.value as unknown as FeedStop | undefined;

/** Durable when it resolves. */
export const keepStop = (store: StopRecords, home: Did, stop: FeedStop): Promise<void> =>
  putNewest(store, table, home, stop as unknown as JsonObject);

export const dropStop = (store: StopRecords, home: Did): Promise<boolean> => store.deleteLocal(table, home);
