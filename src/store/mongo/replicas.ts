/**
 * Stores of followed feeds on the server of the node's own store, each in a separate database, over one client. The
 * collection `replicas` of the own database lists them.
 */
import type { Environment } from '../../core/environment.js';
import { assert } from '../../core/refusal.js';
import type { Replicas } from '../replicas.js';
import type { Store } from '../store.js';
import { createIndexes, type Database } from './database.js';
import type { Outage } from './outage.js';
import { MongoReplica } from './replica-store.js';
import { replicaDatabaseOf } from './url.js';

interface ReplicaDocument {
  /** DID of the home. */
  readonly _id: string;
  readonly database: string;
}

interface OpenReplica {
  readonly mode: 'read' | 'write';
  readonly store: Promise<MongoReplica>;
}

export class MongoReplicas implements Replicas {
  readonly #stores = new Map<string, OpenReplica>();

  /** @param database the database of the node's own store */
  constructor(
    private readonly world: Environment,
    private readonly database: Database,
    private readonly outage: Outage,
  ) {}

  async homes(): Promise<readonly string[]> {
    const all = () => this.#replicas.find().sort({ _id: 1 }).toArray();
    return (await this.outage.read(all)).map(({ _id }) => _id);
  }

  async open(home: string, mode: 'read' | 'write'): Promise<Store> {
    const known = this.#stores.get(home);
    if (known && (known.mode === 'write' || mode === 'read')) return known.store;
    // This process had opened it for reading and now becomes the writer; its readers keep their store.
    const store = known ? known.store.then((reader) => this.#begun(reader)) : this.#open(home, mode);
    this.#stores.set(home, { mode, store });
    store.catch(() => this.#stores.delete(home));
    return store;
  }

  async forget(home: string): Promise<void> {
    assert(!this.#stores.has(home), 'a replica is closed before it is forgotten');
    const name = replicaDatabaseOf(this.database.name, home);
    // The document is deleted last, so that a replica that was only partly deleted is still listed.
    await this.outage.retry(() => this.database.db(name).dropDatabase());
    await this.outage.retry(() => this.#replicas.deleteOne({ _id: home }));
    this.database.leave(name);
  }

  async close(): Promise<void> {
    const open = await Promise.allSettled([...this.#stores.values()].map(({ store }) => store));
    await Promise.all(open.map((each) => (each.status === 'fulfilled' ? each.value.close() : undefined)));
  }

  async #open(home: string, mode: 'read' | 'write'): Promise<MongoReplica> {
    const name = replicaDatabaseOf(this.database.name, home);
    const document = { $setOnInsert: { database: name } };
    await this.outage.retry(() => this.#replicas.updateOne({ _id: home }, document, { upsert: true }));
    await this.outage.retry(() => createIndexes(this.database.collections(name), true));
    const newWrite = () => Buffer.from(this.world.random(12)).toString('hex');
    const onClose = () => this.#stores.delete(home);
    const store = new MongoReplica({ database: this.database, name, outage: this.outage, newWrite, onClose });
    return mode === 'write' ? this.#begun(store) : store;
  }

  async #begun(store: MongoReplica): Promise<MongoReplica> {
    await store.begin();
    return store;
  }

  get #replicas() {
    return this.database.db().collection<ReplicaDocument>('replicas');
  }
}
