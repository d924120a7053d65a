/**
 * The store on a server that speaks MongoDB's protocol; several processes may share one database
 * (docs/decisions/0005-mongo-order.md). An append is answered when its entries are durable, numbered, and what follows
 * from them can be read by everybody.
 */

import type { JsonObject } from '../../machines/kernel/canonical.js';
import { assert } from '../../machines/kernel/refusal.js';
import { realWorld, type World } from '../../world.js';
import type { Receipt } from '../entry.js';
import { damaged } from '../journal-end.js';
import type { OwnerRank, SearchEntry } from '../search/search.js';
import {
  type AppendResult,
  type Commit,
  type Figure,
  mustContinue,
  type PlacedCommit,
  type SharedStore,
  type Store,
  StoreFault,
  StoreRefused,
} from '../store.js';
import { Away, isPassing } from './away.js';
import { Commands } from './commands.js';
import { Contents } from './contents.js';
import { Control } from './control.js';
import { createIndexes, Database } from './database.js';
import { figuresOf, type StoreStats } from './figures.js';
import { Inserter } from './inserter.js';
import { Intake, type Listener } from './intake.js';
import { flawOfEnd } from './journal-end.js';
import { Ledger } from './ledger.js';
import { claimDatabase } from './meta.js';
import { MongoReader } from './mongo-reader.js';
import { News } from './news.js';
import { Order } from './order.js';
import { Projection } from './projection.js';
import { RecordWrites } from './records.js';
import { rulesId } from './search-documents.js';
import { durabilityOf, probe } from './server-probe.js';
import { takeOver } from './take-over.js';
import { placeOf, withoutCredentials } from './url.js';

export interface MongoOptions {
  /** `mongodb://` or `mongodb+srv://`; its database, or `svc`, with `-<network>` behind it, is the one that is used. */
  readonly url: string;
  readonly network: string;
  readonly world?: World;
  readonly log?: (message: string, detail: object) => void;
  /** How long the server may be away until an append fails, and the process with it. */
  readonly outageMs?: number;
}

const defaultOutageMs = 30_000;

export class MongoStore extends MongoReader implements Store {
  readonly kind = 'mongodb';
  readonly exclusive = false;
  readonly shared: SharedStore = this;
  readonly lost: Promise<StoreFault>;
  readonly durability: string;
  readonly #database: Database;
  readonly #world: World;
  readonly #control: Control;
  readonly #inserter: Inserter;
  readonly #intake: Intake;
  readonly #order: Order;
  readonly #records: RecordWrites;
  readonly #news: News;
  readonly #projection: Projection;
  readonly #takeOver: (commits: readonly PlacedCommit[]) => Promise<void>;
  #dead: StoreFault | undefined;
  #sayLost!: (fault: StoreFault) => void;
  #closing: Promise<void> | undefined;

  private constructor(database: Database, options: MongoOptions) {
    const { world = realWorld, outageMs = defaultOutageMs } = options;
    const log = discreet(options);
    const collections = database.collections();
    const away = new Away({ world, outageMs, log, renew: () => database.renew() });
    super(collections, away);
    const newId = () => Buffer.from(world.random(12)).toString('hex');
    const process = newId();
    this.#database = database;
    this.#world = world;
    this.lost = new Promise((resolve) => {
      this.#sayLost = resolve;
    });
    this.durability = durabilityOf(database.topology);
    const ledger = new Ledger(collections, away);
    const onFault = (cause: unknown) => this.#die(cause);
    const commands = new Commands(
      () => database.db(),
      () => database.readConcern,
    );
    const projection = new Projection(commands, away);
    this.#projection = projection;
    this.#control = new Control(process, collections, commands, world, away);
    this.#news = new News({ collections, control: this.#control, away, world, onFault });
    this.#records = new RecordWrites(collections, { away, newWrite: newId });
    const { entries } = collections;
    const contents = new Contents(collections.contents, away);
    this.#inserter = new Inserter({
      entries,
      commands,
      contents,
      process,
      ledger,
      away,
      world,
      outageMs,
      log,
      onFault,
    });
    this.#intake = new Intake({ collections, commands, ledger, projection, inserter: this.#inserter, away });
    this.#order = new Order({
      collections,
      commands,
      control: this.#control,
      ledger,
      intake: this.#intake,
      inserter: this.#inserter,
      away,
      world,
      log,
      onFault,
    });
    this.#inserter.follower = this.#order;
    this.#takeOver = (commits) =>
      this.#order.asHolder(async (token) => {
        const { seq, chainHash } = this.#intake.known;
        mustContinue({ seq, chainHash }, commits);
        await contents.put(commits);
        await takeOver(commits, { collections, ledger, intake: this.#intake, away, token });
      });
  }

  /** Throws StoreRefused where the server can't be reached, lacks a guarantee, or holds something else. */
  static async open(options: MongoOptions): Promise<MongoStore> {
    const { url, network, world = realWorld } = options;
    const database = new Database(url, network);
    try {
      await database.connect();
      await database.chooseReadConcern();
      await probe(database.db(), `probe-${Buffer.from(world.random(6)).toString('hex')}`);
      await claimDatabase(database.db(), network);
      await createIndexes(database.collections());
      const flaw = await flawOfEnd(database.collections(), world);
      if (flaw !== undefined) throw damaged(flaw);
      const store = new MongoStore(database, options);
      await store.#order.open();
      return store;
    } catch (error) {
      await database.close(world);
      if (error instanceof StoreRefused) throw error;
      const why = withoutCredentials(error instanceof Error ? error.message : String(error), url);
      throw new StoreRefused(`the database at ${placeOf(url)} can't be opened: ${why}`);
    }
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
      await this.away.insist(() => search.deleteOne({ _id: rulesId }));
      for await (const page of pages) await this.#projection.index(page, rules);
      await this.away.insist(() => search.updateOne({ _id: rulesId }, { $set: { rules } }, { upsert: true }));
    });
  }

  rankOwners(ranks: readonly OwnerRank[]): Promise<void> {
    const { reputations } = this.collections;
    return this.#orDie(async () => {
      for (const { owner: _id, reputation } of ranks) {
        await this.away.insist(() => reputations.updateOne({ _id }, { $set: { reputation } }, { upsert: true }));
      }
    });
  }

  /** The server's disk is its operator's to watch. */
  async freeBytes(): Promise<undefined> {
    return undefined;
  }

  /** Tells of each entry of another process, in order, when what follows from it can be read. */
  follow(listener: Listener): () => void {
    this.#intake.listeners.add(listener);
    return () => this.#intake.listeners.delete(listener);
  }

  /** Resolves when listeners were told of all that was acknowledged anywhere before the call. */
  async catchUp(): Promise<void> {
    if (this.#dead) throw this.#dead;
    await this.#order.catchUp();
  }

  /** Throws StoreRefused where a living process has announced the same node, or settles on something else. */
  async announce(home: string, settlesOn: string): Promise<void> {
    const other = await this.#control.announce(home, settlesOn);
    if (other === undefined) return this.#order.succeed();
    const place = placeOf(this.#database.url);
    throw new StoreRefused(
      other.home === home
        ? `another process works on ${place} as ${home}: give each process a data directory of its own`
        : `another process works on ${place} and settles on ${other.settlesOn}, and this one would settle on ${settlesOn}: ` +
            'all processes of one database settle on one chain; give each the same SVC_RPC_URL and SVC_CONTRACTS, or SVC_CHAIN=none',
    );
  }

  /** For a move: throws StoreRefused while another process works on this database; then all that has a number is read. */
  async beAlone(): Promise<void> {
    if (!(await this.#control.isAlone())) {
      throw new StoreRefused(`another process works on ${placeOf(this.#database.url)}: stop all nodes on it first`);
    }
    await this.#order.asHolder(async () => {});
  }

  async holds(lease: string): Promise<number | undefined> {
    await this.#control.poll();
    return (await this.#control.take(lease)) ? this.#control.token(lease) : undefined;
  }

  get skewMs(): number {
    return this.#control.skewMs;
  }

  tell(news: string): void {
    this.#news.tell(news);
  }

  hear(listener: (news: string) => void): void {
    this.#news.hear(listener);
  }

  /** Milliseconds for which the server has not answered; undefined while it does. */
  get awayForMs(): number | undefined {
    return this.away.forMs;
  }

  protected override get projected(): number {
    return this.#intake.known.seq;
  }

  protected override decided(entryHash: string): Promise<void> {
    return this.#order.whenDecided(entryHash);
  }

  /** Counts since it was opened. */
  stats(): StoreStats {
    const { entries, batches, lost } = this.#inserter.stats;
    const { rounds, numbered, contested, discarded } = this.#order.stats;
    const order = { rounds, numbered, contested, discarded, holds: this.#order.holds };
    return { entries, batches, lost, order, ...this.#database.stats, processes: this.#control.living + 1 };
  }

  get figures(): readonly Figure[] {
    return figuresOf(this);
  }

  /** Waits for what was asked before, then leaves the database. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#inserter.done();
    this.#dead ??= new StoreFault('the store is closed');
    await Promise.all([this.#order.stop(), this.#news.stop()]);
    try {
      if (this.away.forMs === undefined) await this.#control.leave();
    } catch (error) {
      // Its leases pass on by themselves.
      if (!isPassing(error)) throw error;
    }
    await this.#database.close(this.#world);
  }

  async #orDie<T>(call: () => Promise<T>): Promise<T> {
    if (this.#dead) throw this.#dead;
    try {
      return await call();
    } catch (cause) {
      throw this.#die(cause);
    }
  }

  #die(cause: unknown): StoreFault {
    const why = cause instanceof Error ? cause.message : String(cause);
    const fault = cause instanceof StoreFault ? cause : new StoreFault(why, { cause });
    if (this.#dead) return this.#dead;
    this.#dead = fault;
    this.#sayLost(fault);
    this.away.end();
    this.#inserter.fail(this.#dead);
    void this.#order.stop();
    void this.#news.stop();
    return this.#dead;
  }
}

/** The driver's words may repeat the URL. */
function discreet({ url, log = () => {} }: MongoOptions): NonNullable<MongoOptions['log']> {
  const clean = (value: unknown) => (typeof value === 'string' ? withoutCredentials(value, url) : value);
  return (message, detail) =>
    log(message, Object.fromEntries(Object.entries(detail).map(([name, value]) => [name, clean(value)])));
}

/** An entry brings the snapshot of each resource that it names. */
function assertWhole({ entry, snapshots }: Commit): void {
  const versions = new Set(entry.core.versions.map(({ kind, id, version }) => `${kind}/${id}@${version}`));
  const whole = snapshots.every(({ snapshot: s }) => versions.delete(`${s.kind}/${s.id}@${s.version}`));
  assert(whole && versions.size === 0, 'an entry has one snapshot for each version');
}
