/**
 * The store on a MongoDB-compatible server. Several processes may share one database (docs/decisions/0005). An append
 * is acknowledged when its entries are durable and numbered, and everyone can read their projections.
 */

import type { JsonObject } from '../../core/canonical.js';
import { type Environment, realEnvironment } from '../../core/environment.js';
import { messageOf } from '../../core/error-message.js';
import { assert, RefusedError } from '../../core/refusal.js';
import { shownUrl } from '../../core/url-text.js';
import type { Receipt } from '../entry.js';
import { damaged } from '../journal-end.js';
import type { OwnerRank, SearchEntry } from '../search.js';
import {
  type AppendResult,
  type Commit,
  type Figure,
  mustContinue,
  type PlacedCommit,
  type SharedStore,
  type Store,
  StoreClosed,
  StoreFault,
  StoreRefused,
} from '../store.js';
import { Commands } from './commands.js';
import { Contents } from './contents.js';
import { connected, createIndexes, type Database, type MongoOptions } from './database.js';
import { figuresOf, type StoreStats } from './figures.js';
import { Ingest, type Listener } from './ingest.js';
import { Inserter } from './inserter.js';
import { violationOfEnd } from './journal-end.js';
import { LedgerCache } from './ledger-cache.js';
import { claimDatabase } from './meta.js';
import { MongoReader } from './mongo-reader.js';
import { EntryOrder } from './order.js';
import { isPassing, Outage } from './outage.js';
import { ProcessNotifications } from './process-notifications.js';
import { ProcessRegistry } from './process-registry.js';
import { Projection } from './projection.js';
import { RecordWrites } from './records.js';
import { rulesId } from './search-documents.js';
import { durabilityOf, probe } from './server-probe.js';
import { takeOver } from './take-over.js';
import { withoutCredentials } from './url.js';

export class MongoStore extends MongoReader implements Store {
  readonly kind = 'mongodb';
  readonly exclusive = false;
  readonly shared: SharedStore = this;
  readonly lost: Promise<StoreFault>;
  readonly durability: string;
  readonly #database: Database;
  readonly #world: Environment;
  readonly #control: ProcessRegistry;
  readonly #inserter: Inserter;
  readonly #ingest: Ingest;
  readonly #order: EntryOrder;
  readonly #records: RecordWrites;
  readonly #notifications: ProcessNotifications;
  readonly #projection: Projection;
  readonly #takeOver: (commits: readonly PlacedCommit[]) => Promise<void>;
  #dead: StoreFault | undefined;
  #sayLost!: (fault: StoreFault) => void;
  #closing: Promise<void> | undefined;

  private constructor(database: Database, options: MongoOptions) {
    const { world = realEnvironment } = options;
    const log = discreet(options);
    const collections = database.collections();
    const outage = new Outage({ world, log, renew: () => database.renew() });
    super(collections, outage);
    const newId = () => Buffer.from(world.random(12)).toString('hex');
    const process = newId();
    this.#database = database;
    this.#world = world;
    this.lost = new Promise((resolve) => {
      this.#sayLost = resolve;
    });
    this.durability = durabilityOf(database.topology);
    const ledger = new LedgerCache(collections, outage);
    const onFault = (cause: unknown) => this.#die(cause);
    const commands = new Commands(
      () => database.db(),
      () => database.readConcern,
    );
    const { entries } = collections;
    const contents = new Contents(collections.contents, outage);
    const projection = new Projection(commands, outage, contents);
    this.#projection = projection;
    this.#control = new ProcessRegistry(process, collections, commands, world, outage);
    this.#notifications = new ProcessNotifications({ collections, control: this.#control, outage, world, log });
    this.#records = new RecordWrites(collections, { outage, newWrite: newId });
    this.#inserter = new Inserter({ entries, commands, contents, process, ledger, outage, world, onFault });
    this.#ingest = new Ingest({ collections, commands, ledger, projection, inserter: this.#inserter, outage });
    this.#order = new EntryOrder({
      collections,
      commands,
      control: this.#control,
      ledger,
      ingest: this.#ingest,
      inserter: this.#inserter,
      outage,
      world,
      log,
      onFault,
    });
    this.#inserter.follower = this.#order;
    this.#takeOver = (commits) =>
      this.#order.asHolder(async (token) => {
        const { seq, chainHash } = this.#ingest.known;
        mustContinue({ seq, chainHash }, commits);
        await contents.put(commits);
        await takeOver(commits, { collections, commands, ledger, ingest: this.#ingest, outage, token });
      });
  }

  /**
   * @throws StoreAway if the server can't be reached, StoreRefused if it lacks a guarantee or contains something else
   */
  static open(options: MongoOptions): Promise<MongoStore> {
    return connected(options, async (database, world) => {
      await probe(database.db(), `probe-${Buffer.from(world.random(6)).toString('hex')}`);
      await claimDatabase(database.db(), options.network);
      await createIndexes(database.collections());
      const flaw = await violationOfEnd(database.collections(), world);
      if (flaw !== undefined) throw damaged(flaw);
      const store = new MongoStore(database, options);
      await store.#order.open();
      return store;
    });
  }

  append(commits: readonly Commit[]): Promise<readonly AppendResult[]> {
    if (this.#dead) return Promise.reject(this.#dead);
    try {
      for (const commit of commits) assertWhole(commit);
    } catch (cause) {
      return Promise.reject(this.#die(cause));
    }
    return Promise.all(commits.map((commit) => this.#inserter.append(commit)));
  }

  async takeOver(commits: readonly PlacedCommit[]): Promise<void> {
    if (this.#dead) throw this.#dead;
    if (commits.length === 0) return;
    try {
      // Another process would number entries in between.
      await this.#mustBeAlone();
      await this.#takeOver(commits);
    } catch (cause) {
      throw cause instanceof StoreRefused ? cause : this.#die(cause);
    }
  }

  appendReceipts(receipts: readonly Receipt[]): Promise<void> {
    return this.#orDie(() => this.#records.appendReceipts(receipts));
  }

  putLocal(table: string, id: string, value: JsonObject, revision: number): Promise<boolean> {
    return this.#orDie(() => this.#records.putLocal(table, id, value, revision));
  }

  deleteLocal(table: string, id: string): Promise<boolean> {
    return this.#orDie(() => this.#records.deleteLocal(table, id));
  }

  rebuildSearch(rules: string, pages: AsyncIterable<readonly SearchEntry[]>): Promise<void> {
    const { search } = this.collections;
    return this.#orDie(async () => {
      await this.outage.retry(() => search.deleteOne({ _id: rulesId }));
      for await (const page of pages) await this.#projection.index(page, rules);
      await this.outage.retry(() => search.updateOne({ _id: rulesId }, { $set: { rules } }, { upsert: true }));
    });
  }

  rankOwners(ranks: readonly OwnerRank[]): Promise<void> {
    const { reputations } = this.collections;
    return this.#orDie(async () => {
      for (const { owner: _id, reputation } of ranks) {
        await this.outage.retry(() => reputations.updateOne({ _id }, { $set: { reputation } }, { upsert: true }));
      }
    });
  }

  /** Unknown: the server's operator monitors its disk. */
  async freeBytes(): Promise<undefined> {
    return undefined;
  }

  follow(listener: Listener): () => void {
    this.#ingest.listeners.add(listener);
    return () => this.#ingest.listeners.delete(listener);
  }

  /** Resolves when listeners were notified of everything that any process acknowledged before the call. */
  async catchUp(): Promise<void> {
    if (this.#dead) throw this.#dead;
    await this.#order.catchUp();
  }

  /** @throws StoreRefused if a live process has announced the same node, or settles on another chain */
  async announce(home: string, settlesOn: string): Promise<void> {
    const other = await this.#control.announce(home, settlesOn);
    if (other === undefined) return this.#order.succeed();
    const place = shownUrl(this.#database.url);
    throw new StoreRefused(
      other.home === home
        ? `another process works on ${place} as ${home}: give each process a data directory of its own (SVC_DATA_DIR)`
        : `another process works on ${place} (SVC_STORE) and settles on ${other.settlesOn}, and this one would settle on ${settlesOn}: ` +
            'all processes of one database settle on one chain; give each the same SVC_RPC_URL and SVC_CONTRACTS, or SVC_CHAIN=none',
    );
  }

  claimHome(did: string): Promise<string> {
    return this.#control.claimHome(did);
  }

  /**
   * For a move: verifies that no other process uses the database, then reads all numbered entries.
   * @throws StoreRefused if one does
   */
  async beAlone(): Promise<void> {
    await this.#mustBeAlone();
    await this.#order.asHolder(async () => {});
  }

  async #mustBeAlone(): Promise<void> {
    if (await this.#control.isAlone()) return;
    throw new StoreRefused(`another process works on ${shownUrl(this.#database.url)}: stop all nodes on it first`);
  }

  async holds(lease: string): Promise<number | undefined> {
    await this.#control.poll();
    return (await this.#control.take(lease)) ? this.#control.token(lease) : undefined;
  }

  async release(lease: string): Promise<void> {
    await this.#control.release(lease);
  }

  clocks(): Promise<readonly number[]> {
    return this.#control.clocks();
  }

  get skewMs(): number {
    return this.#control.skewMs;
  }

  tell(message: string): void {
    this.#notifications.tell(message);
  }

  hear(listener: (message: string) => void): void {
    this.#notifications.hear(listener);
  }

  get awayForMs(): number | undefined {
    return this.outage.forMs;
  }

  get silentForMs(): number {
    return this.outage.silentForMs;
  }

  giveUp(): void {
    if (this.outage.forMs !== undefined)
      this.#die(new StoreClosed('the store was closed before the database answered'));
  }

  protected override get projected(): number {
    return this.#ingest.known.seq;
  }

  protected override decided(entryHash: string): Promise<void> {
    return this.#order.whenDecided(entryHash);
  }

  stats(): StoreStats {
    const { entries, batches, lost } = this.#inserter.stats;
    const { rounds, numbered, contested, discarded } = this.#order.stats;
    const order = { rounds, numbered, contested, discarded, holds: this.#order.holds };
    return { entries, batches, lost, order, ...this.#database.stats, processes: this.#control.living + 1 };
  }

  get figures(): readonly Figure[] {
    return figuresOf(this);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#inserter.done();
    this.#dead ??= new StoreFault('the store is closed');
    await Promise.all([this.#order.stop(), this.#notifications.stop()]);
    try {
      if (this.outage.forMs === undefined) await this.#control.leave();
    } catch (error) {
      // Leases that were not released expire.
      if (!isPassing(error)) throw error;
    }
    await this.#database.close(this.#world);
  }

  async #orDie<T>(call: () => Promise<T>): Promise<T> {
    if (this.#dead) throw this.#dead;
    try {
      return await call();
    } catch (cause) {
      // The error comes from reading a page, so nothing was written.
      throw cause instanceof RefusedError ? cause : this.#die(cause);
    }
  }

  #die(cause: unknown): StoreFault {
    const why = messageOf(cause);
    const fault = cause instanceof StoreFault ? cause : new StoreFault(why, { cause });
    if (this.#dead) return this.#dead;
    this.#dead = fault;
    this.#sayLost(fault);
    this.outage.end();
    this.#inserter.fail(this.#dead);
    void this.#order.stop();
    void this.#notifications.stop();
    return this.#dead;
  }
}

/** Removes credentials from log messages, because the driver's errors may repeat the URL. */
function discreet({ url, log = () => {} }: MongoOptions): NonNullable<MongoOptions['log']> {
  const clean = (value: unknown) => (typeof value === 'string' ? withoutCredentials(value, url) : value);
  return (message, detail) =>
    log(message, Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, clean(value)])));
}

function assertWhole({ entry, snapshots }: Commit): void {
  const versions = new Set(entry.core.versions.map(({ kind, id, version }) => `${kind}/${id}@${version}`));
  const whole = snapshots.every(({ snapshot: s }) => versions.delete(`${s.kind}/${s.id}@${s.version}`));
  assert(whole && versions.size === 0, 'an entry has one snapshot for each version');
}
