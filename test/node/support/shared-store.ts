/**
 * With SVC_TEST_STORE=mongodb the nodes of these tests keep their data on a MongoDB-protocol server, each directory in a
 * database of its own, which a later node on the same directory finds again.
 */
import { MongoStore } from '../../../src/store/mongo/mongo-store.js';
import type { Store } from '../../../src/store/store.js';
import { TestDatabase } from '../../mongo/support/database.js';
import { onMongo } from '../../world/mirrored-store.js';

export { onMongo };

const databases = new Map<string, TestDatabase>();

/** Nothing where the embedded store is asked for. The store has the real clock: tests that hold theirs hold no lease. */
export async function sharedStore(dir: string, network = 'devnet'): Promise<{ readonly store?: Store }> {
  if (!onMongo) return {};
  const database = databases.get(dir) ?? (await TestDatabase.fresh(network));
  databases.set(dir, database);
  return { store: await MongoStore.open({ url: database.url, network }) };
}

export async function dropShared(dir: string): Promise<void> {
  await databases.get(dir)?.dispose();
  databases.delete(dir);
}
