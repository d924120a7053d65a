/** What either store counts of its appends. */
import { MongoStore } from '../../src/store/mongo/mongo-store.js';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import type { Store } from '../../src/store/store.js';

export interface StoreCounts {
  /** Accepted entries. */
  readonly entries: number;
  /** Transactions with one fsync each, or calls of insertMany, that they took. */
  readonly commits: number;
  /** Appends that lost to another process and were tried again. */
  readonly lost: number;
}

export function storeCounts(store: Store): StoreCounts {
  if (store instanceof SqliteStore) return { ...store.stats(), lost: 0 };
  if (!(store instanceof MongoStore)) return { entries: 0, commits: 0, lost: 0 };
  const { entries, batches, lost } = store.stats();
  return { entries, commits: batches, lost };
}
