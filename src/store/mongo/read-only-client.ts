/**
 * A read-only client for an audit: it writes nothing, holds no lease, and nodes do not notice it. It also reads texts
 * that are no longer valid JSON, and checks the index columns.
 */

import { canonical } from '../../core/canonical.js';
import type { Environment } from '../../core/environment.js';
import { entryEvenIfDamaged, keysOf, type NumberedEntry, type NumberedReceipt } from '../entry.js';
import type { EventQuery, FoundBy, Inspection, Snapshot } from '../store.js';
import { connected, type Database, type MongoOptions } from './database.js';
import {
  type EntryDocument,
  listFields,
  type OrderDocument,
  type ReceiptDocument,
  type ResourceDocument,
  snapshotInDocument,
  systemId,
  tagsOf,
  touchesOf,
} from './documents.js';
import { Tallies, violationOfSearchDocuments } from './inspection.js';
import { mustBeOurs } from './meta.js';
import { MongoReader } from './mongo-reader.js';
import { Outage } from './outage.js';
import { receiptOf } from './records.js';
import { rulesId, type SearchDocument } from './search-documents.js';

export class ReadOnlyClient extends MongoReader {
  readonly #database: Database;
  readonly #world: Environment;
  /** What was read of the entries that are still to be inspected. */
  readonly #read = new Map<number, { readonly order: OrderDocument; readonly document: EntryDocument | undefined }>();
  readonly #resources = new Map<string, ResourceDocument>();
  #receipts = new Map<number, ReceiptDocument>();
  readonly #tallies = new Tallies();

  private constructor(database: Database, world: Environment) {
    super(database.collections(), new Outage({ world, log: () => {} }));
    this.#database = database;
    this.#world = world;
  }

  /** @throws StoreRefused if there is no database of this program, or one that it can't read */
  static open(options: MongoOptions): Promise<ReadOnlyClient> {
    return connected(options, async (database, world) => {
      await mustBeOurs(database.db(), options.network);
      return new ReadOnlyClient(database, world);
    });
  }

  override async entries({ after, limit }: EventQuery): Promise<readonly NumberedEntry[]> {
    const { order, entries } = this.collections;
    const query = { _id: { $gt: after } };
    const places = await this.outage.read(() => order.find(query).sort({ _id: 1 }).limit(limit).toArray());
    const hashes = places.map(({ entry }) => entry);
    const found = await this.outage.read(() => entries.find({ _id: { $in: hashes } }).toArray());
    const byHash = new Map(found.map((document) => [document._id, document]));
    for (const order of places) this.#read.set(order._id, { order, document: byHash.get(order.entry) });
    return places.map(({ _id: seq, entry, prev, chain }) => {
      const { core = '', payload = '' } = byHash.get(entry) ?? {};
      return { ...entryEvenIfDamaged(core, payload, entry), seq, prevEntry: prev, chainHash: chain };
    });
  }

  override async load(kind: string, id: string): Promise<Snapshot | undefined> {
    const _id = `${kind}/${id}`;
    const found = await this.outage.read(() => this.collections.resources.findOne({ _id: { $in: [_id] } }));
    if (found) this.#resources.set(_id, found);
    return found ? snapshotInDocument(found) : undefined;
  }

  override async receipts(after: number, limit: number): Promise<readonly NumberedReceipt[]> {
    const page = this.collections.receipts
      .find({ _id: { $gt: after } })
      .sort({ _id: 1 })
      .limit(limit);
    const found = await this.outage.read(() => page.toArray());
    this.#receipts = new Map(found.map((document) => [document._id, document]));
    return found.map(receiptOf);
  }

  /** Pages of the search index by id, without the document of its rules. */
  async *#searchDocuments(): AsyncGenerator<readonly SearchDocument[]> {
    const strangers = this.collections.search.find({ _id: { $not: { $type: 'string' } } }).limit(1);
    yield (await this.outage.read(() => strangers.toArray())) as SearchDocument[];
    for (let after = ''; ; ) {
      const page = this.collections.search
        .find({ _id: { $gt: after } })
        .sort({ _id: 1 })
        .limit(searchedAtOnce);
      const found = await this.outage.read(() => page.toArray());
      yield found.filter((document): document is SearchDocument => document._id !== rulesId);
      if (found.length < searchedAtOnce) return;
      after = found.at(-1)!._id;
    }
  }

  readonly inspection: Inspection = {
    violationOfEntry: (entry, left) => {
      const { order, document } = this.#read.get(entry.seq) ?? {};
      this.#read.delete(entry.seq);
      if (!document || !order) return 'the database has its number only';
      this.#tallies.saw(entry);
      return violationOfPlace(entry, order, document) ?? violationOfWrites(document, left);
    },
    violationOfKnown: (entry) => {
      this.#read.delete(entry.seq);
      this.#tallies.saw(entry);
      return undefined;
    },
    violationOfResource: (kind, id, foundBy) => {
      const found = this.#resources.get(`${kind}/${id}`);
      this.#resources.delete(`${kind}/${id}`);
      return found && violationOfColumns(found, foundBy);
    },
    violationOfReceipt: ({ number, entryHash, txHash }) => {
      const { entry, tx } = this.#receipts.get(number) ?? {};
      if (entry !== entryHash) return `the store has receipt ${number} under another entry`;
      return tx === txHash ? undefined : `the store has receipt ${number} under another transaction`;
    },
    violationOfSearch: (count, searched) => violationOfSearchDocuments(this.#searchDocuments(), count, searched, this),
    violationOfCounts: async (resources, accounts) => {
      const stored = await this.outage.read(() => this.collections.resources.countDocuments({}));
      if (stored !== resources) return `the store has ${stored} resources, and the journal gives ${resources}`;
      const rows = await this.outage.read(() => this.collections.accounts.countDocuments({ _id: { $ne: systemId } }));
      if (rows !== accounts) return `the store has ${rows} accounts, and the journal gives ${accounts}`;
      return this.outage.read(() => this.#tallies.violationOf(this.collections.accounts));
    },
  };

  close(): Promise<void> {
    return this.#database.close(this.#world);
  }
}

const searchedAtOnce = 200;

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);

function violationOfPlace({ core }: NumberedEntry, order: OrderDocument, document: EntryDocument): string | undefined {
  const touches = touchesOf(core.moves);
  if (order.event !== core.event.hash) return 'the store finds it under another event hash';
  if (!same(order.touches, touches)) return 'the histories do not show it as it is';
  if (!same([...order.tags].sort(), tagsOf(core, touches).sort())) return 'the store finds it under other tags';
  return same(document.keys, keysOf(core)) ? undefined : 'it holds other keys than its own';
}

/** Checks the stored resources, which are used to answer a repeated request. */
function violationOfWrites({ writes }: EntryDocument, left: readonly Snapshot[]): string | undefined {
  const kept = Array.isArray(writes) ? writes.map((write) => canonical(snapshotInDocument(write))) : [];
  return same(kept, left.map(canonical)) ? undefined : 'the reply kept for its Idempotency-Key is not the one given';
}

/** In a damaged document this may be no list. */
const sorted = (labels: unknown): unknown => (Array.isArray(labels) ? [...labels].sort() : labels);

function violationOfColumns(found: ResourceDocument, { alarm, labels }: FoundBy): string | undefined {
  const { kind, id, version, state, lastHash, createdAt } = snapshotInDocument(found);
  const name = `${kind}/${id}`;
  const rings = found.alarm && [found.alarm.at, found.alarm.action];
  if (!same(rings, alarm && [alarm.at, alarm.action])) return `the alarm of ${name} is not what its state asks for`;
  if (!same(sorted(found.labels), sorted([...new Set(labels)]))) return `lists do not find ${name} under its labels`;
  const columns = [
    found._id,
    found.kind,
    found.id,
    found.version,
    found.state,
    found.lastHash,
    found.createdAt,
    found.updatedAt,
    found.amount,
  ];
  const { updatedAt, amount } = listFields(found);
  return same(columns, [name, kind, id, version, state, lastHash, createdAt, updatedAt, amount])
    ? undefined
    : `the store finds ${name} under what it is not`;
}
