/** Whose database it is. */
import type { Db } from 'mongodb';
import { StoreRefused } from '../store.js';
import { isDuplicate } from './away.js';
import type { MetaDocument } from './control.js';

export const schemaVersion = 1;

/** Throws StoreRefused where something else lies in the database, or a newer program wrote it. */
export async function claimDatabase(db: Db, network: string): Promise<void> {
  const control = db.collection<MetaDocument>('control');
  const meta = async () => (await control.findOne({ _id: 'meta' })) ?? undefined;
  let found = await meta();
  if (!found) {
    const names = (await db.listCollections({}, { nameOnly: true }).toArray()).map(({ name }) => name);
    const strangers = names.filter((name) => !name.startsWith('system.') && !name.startsWith('probe-'));
    // Another process may have begun a moment ago: its mark comes before anything else.
    found = await meta();
    if (!found && strangers.some((name) => name !== 'control')) {
      throw new StoreRefused(`the database ${db.databaseName} is another program's: name another one in SVC_STORE`);
    }
    if (!found) await mark();
    found = await meta();
  }
  refuseAnother(found, db, network);

  async function mark(): Promise<void> {
    try {
      await control.insertOne({ _id: 'meta', app: 'svc-node', schema: schemaVersion, network });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }
}

/** Throws StoreRefused where nothing of ours lies in the database, or what this program can't read. */
export async function mustBeOurs(db: Db, network: string): Promise<void> {
  const found = await db.collection<MetaDocument>('control').findOne({ _id: 'meta' });
  if (!found) throw new StoreRefused(`there is no journal in the database ${db.databaseName}`);
  refuseAnother(found, db, network);
}

function refuseAnother(found: MetaDocument | undefined, { databaseName }: Db, network: string): void {
  if (found?.app !== 'svc-node' || found.network !== network) {
    throw new StoreRefused(`the database ${databaseName} belongs to ${found?.app} on ${found?.network}`);
  }
  if (found.schema > schemaVersion) {
    throw new StoreRefused(
      `the database ${databaseName} has schema version ${found.schema}, and this program knows ${schemaVersion}: ` +
        'it was written by a newer svc-node; install that version',
    );
  }
}
