/** The mark that a database belongs to this program and network. */
import type { Db } from 'mongodb';
import { StoreRefused } from '../store.js';
import type { MetaDocument } from './documents.js';
import { isDuplicate } from './outage.js';

/** Version 2: events may contain their home, which programs that only know version 1 would ignore. */
export const schemaVersion = 2;

/** @throws StoreRefused if the database contains something else, or was written by a newer program */
export async function claimDatabase(db: Db, network: string): Promise<void> {
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
  refuseAnother(found, db, network);
  await control.updateOne({ _id: 'meta', schema: { $lt: schemaVersion } }, { $set: { schema: schemaVersion } });

  async function mark(): Promise<void> {
    try {
      await control.insertOne({ _id: 'meta', app: 'svc-node', schema: schemaVersion, network });
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
  }
}

/** @throws StoreRefused if the database is not one of this program, or of a version that it can't read */
export async function mustBeOurs(db: Db, network: string): Promise<void> {
  const found = await db.collection<MetaDocument>('control').findOne({ _id: 'meta' });
  if (!found) throw new StoreRefused(`there is no journal in the database ${db.databaseName} (SVC_STORE)`);
  refuseAnother(found, db, network);
}

function refuseAnother(found: MetaDocument | undefined, { databaseName }: Db, network: string): void {
  if (found?.app !== 'svc-node' || found.network !== network) {
    throw new StoreRefused(`the database ${databaseName} (SVC_STORE) belongs to ${found?.app} on ${found?.network}`);
  }
  if (found.schema > schemaVersion) {
    throw new StoreRefused(
      `the database ${databaseName} (SVC_STORE) has schema version ${found.schema}, and this program knows ${schemaVersion}: ` +
        'it was written by a newer svc-node; install that version',
    );
  }
}
