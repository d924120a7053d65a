/**
 * Tests the server's guarantees at each start, on a separate collection, because the store depends on them. If one is
 * missing, the start is refused with its name.
 */
import { type Db, MongoBulkWriteError, type TopologyDescription } from 'mongodb';
import { StoreRefused } from '../store.js';
import { durable } from './database.js';
import { duplicateKey, isDuplicate } from './outage.js';

interface ProbeDocument {
  readonly _id: string;
  readonly keys?: readonly string[];
  readonly seq?: number;
}

export async function probe(db: Db, name: string): Promise<void> {
  const collection = db.collection<ProbeDocument>(name, { writeConcern: durable });
  try {
    await collection.createIndex({ keys: 1 }, { unique: true, name: 'keys' });
    const failed =
      (await writeIsAcknowledged()) ??
      (await everyKeyIsUnique()) ??
      (await errorsNameTheirDocument()) ??
      (await orderedStopsAtTheFirst()) ??
      (await updatesAreConditional());
    if (failed) throw new StoreRefused(`the MongoDB server at SVC_STORE can't be used: ${failed}`);
  } finally {
    await collection.drop();
  }

  async function writeIsAcknowledged(): Promise<string | undefined> {
    const { acknowledged } = await collection.insertOne({ _id: 'a', keys: ['k1', 'k2'] });
    return acknowledged ? undefined : 'it does not acknowledge writes with w: majority, j: true';
  }

  async function everyKeyIsUnique(): Promise<string | undefined> {
    try {
      await collection.insertOne({ _id: 'b', keys: ['k3', 'k2'] });
    } catch (error) {
      if (isDuplicate(error)) return undefined;
      throw error;
    }
    return 'it accepts two documents with one key under a unique index over an array';
  }

  async function errorsNameTheirDocument(): Promise<string | undefined> {
    const documents = [
      { _id: 'c', keys: ['k4'] },
      { _id: 'd', keys: ['k1', 'k5'] },
      { _id: 'e', keys: ['k5'] },
    ];
    const refused = await refusedBy(() => collection.insertMany(documents, { ordered: false }));
    const there = await collection.find({ _id: { $in: ['c', 'd', 'e'] } }).toArray();
    const right = refused?.join() === '1' && new Set(there.map(({ _id }) => _id)).size === 2;
    return right ? undefined : 'an unordered insertMany does not stand or fall by document';
  }

  async function orderedStopsAtTheFirst(): Promise<string | undefined> {
    const documents = [{ _id: 'f', keys: ['k6'] }, { _id: 'a' }, { _id: 'g', keys: ['k7'] }];
    const refused = await refusedBy(() => collection.insertMany(documents, { ordered: true }));
    const there = await collection.find({ _id: { $in: ['f', 'g'] } }).toArray();
    const right = refused?.join() === '1' && there.length === 1 && there[0]?._id === 'f';
    return right ? undefined : 'an ordered insertMany goes on after a failure';
  }

  async function updatesAreConditional(): Promise<string | undefined> {
    const replace = (seq: number) =>
      collection.replaceOne({ _id: 'h', seq: { $lt: seq } }, { keys: ['k8'], seq }, { upsert: true });
    const stored = async () => (await collection.findOne({ _id: 'h' }))?.seq;
    await replace(2);
    try {
      await replace(1);
    } catch (error) {
      if (!isDuplicate(error)) throw error;
    }
    const kept = await stored();
    await replace(3);
    const { matchedCount } = await collection.updateOne({ _id: 'h', seq: 2 }, { $set: { seq: 9 } });
    return kept === 2 && (await stored()) === 3 && matchedCount === 0
      ? undefined
      : 'it does not keep to the condition of an update';
  }
}

async function refusedBy(insert: () => Promise<unknown>): Promise<number[] | undefined> {
  try {
    await insert();
    return [];
  } catch (error) {
    if (!(error instanceof MongoBulkWriteError)) throw error;
    const errors = [error.writeErrors].flat();
    return errors.every(({ code }) => code === duplicateKey) ? errors.map(({ index }) => index) : undefined;
  }
}

/** The failures that an acknowledged write survives, in a few words. */
export function durabilityOf(topology: TopologyDescription | undefined): string {
  const servers = [...(topology?.servers.values() ?? [])];
  const members = Math.max(1, ...servers.map(({ hosts }) => hosts.length));
  if (topology?.type.startsWith('ReplicaSet')) {
    return members > 1
      ? `in the journal of a majority of ${members} servers`
      : 'in the journal of one server, a replica set of one';
  }
  if (topology?.type === 'Sharded' || topology?.type === 'LoadBalanced')
    return 'in the journal of a majority of a shard';
  return 'in the journal of one server, of which there is no replica';
}
