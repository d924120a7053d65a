import { expect } from 'chai';
import type { Collection, Db } from 'mongodb';
import { realEnvironment } from '../../src/core/environment.js';
import { Database } from '../../src/store/mongo/database.js';
import { probe } from '../../src/store/mongo/server-probe.js';
import { StoreRefused } from '../../src/store/store.js';
import { rejection } from '../contract/fixture.js';
import { TestDatabase } from './support/database.js';
import { describeMongo } from './support/server.js';

/** The database with some collection methods replaced by those of a less capable server. */
function worse(db: Db, methods: { [name: string]: (collection: Collection, ...of: never[]) => unknown }): Db {
  const collection = (...of: Parameters<Db['collection']>) =>
    new Proxy(db.collection(...of), {
      get: (target, name) => {
        const own = methods[String(name)];
        const value = Reflect.get(target, name);
        if (own) return (...rest: never[]) => own(target, ...rest);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
  return new Proxy(db, { get: (target, name) => (name === 'collection' ? collection : Reflect.get(target, name)) });
}

describeMongo('what the server really does', () => {
  let testDatabase: TestDatabase;
  let database: Database;

  beforeEach(async () => {
    testDatabase = await TestDatabase.fresh();
    database = new Database(testDatabase.url, 'devnet');
    await database.connect();
  });

  afterEach(async () => {
    await database.close(realEnvironment);
    await testDatabase.dispose();
  });

  const refusal = async (methods: Parameters<typeof worse>[1]) => {
    const error = await rejection(probe(worse(database.db(), methods), 'probe-x'));
    expect(error).to.be.instanceOf(StoreRefused);
    return error.message;
  };

  it('is tried at each start and leaves nothing behind', async () => {
    await probe(database.db(), 'probe-x');
    await probe(database.db(), 'probe-x');
    expect(await database.db().listCollections().toArray()).to.deep.equal([]);
  });

  it('refuses a server that does not keep a unique index over an array', async () => {
    expect(await refusal({ createIndex: async () => 'keys' })).to.match(/two documents with one key/);
  });

  it('refuses a server that does not acknowledge', async () => {
    const insertOne = async (collection: Collection, document: never) => {
      await collection.insertOne(document);
      return { acknowledged: false };
    };
    expect(await refusal({ insertOne })).to.match(/does not acknowledge writes with w: majority, j: true/);
  });

  it('refuses a server that stops an unordered insertMany at the first failure', async () => {
    const insertMany = (collection: Collection, documents: never[]) =>
      collection.insertMany(documents, { ordered: true });
    expect(await refusal({ insertMany })).to.match(/does not stand or fall by document/);
  });

  it('refuses a server that continues an ordered insertMany after an error', async () => {
    const insertMany = (collection: Collection, documents: never[]) =>
      collection.insertMany(documents, { ordered: false });
    expect(await refusal({ insertMany })).to.match(/goes on after a failure/);
  });

  it('refuses a server that updates without looking at the condition', async () => {
    const replaceOne = (collection: Collection, { _id }: { _id: never }, document: never) =>
      collection.replaceOne({ _id }, document, { upsert: true });
    expect(await refusal({ replaceOne })).to.match(/does not keep to the condition of an update/);
  });

  it('reads a document as one write has left it', async () => {
    interface Wide {
      readonly _id: number;
      readonly first: number;
      readonly between: readonly number[];
      readonly last: number;
    }
    const documents = database.db().collection<Wide>('probe-x');
    const between = Array.from({ length: 2_000 }, (_, at) => at);
    let isWritten = false;
    const write = async () => {
      for (let n = 0; n < 100; n++)
        await documents.replaceOne({ _id: 1 }, { first: n, between, last: n }, { upsert: true });
      isWritten = true;
    };
    const read = async () => {
      while (!isWritten) {
        const found = await documents.findOne({ _id: 1 });
        expect(found?.first).to.equal(found?.last);
      }
    };
    await Promise.all([write(), ...Array.from({ length: 8 }, read)]);
  });
});
