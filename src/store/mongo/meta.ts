/** The mark that a database belongs to this program and network, and the version of its schema. */
import type { Db } from 'mongodb';
import { earlierFormat, StoreRefused } from '../store.js';
import type { MetaDocument } from './documents.js';
import { isDuplicate } from './outage.js';

/** Changes stored documents for the next schema version. Repeated after a crash, and may run in several processes. */
export interface MongoStep {
  readonly name: string;
  readonly change: (db: Db) => Promise<void>;
}

/** The first schema; databases from before 0.1.0 have lower versions. */
const firstSchema = 3;

/** Steps since the first schema. A released step never changes; a change is one more step at the end. */
const schemaSteps: readonly MongoStep[] = [];

const newestOf = (steps: readonly MongoStep[]): number => firstSchema + steps.length;

/**
 * Marks an empty database, and brings an older one to the newest schema.
 * @throws StoreRefused if the database contains something else, or is of a version that this program doesn't know
 */
export async function claimDatabase(db: Db, network: string, steps = schemaSteps): Promise<void> {
  const control = db.collection<MetaDocument>('control');
  const meta = async () => (await control.findOne({ _id: 'meta' })) ?? undefined;
  let found = await meta();
  if (!found) {
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    const strangers = names.filter((name) => !name.startsWith('system.') && !name.startsWith('probe-'));
    // Another process may have just claimed the database; its mark is written first.
    found = await meta();
    if (!found && strangers.some((name) => name !== 'control')) {
      throw new StoreRefused(`the database ${db.databaseName} is another program's: name another one in SVC_STORE`);
    }
    if (!found) await mark();
    found = await meta();
  }
  const schema = schemaOf(found, { db, network, newest: newestOf(steps) });
  for (const [index, { change }] of steps.entries()) {
    const next = firstSchema + index + 1;
    if (next <= schema) continue;
    await change(db);
    await control.updateOne({ _id: 'meta', schema: { $lt: next } }, { $set: { schema: next } });
  }

  async function mark(): Promise<void> {
    try {
      await control.insertOne({ _id: 'meta', app: 'svc-node', schema: newestOf(steps), network });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }
}

/** @throws StoreRefused if the database is not one of this program, or of a version that it can't read */
export async function mustBeOurs(db: Db, network: string, steps = schemaSteps): Promise<void> {
  const found = await db.collection<MetaDocument>('control').findOne({ _id: 'meta' });
  if (!found) throw new StoreRefused(`there is no journal in the database ${db.databaseName} (SVC_STORE)`);
  const newest = newestOf(steps);
  const schema = schemaOf(found, { db, network, newest });
  if (schema < newest) {
    throw new StoreRefused(
      `the database ${db.databaseName} (SVC_STORE) has schema version ${schema}: start the node once to upgrade it`,
    );
  }
}

interface ExpectedMeta {
  readonly db: Db;
  readonly network: string;
  readonly newest: number;
}

function schemaOf(found: MetaDocument | undefined, { db, network, newest }: ExpectedMeta): number {
  const place = `the database ${db.databaseName} (SVC_STORE)`;
  if (found?.app !== 'svc-node' || found.network !== network) {
    throw new StoreRefused(`${place} belongs to ${found?.app} on ${found?.network}`);
  }
  if (found.schema < firstSchema) {
    throw earlierFormat(
      place,
      'name a new database in SVC_STORE; keystore and node.json of the data directory may stay',
    );
  }
  if (found.schema > newest) {
    throw new StoreRefused(
      `${place} has schema version ${found.schema}, and this program knows ${newest}: ` +
        'it was written by a newer svc-node; install that version',
    );
  }
  return found.schema;
}
