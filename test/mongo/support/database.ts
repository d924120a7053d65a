/** Stores on a separate database each, which are always closed and dropped. */
import { MongoClient } from 'mongodb';
import { keysOf, noHash } from '../../../src/store/entry.js';
import type { MongoOptions } from '../../../src/store/mongo/database.js';
import { systemId } from '../../../src/store/mongo/documents.js';
import { MongoStore } from '../../../src/store/mongo/mongo-store.js';
import { databaseOf } from '../../../src/store/mongo/url.js';
import type { Commit } from '../../../src/store/store.js';
import { freshUrl } from './server.js';

export class TestDatabase {
  readonly #stores: MongoStore[] = [];

  private constructor(
    readonly url: string,
    readonly network = 'devnet',
  ) {}

  static async fresh(network?: string): Promise<TestDatabase> {
    return new TestDatabase(await freshUrl(), network);
  }

  /** On a server that only this test uses. */
  static async on(server: string): Promise<TestDatabase> {
    return new TestDatabase(server);
  }

  /** Opens one more process on this database. */
  async open(options: Partial<MongoOptions> = {}): Promise<MongoStore> {
    const store = await MongoStore.open({ url: this.url, network: this.network, ...options });
    this.#stores.push(store);
    return store;
  }

  async dispose(): Promise<void> {
    await Promise.all(this.#stores.splice(0).map((store) => store.close()));
    await this.raw(async (client, name) => {
      // The copies of other homes' journals are in databases next to it. They go first: the Java server drops by the name's beginning.
      const { databases } = await client.db().admin().listDatabases({ nameOnly: true });
      const copies = databases.filter((each) => each.name.startsWith(`${name}-peer-`));
      for (const each of [...copies.map((copy) => copy.name), name]) await client.db(each).dropDatabase();
    });
  }

  /** A database with the same documents; nothing may work on this one. Copies of other homes' journals are left out. */
  async copy(): Promise<TestDatabase> {
    const other = await TestDatabase.fresh(this.network);
    await this.raw(async (client, name) => {
      for (const { name: part } of await client.db(name).listCollections({}, { nameOnly: true }).toArray()) {
        const documents = await client.db(name).collection(part).find().toArray();
        if (documents.length === 0) continue;
        await client.db(databaseOf(other.url, this.network)).collection(part).insertMany(documents);
      }
    });
    return other;
  }

  /** Inserts an entry without a number, as a process leaves it that is not a registered member. */
  leave({ entry }: Commit, nth: number): Promise<unknown> {
    const { entryHash: _id, core, coreText, payloadText: payload } = entry;
    const document = {
      _id: _id as never,
      keys: keysOf(core),
      core: coreText,
      payload,
      writes: [],
      process: 'nobody',
      nth,
    };
    return this.raw((client, name) => client.db(name).collection('entries').insertOne(document));
  }

  /** Forgets that entries were projected, so that the next process projects all again. */
  rewind(): Promise<unknown> {
    const system = { seq: 0, chain: noHash, supply: 0, fees: 0 };
    return this.raw((client, name) =>
      client
        .db(name)
        .collection('accounts')
        .replaceOne({ _id: systemId as never }, system),
    );
  }

  /** Accesses the database without the adapter. */
  async raw<T>(work: (client: MongoClient, database: string) => Promise<T>): Promise<T> {
    const client = new MongoClient(this.url);
    try {
      return await work(client, databaseOf(this.url, this.network));
    } finally {
      await client.close();
    }
  }
}
