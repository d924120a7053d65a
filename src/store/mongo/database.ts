/**
 * The connection: a client with bounded pool and timeouts, and the collections with the read and write concerns that
 * the store's guarantees need. Concerns in the URL are ignored.
 */
import {
  type Collection,
  type Db,
  MongoClient,
  MongoServerError,
  ReadConcern,
  type TopologyDescription,
  type WriteConcernSettings,
} from 'mongodb';
import { type Environment, pause, realEnvironment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import { shownUrl } from '../../core/url-text.js';
import { StoreAway, StoreRefused } from '../store.js';
import type {
  AccountDocument,
  ContentDocument,
  EntryDocument,
  HomeDocument,
  LeaseDocument,
  LocalDocument,
  MetaDocument,
  NewsDocument,
  OrderDocument,
  ProcessDocument,
  ReceiptDocument,
  ResourceDocument,
  SystemDocument,
} from './documents.js';
import { isWorthWaiting } from './outage.js';
import type { ReputationDocument, RulesDocument, SearchDocument } from './search-documents.js';
import { databaseOf, withoutCredentials } from './url.js';

export const durable = { w: 'majority', journal: true } as const satisfies WriteConcernSettings;

/** Timeouts of the driver's stages. (`timeoutMS` has no effect since driver 7.8, and was harmful before.) */
const waits = {
  connectTimeoutMS: 5_000,
  serverSelectionTimeoutMS: 3_000,
  waitQueueTimeoutMS: 5_000,
  socketTimeoutMS: 10_000,
};
const pool = { maxPoolSize: 32, minPoolSize: 2, maxIdleTimeMS: 300_000 };

export interface Collections {
  readonly entries: Collection<EntryDocument>;
  readonly order: Collection<OrderDocument>;
  readonly accounts: Collection<AccountDocument | SystemDocument>;
  readonly resources: Collection<ResourceDocument>;
  readonly search: Collection<SearchDocument | RulesDocument>;
  readonly reputations: Collection<ReputationDocument>;
  readonly receipts: Collection<ReceiptDocument>;
  readonly contents: Collection<ContentDocument>;
  readonly local: Collection<LocalDocument>;
  readonly news: Collection<NewsDocument>;
  readonly control: Collection<ProcessDocument | LeaseDocument | HomeDocument | MetaDocument>;
}

export interface ConnectionStats {
  connections: number;
  checkedOut: number;
  poolsCleared: number;
  heartbeatsFailed: number;
  renewals: number;
}

/** How long `close` waits for the driver. A hanging driver ends with the process. */
const closeMs = 2_000;

export class Database {
  readonly name: string;
  readonly stats: ConnectionStats = {
    connections: 0,
    checkedOut: 0,
    poolsCleared: 0,
    heartbeatsFailed: 0,
    renewals: 0,
  };
  #client: MongoClient;
  #db: Db | undefined;
  #collections: Collections | undefined;
  #readConcern: 'majority' | 'local' = 'majority';
  #topology: TopologyDescription | undefined;

  constructor(
    readonly url: string,
    network: string,
  ) {
    this.name = databaseOf(url, network);
    this.#client = this.#newClient();
  }

  get topology(): TopologyDescription | undefined {
    return this.#topology;
  }

  async connect(): Promise<void> {
    await this.#client.connect();
  }

  /**
   * Replaces the client. The driver can hang when all its connections end at the same moment: a write to a closed
   * socket that has not reported it yet waits for ever, in the pool or in the monitor.
   */
  renew(): void {
    const old = this.#client;
    this.#client = this.#newClient();
    this.#db = undefined;
    this.#collections = undefined;
    this.stats.renewals++;
    // Calls that wait on the old client are rejected. Errors while it closes don't matter.
    void old.close().catch(() => {});
  }

  close(world: Environment): Promise<void> {
    return Promise.race([this.#client.close(), pause(world, closeMs)]);
  }

  db(): Db {
    const readConcern = new ReadConcern(this.#readConcern);
    this.#db ??= this.#client.db(this.name, { writeConcern: durable, readConcern });
    return this.#db;
  }

  /** Uses majority reads, which can't be rolled back, unless the server doesn't support them. */
  async chooseReadConcern(): Promise<void> {
    try {
      await this.db().collection('control').findOne({});
    } catch (error) {
      if (!(error instanceof MongoServerError) || this.#topology?.type !== 'Single') throw error;
      this.#readConcern = 'local';
      this.#db = undefined;
    }
  }

  get readConcern(): 'majority' | 'local' {
    return this.#readConcern;
  }

  collections(): Collections {
    const current = () => {
      this.#collections ??= collectionsOf(this.db());
      return this.#collections;
    };
    const names = Object.keys(current()) as (keyof Collections)[];
    return Object.fromEntries(names.map((each) => [each, whatever(() => current()[each])])) as unknown as Collections;
  }

  #newClient(): MongoClient {
    const { url } = this;
    try {
      const client = new MongoClient(url, {
        appName: 'svc-node',
        ...unlessSaid(url, waits),
        ...unlessSaid(url, pool),
        readPreference: 'primary',
        retryReads: true,
        retryWrites: true,
        // Skips UTF-8 validation, which is most of the cost of reading. Hashes protect the texts that matter.
        enableUtf8Validation: false,
      });
      this.#watch(client);
      return client;
    } catch (error) {
      // Drops the cause, because the driver's message may repeat the URL.
      const why = error instanceof Error ? withoutCredentials(error.message, url) : 'unknown reason';
      throw new StoreRefused(`SVC_STORE is no MongoDB URL that the driver understands: ${why}`);
    }
  }

  #watch(client: MongoClient): void {
    const { stats } = this;
    client.on('topologyDescriptionChanged', ({ newDescription }) => {
      if (client === this.#client) this.#topology = newDescription;
    });
    client.on('connectionCreated', () => stats.connections++);
    client.on('connectionClosed', () => stats.connections--);
    client.on('connectionCheckedOut', () => stats.checkedOut++);
    client.on('connectionCheckedIn', () => stats.checkedOut--);
    client.on('connectionPoolCleared', () => stats.poolsCleared++);
    client.on('serverHeartbeatFailed', () => stats.heartbeatsFailed++);
  }
}

const collectionsOf = (db: Db): Collections => ({
  entries: db.collection('entries'),
  order: db.collection('order'),
  accounts: db.collection('accounts'),
  resources: db.collection('resources'),
  search: db.collection('search'),
  reputations: db.collection('reputations'),
  receipts: db.collection('receipts'),
  contents: db.collection('contents'),
  local: db.collection('local'),
  news: db.collection('news', { writeConcern: { w: 1 }, readConcern: new ReadConcern('local') }),
  // Reads processes and leases without majority, because freshness matters: each action on them is a conditional
  // update.
  control: db.collection('control', { readConcern: new ReadConcern('local') }),
});

/** A proxy that forwards each use to what `current` returns. */
const whatever = (current: () => object): object =>
  new Proxy(
    {},
    {
      get(_, name) {
        const target = current();
        const member: unknown = Reflect.get(target, name);
        return typeof member === 'function' ? member.bind(target) : member;
      },
    },
  );

/** The default settings that the operator's URL does not override. */
function unlessSaid<T extends Record<string, number>>(url: string, settings: T): Partial<T> {
  const said = new Set([...url.matchAll(/[?&]([A-Za-z]+)=/g)].map(([, name]) => name!.toLowerCase()));
  return Object.fromEntries(Object.entries(settings).filter(([name]) => !said.has(name.toLowerCase()))) as Partial<T>;
}

/** Creates the indexes once. A server builds them while others write. */
export async function createIndexes(collections: Collections): Promise<void> {
  const { entries, order, resources, search, receipts, contents, local, news } = collections;
  await Promise.all([
    entries.createIndexes([
      { key: { keys: 1 }, name: 'keys', unique: true },
      { key: { process: 1, nth: 1 }, name: 'process' },
    ]),
    order.createIndexes([
      { key: { entry: 1 }, name: 'entry', unique: true },
      { key: { event: 1 }, name: 'event', unique: true },
      { key: { tags: 1, _id: 1 }, name: 'tags' },
    ]),
    resources.createIndexes([
      { key: { kind: 1, createdAt: -1, id: -1 }, name: 'age' },
      { key: { kind: 1, labels: 1, createdAt: -1, id: -1 }, name: 'labels' },
      { key: { kind: 1, state: 1 }, name: 'state' },
      { key: { kind: 1, updatedAt: -1, id: -1 }, name: 'changed' },
      { key: { kind: 1, amount: -1, id: -1 }, name: 'amount' },
      { key: { 'alarm.at': 1, kind: 1, id: 1 }, name: 'alarm', partialFilterExpression: { 'alarm.at': { $gte: 0 } } },
    ]),
    search.createIndexes([
      { key: { 'words.w': 1 }, name: 'words' },
      { key: { labels: 1, createdAt: -1, _id: -1 }, name: 'labels' },
      { key: { visibility: 1, status: 1, createdAt: -1, _id: -1 }, name: 'age' },
      { key: { owner: 1, createdAt: -1, _id: -1 }, name: 'owner' },
    ]),
    receipts.createIndexes([
      { key: { entry: 1, _id: 1 }, name: 'entry' },
      { key: { tx: 1, _id: 1 }, name: 'tx' },
    ]),
    contents.createIndexes([{ key: { entries: 1 }, name: 'entries' }]),
    local.createIndexes([{ key: { table: 1, id: 1 }, name: 'table' }]),
    news.createIndexes([{ key: { process: 1, nth: 1 }, name: 'process' }]),
  ]);
}

export interface MongoOptions {
  /** `mongodb://` or `mongodb+srv://`. The database is the URL's, or `svc`, with `-<network>` appended. */
  readonly url: string;
  readonly network: string;
  readonly world?: Environment;
  readonly log?: (message: string, detail: object) => void;
}

/**
 * Connects, and does the work; closes the database if that fails.
 * @throws StoreAway if the server can't be reached, StoreRefused if it can't be used
 */
export async function connected<T>(
  { url, network, world = realEnvironment }: MongoOptions,
  work: (database: Database, world: Environment) => Promise<T>,
): Promise<T> {
  const database = new Database(url, network);
  try {
    await database.connect();
    await database.chooseReadConcern();
    return await work(database, world);
  } catch (error) {
    await database.close(world);
    if (error instanceof StoreRefused) throw error;
    const why = withoutCredentials(messageOf(error), url);
    const sentence = `the database at ${shownUrl(url)} (SVC_STORE) can't be opened: ${why}`;
    throw isWorthWaiting(error) ? new StoreAway(sentence) : new StoreRefused(sentence);
  }
}
