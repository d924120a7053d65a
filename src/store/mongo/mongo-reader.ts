/** The store's reads. Every list is one query on an index in the list's order, and a count. */
import type { Document, Filter } from 'mongodb';
import { balanceOf, feeAccount, supplyAccount } from '../../machines/kernel/ledger.js';
import { type HistoryType, historyTypes } from '../../machines/kernel/posting.js';
import { idemKeys, type NumberedEntry, noHash } from '../entry.js';
import { shownLength } from '../fitting.js';
import { type ListNumber, type ListRanges, listPlace, rangesOf, rawOf, sortedBy } from '../list-order.js';
import { decodedPage, listPage } from '../page.js';
import { placeAfter, type SearchQuery, type SearchResult } from '../search.js';
import {
  type Account,
  type Alarm,
  type EventQuery,
  encodeCursor,
  entryAt,
  type FindQuery,
  type HistoryItem,
  type JournalHead,
  type ListPage,
  type PageRequest,
  type Selection,
  type Snapshot,
  type StoreReader,
} from '../store.js';
import type { Collections } from './database.js';
import {
  type AccountDocument,
  alarmOf,
  type EntryDocument,
  entryInDocument,
  type OrderDocument,
  type ResourceDocument,
  snapshotInDocument,
  systemId,
  tagOf,
} from './documents.js';
import { Grouped } from './grouped.js';
import type { Outage } from './outage.js';
import { RecordReads } from './records.js';
import { rulesId } from './search-documents.js';
import { countPipeline, countsOf, type FoundDocument, pagePipeline, placesOf, sortPlaceOf } from './search-reads.js';

const longAtOnce = 24;

export class MongoReader extends RecordReads implements StoreReader {
  readonly #snapshots: Grouped<Snapshot>;
  readonly #accounts: Grouped<Account>;
  readonly #claims: Grouped<EntryDocument>;

  constructor(
    protected override readonly collections: Collections,
    outage: Outage,
  ) {
    super(collections, outage);
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
    const ofDids = { $match: { _id: { $ne: systemId } } };
    const [[found], system] = await this.outage.read(() =>
      Promise.all([accounts.aggregate([ofDids, { $group: sums }]).toArray(), accounts.findOne({ _id: systemId })]),
    );
    const { available = 0, reserved = 0, escrowed = 0 } = found ?? {};
    const { supply = 0, fees = 0 } = system && 'supply' in system ? system : {};
    return { supply: 0 - supply, fees, available, reserved, escrowed };
  }

  async accounts(request: PageRequest): Promise<ListPage<Account>> {
    const { limit, offset, start } = decodedPage(request, ['number', 'string']);
    const ofDids = { _id: { $nin: [systemId, supplyAccount, feeAccount] } };
    const [balance, did] = (start ?? []) as [number, string];
    const before = { $or: [{ balance: { $lt: balance } }, { balance: { $in: [balance] }, _id: { $lt: did } }] };
    const { accounts } = this.collections;
    const [found, total] = await this.outage.read(() =>
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
    const page = { rows: found.slice(0, limit), total, more: found.length > limit };
    return listPage(page, accountOf, (account) => [balanceOf(account), account.did]);
  }

  async find({ page, also = [], sort = 'newest', ranges, ...first }: FindQuery): Promise<ListPage<Snapshot>> {
    const { limit, offset, start, characters } = decodedPage(page, ['number', 'string']);
    const each = [first, ...also].map((selection) => ({ ...selected(selection), ...narrowed(ranges) }));
    const matching = each.length === 1 ? each[0]! : { $or: each };
    const { by, isUp } = sortedBy[sort];
    const before = start ? behind(by, isUp, start as [number, string]) : {};
    const { resources } = this.collections;
    const [found, total] = await this.outage.read(() => {
      const cursor = resources
        .find(start ? { $and: [matching, before] } : matching)
        .sort({ [by]: isUp ? 1 : -1, id: -1 })
        .skip(offset)
        .limit(limit + 1)
        .batchSize(longAtOnce);
      return Promise.all([firstOf(cursor, limit, characters), resources.countDocuments(matching)]);
    });
    return listPage({ ...found, total }, snapshotInDocument, (snapshot) => listPlace(snapshot, sort));
  }

  async named(...[kinds, prefix, { limit, characters }]: Parameters<StoreReader['named']>): Promise<Snapshot[]> {
    const { resources } = this.collections;
    // The end of the range sorts after every id with the prefix, because ids are ASCII.
    const rangeOf = (kind: string) => ({ _id: { $gte: `${kind}/${prefix}`, $lt: `${kind}/${prefix}\u007f` } });
    const found: ResourceDocument[] = [];
    let left = characters;
    for (const kind of kinds) {
      const cursor = () => resources.find(rangeOf(kind)).sort({ _id: 1 }).limit(limit).batchSize(longAtOnce);
      const { rows } = await this.outage.read(() => firstOf(cursor(), limit, left));
      for (const document of rows) {
        left -= shownLength(document.body);
        if (found.length > 0 && left < 0) return found.map(snapshotInDocument);
        found.push(document);
      }
    }
    return found.map(snapshotInDocument);
  }

  async history(did: string, type: HistoryType | undefined, page: PageRequest): Promise<ListPage<HistoryItem>> {
    const { limit, offset, start, characters } = decodedPage(page, ['number', 'number', 'number']);
    const wanted = type === undefined ? historyTypes : [type];
    const row = await this.outage.read(() => this.collections.accounts.findOne({ _id: { $in: [did] } }));
    const touches = await this.outage.read(() =>
      this.collections.order
        .aggregate<TouchRow>([
          // Leaves out entries that are not projected yet.
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
    const entries = await this.#entriesOf(touches, characters);
    const rows = touches.slice(0, limit).filter(({ _id }) => entries.has(_id));
    return listPage(
      { rows, total, more: touches.length > rows.length },
      ({ _id, touches: touch }): HistoryItem => {
        const entry = entries.get(_id)!;
        return { type: historyTypes[touch.type]!, move: entry.core.moves[touch.move]!, entry };
      },
      (_, { _id, touches: touch }) => [_id, touch.move, touch.type],
    );
  }

  async entries(query: EventQuery): Promise<readonly NumberedEntry[]> {
    const { after, before, limit, characters, issuer, resource, type } = query;
    const tags: string[] = [];
    if (issuer !== undefined) tags.push(tagOf.issuer(issuer));
    if (type !== undefined) tags.push(tagOf.type(type));
    if (resource !== undefined) tags.push(tagOf.resource(resource));
    // With the newest first, entries that are not projected yet would otherwise take the places of others.
    const end = before === undefined ? undefined : Math.min(before, (await this.head()).seq + 1);
    const numbers = { $gt: after, ...(end !== undefined && { $lt: end }) };
    const page = this.collections.order
      .find(tags.length > 0 ? { tags: { $all: tags }, _id: numbers } : { _id: numbers }, { projection: placeOnly })
      .sort({ _id: end === undefined ? 1 : -1 })
      .limit(limit);
    const places = await this.#visible(await this.outage.read(() => page.toArray()));
    const entries = await this.#entriesOf(places, characters);
    return places.flatMap(({ _id }) => entries.get(_id) ?? []);
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    const { search } = this.collections;
    const after = placeAfter(query);
    const [found, [counted]] = await this.outage.read(() =>
      Promise.all([
        search.aggregate<FoundDocument>(pagePipeline(query, after)).toArray(),
        search.aggregate(countPipeline(query)).toArray(),
      ]),
    );
    const { limit, characters } = query.page;
    const items = await this.#loadFitting(found.slice(0, limit), characters);
    const last = found.length > items.length ? found[items.length - 1] : undefined;
    return {
      items: items.filter((item) => item !== undefined),
      next: last ? encodeCursor(...sortPlaceOf(last)) : null,
      ...(query.isPart ? { places: placesOf(found, items) } : {}),
      ...countsOf(query, counted),
    };
  }

  async #loadFitting(found: readonly FoundDocument[], characters: number | undefined) {
    const items: (Snapshot | undefined)[] = [];
    let length = 0;
    for (let at = 0; at < found.length; at += longAtOnce) {
      const some = found.slice(at, at + longAtOnce);
      for (const item of await Promise.all(some.map(({ kind, _id }) => this.load(kind, _id)))) {
        length += characters === undefined || !item ? 0 : shownLength(JSON.stringify(item));
        if (items.length > 0 && length > (characters ?? length)) return items;
        items.push(item);
      }
    }
    return items;
  }

  async searchRules(): Promise<string | undefined> {
    const found = await this.outage.read(() => this.collections.search.findOne({ _id: rulesId }));
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
    return entry && { record: entry.core.idem!, entry, snapshots: document.writes.map(snapshotInDocument) };
  }

  /** Every entry up to this number can be read, as far as is known locally. */
  protected get projected(): number {
    return 0;
  }

  /** Resolves when the entry has a number and can be read, or will never have one. */
  protected async decided(_entryHash: string): Promise<void> {}

  /** Waits for the number, so that a repeated request finds its entry. */
  async #soonNumbered(entryHash: string): Promise<NumberedEntry | undefined> {
    await this.decided(entryHash);
    return this.#numbered({ entry: { $in: [entryHash] } });
  }

  /** Hides numbered entries whose projections are not written yet. */
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
    return (await this.outage.read(() => found.toArray())).map(alarmOf);
  }

  async head(): Promise<JournalHead> {
    const system = await this.outage.read(() => this.collections.accounts.findOne({ _id: systemId }));
    return system && 'chain' in system ? { seq: system.seq, chainHash: system.chain } : { seq: 0, chainHash: noHash };
  }

  async census() {
    const groups = { $group: { _id: { kind: '$kind', state: '$state' }, count: { $sum: 1 } } };
    const found = await this.outage.read(() => this.collections.resources.aggregate([groups]).toArray());
    const lines = found.map(({ _id, count }) => ({ kind: String(_id.kind), state: String(_id.state), count }));
    return lines.sort((a, b) => ((a.kind === b.kind ? a.state < b.state : a.kind < b.kind) ? -1 : 1));
  }

  async broughtBy(hash: string): Promise<NumberedEntry | undefined> {
    const seq = await this.firstNaming(hash);
    return seq === undefined ? undefined : entryAt(this, seq);
  }

  async #readSnapshots(ids: string[]) {
    const query = { _id: { $in: ids } };
    const { resources } = this.collections;
    const found = await this.outage.read(() => resources.find(query, { projection: { body: 1 } }).toArray());
    return new Map(found.map((document) => [document._id, snapshotInDocument(document)]));
  }

  async #readAccounts(dids: string[]) {
    const query = { _id: { $in: dids.filter((did) => did !== systemId) } };
    const found = await this.outage.read(() => this.collections.accounts.find(query).toArray());
    return new Map(found.map((row) => [row._id, accountOf(row as AccountDocument)]));
  }

  async #readClaims(keys: string[]) {
    const found = await this.outage.read(() => this.collections.entries.find({ keys: { $in: keys } }).toArray());
    return new Map(found.flatMap((document) => document.keys.map((key) => [key, document] as const)));
  }

  async #numbered(query: Filter<OrderDocument>): Promise<NumberedEntry | undefined> {
    const found = await this.outage.read(() => this.collections.order.findOne(query, { projection: placeOnly }));
    if (!found) return undefined;
    // The caller may have seen effects of the entry already, which are written just before: waits for the rest of the
    // projection.
    if ((await this.#visible([found])).length === 0) await this.decided(found.entry);
    const [place] = await this.#visible([found]);
    return place && (await this.#entriesOf([place])).get(place._id);
  }

  /** Reads the entries at these positions, by number; fewer if the bound of their texts is reached. */
  async #entriesOf(places: readonly OrderPlace[], characters?: number): Promise<ReadonlyMap<number, NumberedEntry>> {
    const entries = new Map<number, NumberedEntry>();
    const atOnce = characters === undefined ? places.length : longAtOnce;
    let length = 0;
    for (let at = 0; at < places.length; at += atOnce) {
      const some = places.slice(at, at + atOnce);
      const query = { _id: { $in: [...new Set(some.map(({ entry }) => entry))] } };
      const found = await this.outage.read(() =>
        this.collections.entries.find(query, { projection: { writes: 0 } }).toArray(),
      );
      const byHash = new Map(found.map((document) => [document._id, document]));
      for (const place of some) {
        const document = byHash.get(place.entry)!;
        length += document.core.length + shownLength(document.payload);
        if (characters !== undefined && entries.size > 0 && length > characters) return entries;
        entries.set(place._id, entryInDocument(document, place));
      }
    }
    return entries;
  }
}

async function firstOf(found: AsyncIterable<ResourceDocument>, limit: number, characters = Infinity) {
  const rows: ResourceDocument[] = [];
  let length = 0;
  for await (const document of found) {
    length += shownLength(document.body);
    if (rows.length === limit || (rows.length > 0 && length > characters)) return { rows, more: true };
    rows.push(document);
  }
  return { rows, more: false };
}

const selected = ({ kind, anyLabel = [], states }: Selection): Filter<ResourceDocument> => ({
  kind: { $in: [kind] },
  ...(anyLabel.length > 0 && { labels: { $in: [...anyLabel] } }),
  ...(states && { state: { $in: [...states] } }),
});

const narrowed = (ranges: ListRanges = {}): Filter<ResourceDocument> =>
  Object.fromEntries(
    rangesOf(ranges).map(({ name, from, to }) => [
      name,
      { ...(from !== undefined && { $gte: from }), ...(to !== undefined && { $lte: to }) },
    ]),
  );

function behind(by: ListNumber, isUp: boolean, [place, id]: readonly [number, string]): Filter<ResourceDocument> {
  const number = rawOf(place, isUp);
  const further = { [by]: isUp ? { $gt: number } : { $lt: number } };
  return { $or: [further, { [by]: { $in: [number] }, id: { $lt: id } }] } as Filter<ResourceDocument>;
}

type OrderPlace = Pick<OrderDocument, '_id' | 'entry' | 'prev' | 'chain'>;
type TouchRow = OrderPlace & { readonly touches: OrderDocument['touches'][number] };

const placeOnly = { entry: 1, prev: 1, chain: 1 };

const tagged = (did: string, type: HistoryType | undefined) => ({
  $in: [type === undefined ? tagOf.resource(`account/${did}`) : tagOf.history(did, type)],
});

/** The lines of a DID's history of these types, after a position. */
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
