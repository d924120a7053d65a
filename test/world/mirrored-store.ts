/**
 * With SVC_TEST_STORE=mongodb the benches of stories keep their data on a MongoDB-protocol server. A memory store gets the same
 * writes, so that tests can read its tables, and the answers of both are compared.
 */
import { expect } from 'chai';
import type { Environment } from '../../src/core/environment.js';
import { assert } from '../../src/core/refusal.js';
import { MemoryStore } from '../../src/store/memory/memory-store.js';
import type { Tables } from '../../src/store/memory/tables.js';
import type { MongoStore } from '../../src/store/mongo/mongo-store.js';
import type { AppendResult, Commit, Store, StoreReader } from '../../src/store/store.js';
import { TestDatabase } from '../mongo/support/database.js';
import { FakeWorld } from './fake-world.js';

export const onMongo = process.env.SVC_TEST_STORE === 'mongodb';

const databases: TestDatabase[] = [];

if (onMongo) {
  afterEach(async () => {
    // One after the other, because the Java server fails to list databases while one of them is dropped.
    for (const database of databases.splice(0)) await database.dispose();
  });
}

const reads = [
  'load',
  'account',
  'accounts',
  'totals',
  'find',
  'history',
  'entries',
  'entryByEvent',
  'recall',
  'due',
  'head',
] as const;

export class MirroredStore extends MemoryStore {
  /** Appends under way: until both stores have them, their answers differ. */
  #appending = 0;

  private constructor(
    private readonly mirrored: FakeWorld,
    private readonly mongo: MongoStore,
    tables?: Tables,
  ) {
    super({ world: mirrored, exclusive: false, ...(tables ? { tables } : {}) });
    for (const read of reads) this.#holdAgainst(read);
  }

  static async open(world: FakeWorld): Promise<MirroredStore> {
    const database = await TestDatabase.fresh();
    databases.push(database);
    return new MirroredStore(world, await database.open());
  }

  /** The next process on the same data, with the same connection. */
  override survivor({ world = this.mirrored }: { readonly world?: Environment } = {}): MirroredStore {
    assert(world instanceof FakeWorld, 'a mirrored store is that of a bench');
    return new MirroredStore(world, this.mongo, this.tables);
  }

  override append(commits: readonly Commit[]): Promise<readonly AppendResult[]> {
    this.#appending++;
    return this.mirrored.outside(async () => {
      const results = await this.mongo.append(commits);
      expect(await super.append(commits)).to.deep.equal(results);
      this.#appending--;
      return results;
    });
  }

  #holdAgainst(read: (typeof reads)[number]): void {
    const ask = async (store: StoreReader, asked: unknown[]) =>
      (store[read] as (...a: unknown[]) => Promise<unknown>)(...asked);
    const memory = MemoryStore.prototype;
    const answer = (...asked: unknown[]) =>
      this.mirrored.outside(async () => {
        const before = this.#appending;
        const expected = await (memory[read] as (...a: unknown[]) => Promise<unknown>).apply(this, asked);
        const found = await ask(this.mongo, asked);
        if (before === 0 && this.#appending === 0) expect(found, read).to.deep.equal(expected);
        return found;
      });
    Object.defineProperty(this, read, { value: answer as Store[typeof read] });
  }
}
