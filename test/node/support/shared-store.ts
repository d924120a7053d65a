/**
 * With SVC_TEST_STORE=mongodb the nodes of these tests keep their data on a MongoDB-protocol server, one database for each
 * directory, which a later node in the same directory finds again.
 */
import { MongoStore } from '../../../src/store/mongo/mongo-store.js';
import type { Store } from '../../../src/store/store.js';
import { TestDatabase } from '../../mongo/support/database.js';
import { onMongo } from '../../world/mirrored-store.js';

export { onMongo };

const databases = new Map<string, TestDatabase>();

/** Empty for the embedded store. The store uses the real clock, so it keeps its leases while a test holds the node's clock. */
export async function sharedStore(dir: string, network = 'devnet'): Promise<{ readonly store?: Store }> {
  if (!onMongo) return {};
  const database = databases.get(dir) ?? (await TestDatabase.fresh(network));
  databases.set(dir, database);
  return { store: await MongoStore.open({ url: database.url, network }) };
}

/** SVC_STORE of the node in this directory. */
export const storeIn = (dir: string): string => databases.get(dir)?.url ?? 'embedded';

/** The other directory's database is a copy of this one's from now on, as after a restore from a backup. */
export async function copyShared(from: string, to: string): Promise<void> {
  const source = databases.get(from);
  if (source) databases.set(to, await source.copy());
}

export async function dropShared(dir: string): Promise<void> {
  await databases.get(dir)?.dispose();
  databases.delete(dir);
}
