/**
 * Rebuilds all documents that are derived from the journal, in place: first it corrects what entries and numbers
 * contain in addition to their texts and hashes, then it drops the projections, and opening the store writes them again
 * as after any crash. Each step may be repeated. Meanwhile this process is registered, numbers nothing, and holds the
 * lease under which others would.
 */

import type { JsonObject } from '../../core/canonical.js';
import { type Environment, pause } from '../../core/environment.js';
import { shownUrl } from '../../core/url-text.js';
import { derivedTables, type LocalRecord, type PlacedCommit, StoreRefused } from '../store.js';
import { batches, Commands } from './commands.js';
import { type Collections, connected, type Database, type MongoOptions } from './database.js';
import {
  type EntryDocument,
  type EntryWrite,
  type OrderDocument,
  type ReceiptDocument,
  systemId,
} from './documents.js';
import { entryDocument, jobOf } from './job.js';
import { MongoStore } from './mongo-store.js';
import { orderLease } from './order.js';
import { Outage } from './outage.js';
import { beatMs, ProcessRegistry } from './process-registry.js';
import { ReadOnlyClient } from './read-only-client.js';
import { RecordWrites, receiptOf } from './records.js';
import type { Update } from './search-documents.js';
import { orderOf } from './take-over.js';

const pageSize = 500;
/** Derived collections. The one with the position of the projection is last. */
const derived = ['search', 'reputations', 'resources', 'accounts'] as const;
/** The cursor of the reputations. Without it, the next start ranks all owners again. */
const ranked = { table: 'search', id: 'reputation' } as const;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

export class Rebuilding {
  readonly place: string;
  readonly #collections: Collections;
  readonly #commands: Commands;
  readonly #outage: Outage;
  readonly #control: ProcessRegistry;
  readonly #writes: RecordWrites;
  /** The resources after the newest corrected entry. */
  readonly #heads = new Map<string, EntryWrite>();
  #left = false;
  #living: Promise<void> = Promise.resolve();

  private constructor(
    private readonly options: MongoOptions,
    private readonly database: Database,
    private readonly world: Environment,
    /** Reads documents even if they are damaged. */
    readonly source: ReadOnlyClient,
  ) {
    this.place = shownUrl(options.url);
    this.#collections = database.collections();
    this.#commands = new Commands(
      () => database.db(),
      () => database.readConcern,
    );
    this.#outage = new Outage({ world, log: () => {} });
    const newId = () => Buffer.from(world.random(12)).toString('hex');
    this.#control = new ProcessRegistry(newId(), this.#collections, this.#commands, world, this.#outage);
    this.#writes = new RecordWrites(this.#collections, { outage: this.#outage, newWrite: newId });
  }

  /** @throws StoreRefused if there is no database of this program, or one that it can't read */
  static async open(options: MongoOptions): Promise<Rebuilding> {
    const source = await ReadOnlyClient.open(options);
    try {
      return await connected(options, async (database, world) => {
        const opened = new Rebuilding(options, database, world, source);
        await opened.#control.beat([], 0);
        return opened;
      });
    } catch (error) {
      await source.close();
      throw error;
    }
  }

  async beAlone(): Promise<void> {
    if (!(await this.#control.isAlone()))
      throw new StoreRefused(`another process works on ${this.place}: stop all nodes on it first`);
  }

  /** Keeps the heartbeat alive until `close`, and prevents others from numbering and projecting. */
  stay(): void {
    this.#living = this.#live().catch(() => {});
  }

  getLocal(table: string, id: string): Promise<LocalRecord | undefined> {
    return this.source.getLocal(table, id);
  }

  putLocal(table: string, id: string, value: JsonObject, revision: number): Promise<boolean> {
    return this.#writes.putLocal(table, id, value, revision);
  }

  deleteLocal(table: string, id: string): Promise<boolean> {
    return this.#writes.deleteLocal(table, id);
  }

  /**
   * Whether the journal has lost its newest entries. The position of the projections is stored twice: in the document
   * of the system accounts, and in the rows of signers. If both refer to an entry that has no number, entries are
   * missing.
   */
  async lostEnd(): Promise<string | undefined> {
    const { order, accounts } = this.#collections;
    const newest = () => order.find({}).sort({ _id: -1 }).limit(1).toArray();
    const [last] = await this.#outage.retry(newest);
    const beyond = { seq: { $gt: last?._id ?? 0 } };
    const counted = (query: object) => this.#outage.retry(() => accounts.countDocuments({ ...query, ...beyond }));
    const [system, rows] = [await counted({ _id: systemId }), await counted({ _id: { $ne: systemId } })];
    return system > 0 && rows > 0
      ? `the journal ends at ${last?._id ?? 0}, and balances are those of a later entry`
      : undefined;
  }

  /** Corrects what these entries contain in addition to their texts: keys, tags, and the resources after them. */
  async takeOver(commits: readonly PlacedCommit[]): Promise<void> {
    const query = { $in: commits.map(({ entry }) => entry.entryHash) };
    const { entries, order } = this.#collections;
    const [documents, places] = await Promise.all([
      this.#outage.retry(() => entries.find({ _id: query }, { projection: { keys: 1, writes: 1 } }).toArray()),
      this.#outage.retry(() => order.find({ entry: query }).toArray()),
    ]);
    const stored = new Map(documents.map((document) => [document._id, document]));
    const numbered = new Map(places.map((place) => [place._id, place]));
    const wrong: { readonly entries: Update[]; readonly order: Update[] } = { entries: [], order: [] };
    for (const commit of commits) {
      const { keys, writes, _id: hash } = this.#documentOf(commit);
      const found: Pick<EntryDocument, 'keys' | 'writes'> | undefined = stored.get(hash);
      if (!same([found?.keys, found?.writes], [keys, writes])) wrong.entries.push(setting(hash, { keys, writes }));
      const { _id: seq, event, tags, touches } = orderOf(commit, 0);
      const place: OrderDocument | undefined = numbered.get(seq);
      if (!same([place?.event, place?.tags, place?.touches], [event, tags, touches]))
        wrong.order.push(setting(seq, { event, tags, touches }));
    }
    await this.#update('entries', wrong.entries);
    await this.#update('order', wrong.order);
  }

  async repairReceipts(): Promise<void> {
    for (let after = 0; ; ) {
      const page = this.#collections.receipts
        .find({ _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(pageSize);
      const found: ReceiptDocument[] = await this.#outage.retry(() => page.clone().toArray());
      const wrong = found.flatMap((document) => {
        const { entryHash: entry, txHash: tx } = receiptOf(document);
        return same([document.entry, document.tx], [entry, tx]) ? [] : [setting(document._id, { entry, tx })];
      });
      await this.#update('receipts', wrong);
      if (found.length < pageSize) return;
      after = found.at(-1)!._id;
    }
  }

  /** Drops everything that is derived from the journal. */
  async drop(): Promise<void> {
    await this.#writes.deleteLocal(ranked.table, ranked.id);
    await this.#outage.retry(() => this.#collections.local.deleteMany({ table: { $in: [...derivedTables] } }));
    for (const name of derived) {
      await this.#outage.retry(async () => {
        const db = this.database.db();
        // Lists the collections first, because servers differ in their errors for a missing one.
        const there = await db.listCollections({}, { nameOnly: true }).toArray();
        if (there.some((collection) => collection.name === name)) await db.dropCollection(name);
      });
    }
  }

  /**
   * Opens the store, which writes its projections from the first entry on.
   * @param progress called with the number of the last projected entry
   */
  async project(progress: (seq: number) => void): Promise<MongoStore> {
    await this.#leave();
    const store = await MongoStore.open(this.options);
    let isWritten = false;
    const all = store.beAlone().finally(() => {
      isWritten = true;
    });
    const watching = (async () => {
      for (; !isWritten; await pause(this.world, beatMs)) progress((await store.head()).seq);
    })().catch(() => {});
    try {
      await all;
      await watching;
      return store;
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  async close(): Promise<void> {
    await this.#leave().catch(() => {});
    await Promise.all([this.database.close(this.world), this.source.close()]);
  }

  async #leave(): Promise<void> {
    if (this.#left) return;
    this.#left = true;
    await this.#living;
    await this.#control.leave();
  }

  async #live(): Promise<void> {
    while (!this.#left) {
      await this.#control.beat([], 0);
      await this.#control.poll();
      await this.#control.take(orderLease);
      await pause(this.world, beatMs);
    }
  }

  #documentOf(commit: PlacedCommit): EntryDocument {
    const job = jobOf(commit, { resolve() {}, reject() {} });
    const heads = { head: (resource: string) => this.#heads.get(resource) };
    const document = entryDocument(job, heads, { process: '', nth: 0 });
    for (const write of document.writes) this.#heads.set(write._id, { ...write, body: '' });
    return document;
  }

  async #update(collection: keyof Collections, updates: readonly Update[]): Promise<void> {
    for (const batch of batches([...updates])) {
      await this.#outage.retry(() => this.#commands.write({ update: collection, updates: batch, ordered: false }));
    }
  }
}

const setting = (_id: string | number, $set: object): Update => ({ q: { _id }, u: { $set }, upsert: false });
