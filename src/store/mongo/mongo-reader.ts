/** The reading side. Every list is one query on an index that ends in its order, and its count. */
import type { Document, Filter } from 'mongodb';
import { feeAccount, supplyAccount } from '../../machines/kernel/ledger.js';
import type { HistoryType } from '../../machines/kernel/posting.js';
import { idemKeys, type NumberedEntry, type NumberedReceipt, noHash } from '../entry.js';
import { placeAfter, type SearchQuery, type SearchResult, searchCursor, sortOf } from '../search/search.js';
import {
  type Account,
  type Alarm,
  cursorOf,
  type EventQuery,
  type FindQuery,
  type Head,
  type HistoryItem,
  type Listing,
  type LocalRecord,
  type Page,
  positionOf,
  type Selection,
  type Snapshot,
  type StoreReader,
} from '../store.js';
import type { Away } from './away.js';
import type { Collections } from './database.js';
import {
  type AccountDocument,
  alarmOf,
  type EntryDocument,
  historyTypes,
  houseId,
  numberedEntry,
  type OrderDocument,
  type ResourceDocument,
  snapshotOf,
  tagOf,
} from './documents.js';
import { Grouped } from './grouped.js';
import { RecordReads } from './records.js';
import { rulesId } from './search-documents.js';
import { countPipeline, countsOf, type Found, pagePipeline, placeOf } from './search-reads.js';

type Cut = {
  readonly limit: number;
  readonly offset: number;
  readonly start: readonly (string | number)[] | undefined;
};

const cutOf = ({ limit, offset, after }: Page, shape: readonly ('string' | 'number')[]): Cut =>
  after === undefined ? { limit, offset, start: undefined } : { limit, offset: 0, start: positionOf(after, shape) };

export class MongoReader implements StoreReader {
  readonly #snapshots: Grouped<Snapshot>;
  readonly #accounts: Grouped<Account>;
  readonly #claims: Grouped<EntryDocument>;
  readonly #records: RecordReads;

  constructor(
    protected readonly collections: Collections,
    protected readonly away: Away,
  ) {
    this.#records = new RecordReads(collections, away);
    this.#snapshots = new Grouped((ids) => this.#readSnapshots(ids));
    this.#accounts = new Grouped((dids) => this.#readAccounts(dids));
    this.#claims = new Grouped((keys) => this.#readClaims(keys));
  }

  load(kind: string, id: string): Promise<Snapshot | undefined> {
    return this.#snapshots.get(`${kind}/${id}`);
  }

  account(did: string): Promise<Account | undefined> {
    return this.#accounts.get(did);
  }

  async totals() {
    const { accounts } = this.collections;
    const sum = (name: string) => ({ $sum: `$${name}` });
    const sums = { _id: null, available: sum('available'), reserved: sum('reserved'), escrowed: sum('escrowed') };
    const ofDids = { $match: { _id: { $ne: houseId } } };
    const [[found], house] = await this.away.read(() =>
      Promise.all([accounts.aggregate([ofDids, { $group: sums }]).toArray(), accounts.findOne({ _id: houseId })]),
    );
    const { available = 0, reserved = 0, escrowed = 0 } = found ?? {};
    const { supply = 0, fees = 0 } = house && 'supply' in house ? house : {};
    return { supply: 0 - supply, fees, available, reserved, escrowed };
  }

  async accounts(page: Page): Promise<Listing<Account>> {
    const { limit, offset, start } = cutOf(page, ['number', 'string']);
    const ofDids = { _id: { $nin: [houseId, supplyAccount, feeAccount] } };
    const [balance, did] = (start ?? []) as [number, string];
    const before = { $or: [{ balance: { $lt: balance } }, { balance: { $in: [balance] }, _id: { $lt: did } }] };
    const { accounts } = this.collections;
    const [found, total] = await this.away.read(() =>
      Promise.all([
        accounts
          .aggregate<AccountDocument>([
            { $match: ofDids },
            { $addFields: { balance: { $add: ['$available', '$reserved', '$escrowed'] } } },
            ...(start ? [{ $match: before }] : []),
            { $sort: { balance: -1, _id: -1 } },
            { $skip: offset },
            { $limit: limit + 1 },
            { $project: { balance: 0 } },
          ])
          .toArray(),
        accounts.countDocuments(ofDids),
      ]),
    );
    return listing(found, {
      ...{ total, limit, item: accountOf },
      position: ({ _id, available, reserved, escrowed }) => [available + reserved + escrowed, _id],
    });
  }

  async find({ page, also = [], ...first }: FindQuery): Promise<Listing<Snapshot>> {
    const { limit, offset, start } = cutOf(page, ['number', 'string']);
    const matching = also.length === 0 ? selected(first) : { $or: [first, ...also].map(selected) };
    const [createdAt, id] = (start ?? []) as [number, string];
    const before = { $or: [{ createdAt: { $lt: createdAt } }, { createdAt: { $in: [createdAt] }, id: { $lt: id } }] };
    const { resources } = this.collections;
    const [found, total] = await this.away.read(() =>
      Promise.all([
        resources
          .find(start ? { $and: [matching, before] } : matching)
          .sort({ createdAt: -1, id: -1 })
          .skip(offset)
          .limit(limit + 1)
          .toArray(),
        resources.countDocuments(matching),
      ]),
    );
    return listing(found, { total, limit, item: snapshotOf, position: (r) => [r.createdAt, r.id] });
  }

  async history(did: string, type: HistoryType | undefined, page: Page): Promise<Listing<HistoryItem>> {
    const { limit, offset, start } = cutOf(page, ['number', 'number', 'number']);
    const wanted = type === undefined ? historyTypes : [type];
    const row = await this.away.read(() => this.collections.accounts.findOne({ _id: { $in: [did] } }));
    const touches = await this.away.read(() =>
      this.collections.order
        .aggregate<TouchRow>([
          // What came after this row's entry is not projected yet.
          { $match: { tags: tagged(did, type), _id: { $lte: (start?.[0] as number) ?? row?.seq ?? 0 } } },
          { $sort: { _id: -1 } },
          { $project: { entry: 1, prev: 1, chain: 1, touches: 1 } },
          { $unwind: '$touches' },
          { $match: touching(did, wanted, start as readonly number[] | undefined) },
          { $skip: offset },
          { $limit: limit + 1 },
        ])
        .toArray(),
    );
    const total = row ? wanted.reduce((sum, name) => sum + (row as AccountDocument)[name], 0) : 0;
    const entries = await this.#entriesOf(touches);
    return listing(touches, {
      total,
      limit,
      item: (touch): HistoryItem => {
        const entry = entries.get(touch._id)!;
        return { type: historyTypes[touch.touches.type]!, move: entry.core.moves[touch.touches.move]!, entry };
      },
      position: ({ _id, touches: { move, type: number } }) => [_id, move, number],
    });
  }

  async entries({ after, limit, issuer, resource, type }: EventQuery): Promise<readonly NumberedEntry[]> {
    const tags: string[] = [];
    if (issuer !== undefined) tags.push(tagOf.issuer(issuer));
    if (type !== undefined) tags.push(tagOf.type(type));
    if (resource !== undefined) tags.push(tagOf.resource(resource));
    const query = tags.length > 0 ? { tags: { $all: tags }, _id: { $gt: after } } : { _id: { $gt: after } };
    const page = this.collections.order.find(query, { projection: placeOnly }).sort({ _id: 1 }).limit(limit);
    const places = await this.#visible(await this.away.read(() => page.toArray()));
    const entries = await this.#entriesOf(places);
    return places.map(({ _id }) => entries.get(_id)!);
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    const { search } = this.collections;
    const after = placeAfter(query);
    const [found, [counted]] = await this.away.read(() =>
      Promise.all([
        search.aggregate<Found>(pagePipeline(query, after)).toArray(),
        search.aggregate(countPipeline(query)).toArray(),
      ]),
    );
    const page = found.slice(0, query.page.limit);
    const items = await Promise.all(page.map(({ kind, _id }) => this.load(kind, _id)));
    const last = found.length > page.length ? page.at(-1) : undefined;
    return {
      items: items.filter((item) => item !== undefined),
      next: last ? searchCursor(sortOf(query), placeOf(last)) : null,
      ...countsOf(query, counted),
    };
  }

  async searchRules(): Promise<string | undefined> {
    const found = await this.away.read(() => this.collections.search.findOne({ _id: rulesId }));
    return found && 'rules' in found ? found.rules : undefined;
  }

  async entryByEvent(eventHash: string): Promise<NumberedEntry | undefined> {
    return this.#numbered({ event: { $in: [eventHash] } });
  }

  async recall(principal: string, key: string, now: number): ReturnType<StoreReader['recall']> {
    const document = await this.#claims.get(idemKeys(principal, key, now)[0]);
    if (!document) return undefined;
    const entry =
      (await this.#numbered({ entry: { $in: [document._id] } })) ?? (await this.#soonNumbered(document._id));
    return entry && { record: entry.core.idem!, entry, snapshots: document.writes.map(snapshotOf) };
  }

  /** Everything up to this number can be read, as far as is known without asking. */
  protected get projected(): number {
    return 0;
  }

  /** Resolves once it is decided whether an entry that is in the database will have a number, and what follows can be read. */
  protected async decided(_entryHash: string): Promise<void> {}

  /** Who asks again with a known key is told of it when it can be read, and not that nothing is known. */
  async #soonNumbered(entryHash: string): Promise<NumberedEntry | undefined> {
    await this.decided(entryHash);
    return this.#numbered({ entry: { $in: [entryHash] } });
  }

  /** Numbers come before what follows from them: those that are not projected yet are not shown. */
  async #visible<P extends { readonly _id: number }>(places: readonly P[]): Promise<readonly P[]> {
    if ((places.at(-1)?._id ?? 0) <= this.projected) return places;
    const { seq } = await this.head();
    return places.filter(({ _id }) => _id <= seq);
  }

  async due(before: number, limit: number): Promise<readonly Alarm[]> {
    const earliest = { 'alarm.at': 1, kind: 1, id: 1 } as const;
    const found = this.collections.resources
      .find({ 'alarm.at': { $lte: before } })
      .sort(earliest)
      .limit(limit);
    return (await this.away.read(() => found.toArray())).map(alarmOf);
  }

  async head(): Promise<Head> {
    const house = await this.away.read(() => this.collections.accounts.findOne({ _id: houseId }));
    return house && 'chain' in house ? { seq: house.seq, chainHash: house.chain } : { seq: 0, chainHash: noHash };
  }

  async census() {
    const groups = { $group: { _id: { kind: '$kind', state: '$state' }, count: { $sum: 1 } } };
    const found = await this.away.read(() => this.collections.resources.aggregate([groups]).toArray());
    const lines = found.map(({ _id, count }) => ({ kind: String(_id.kind), state: String(_id.state), count }));
    return lines.sort((a, b) => ((a.kind === b.kind ? a.state < b.state : a.kind < b.kind) ? -1 : 1));
  }

  receipt(entryHash: string): Promise<NumberedReceipt | undefined> {
    return this.#records.receipt(entryHash);
  }

  receipts(after: number, limit: number): Promise<readonly NumberedReceipt[]> {
    return this.#records.receipts(after, limit);
  }

  receiptsOf(txHash: string): Promise<readonly NumberedReceipt[]> {
    return this.#records.receiptsOf(txHash);
  }

  content(hash: string): Promise<Uint8Array | undefined> {
    return this.#records.content(hash);
  }

  contentsOf(entryHashes: readonly string[]) {
    return this.#records.contentsOf(entryHashes);
  }

  getLocal(table: string, id: string): Promise<LocalRecord | undefined> {
    return this.#records.getLocal(table, id);
  }

  listLocal(table: string): Promise<readonly LocalRecord[]> {
    return this.#records.listLocal(table);
  }

  localTables(): Promise<readonly string[]> {
    return this.#records.localTables();
  }

  async #readSnapshots(ids: string[]) {
    const query = { _id: { $in: ids } };
    const { resources } = this.collections;
    const found = await this.away.read(() => resources.find(query, { projection: { body: 1 } }).toArray());
    return new Map(found.map((document) => [document._id, snapshotOf(document)]));
  }

  async #readAccounts(dids: string[]) {
    const query = { _id: { $in: dids.filter((did) => did !== houseId) } };
    const found = await this.away.read(() => this.collections.accounts.find(query).toArray());
    return new Map(found.map((row) => [row._id, accountOf(row as AccountDocument)]));
  }

  async #readClaims(keys: string[]) {
    const found = await this.away.read(() => this.collections.entries.find({ keys: { $in: keys } }).toArray());
    return new Map(found.flatMap((document) => document.keys.map((key) => [key, document] as const)));
  }

  async #numbered(query: Filter<OrderDocument>): Promise<NumberedEntry | undefined> {
    const found = await this.away.read(() => this.collections.order.findOne(query, { projection: placeOnly }));
    if (!found) return undefined;
    // Whoever asks may have seen what it left already: that is written just before.
    if ((await this.#visible([found])).length === 0) await this.decided(found.entry);
    const [place] = await this.#visible([found]);
    return place && (await this.#entriesOf([place])).get(place._id);
  }

  /** The entries of these places, by number. */
  async #entriesOf(places: readonly Place[]): Promise<ReadonlyMap<number, NumberedEntry>> {
    const query = { _id: { $in: [...new Set(places.map(({ entry }) => entry))] } };
    if (places.length === 0) return new Map();
    const found = await this.away.read(() =>
      this.collections.entries.find(query, { projection: { writes: 0 } }).toArray(),
    );
    const byHash = new Map(found.map((document) => [document._id, document]));
    return new Map(places.map((place) => [place._id, numberedEntry(byHash.get(place.entry)!, place)]));
  }
}

const selected = ({ kind, anyLabel = [], states }: Selection): Filter<ResourceDocument> => ({
  kind: { $in: [kind] },
  ...(anyLabel.length > 0 && { labels: { $in: [...anyLabel] } }),
  ...(states && { state: { $in: [...states] } }),
});

type Place = Pick<OrderDocument, '_id' | 'entry' | 'prev' | 'chain'>;
type TouchRow = Place & { readonly touches: OrderDocument['touches'][number] };

const placeOnly = { entry: 1, prev: 1, chain: 1 };

const tagged = (did: string, type: HistoryType | undefined) => ({
  $in: [type === undefined ? tagOf.resource(`account/${did}`) : tagOf.history(did, type)],
});

/** Touches of a DID, of these types, after a position. */
function touching(did: string, types: readonly HistoryType[], start: readonly number[] | undefined): Document {
  const wanted = {
    'touches.did': { $in: [did] },
    'touches.type': { $in: types.map((type) => historyTypes.indexOf(type)) },
  };
  if (!start) return wanted;
  const [seq, move, type] = start as [number, number, number];
  const later = [
    { _id: { $lt: seq } },
    { _id: { $in: [seq] }, 'touches.move': { $lt: move } },
    { _id: { $in: [seq] }, 'touches.move': { $in: [move] }, 'touches.type': { $lt: type } },
  ];
  return { $and: [wanted, { $or: later }] };
}

const accountOf = ({ _id, sent: _, received: __, escrow: ___, ...row }: AccountDocument): Account => ({
  did: _id,
  ...row,
});

interface Shape<D, T> {
  readonly total: number;
  readonly limit: number;
  readonly item: (document: D) => T;
  readonly position: (document: D) => readonly (string | number)[];
}

/** A page of what was found; one more than its limit says that something follows. */
function listing<D, T>(found: readonly D[], { total, limit, item, position }: Shape<D, T>): Listing<T> {
  const page = found.slice(0, limit);
  const last = page.at(-1);
  return { items: page.map(item), total, next: last && found.length > limit ? cursorOf(...position(last)) : null };
}
