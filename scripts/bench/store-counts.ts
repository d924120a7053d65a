/** What either store counts of its appends. */
import type { MongoStore } from '../../src/store/mongo/mongo-store.js';
import type { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import type { Store } from '../../src/store/store.js';

export interface StoreCounts {
  /** Accepted entries. */
  readonly entries: number;
  /** Transactions with one fsync each, or calls of insertMany, that they took. */
  readonly commits: number;
  /** Appends that lost to another process and were tried again. */
  readonly lost: number;
}

/** Told apart by their names: a process that counts what one store does has not loaded the other, as a node hasn't. */
export function storeCounts(store: Store): StoreCounts {
  if (store.kind === 'sqlite') return { ...(store as SqliteStore).stats(), lost: 0 };
  if (store.kind !== 'mongodb') return { entries: 0, commits: 0, lost: 0 };
  const { entries, batches, lost } = (store as MongoStore).stats();
  return { entries, commits: batches, lost };
}
