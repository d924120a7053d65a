/** Counters of appends, for either store. */
import type { MongoStore } from '../../src/store/mongo/mongo-store.js';
import type { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import type { Store } from '../../src/store/store.js';

export interface StoreCounts {
  /** Accepted entries. */
  readonly entries: number;
  /** Transactions with one fsync each, or calls of insertMany. */
  readonly commits: number;
  /** Appends that lost to another process and were tried again. */
  readonly lost: number;
}

/** Recognises a store by its class name, so that the module of the other store is not loaded. */
export function storeCounts(store: Store): StoreCounts {
  if (store.kind === 'sqlite') return { ...(store as SqliteStore).stats(), lost: 0 };
  if (store.kind !== 'mongodb') return { entries: 0, commits: 0, lost: 0 };
  const { entries, batches, lost } = (store as MongoStore).stats();
  return { entries, commits: batches, lost };
}
