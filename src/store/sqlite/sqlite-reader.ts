/** The embedded store's reads: short ones on this thread, long ones on the reader thread. */
import { balanceOf } from '../../machines/kernel/ledger.js';
import { type HistoryType, historyTypes } from '../../machines/kernel/posting.js';
import { listPlace } from '../list-order.js';
import { placeAfter, type SearchQuery, type SearchResult } from '../search/search.js';
import type { EntryName } from '../store.js';
import {
  type Account,
  cursorOf,
  type EventQuery,
  type FindQuery,
  type HistoryItem,
  type ListPage,
  type PageRequest,
  positionOf,
  type Snapshot,
  type StoreReader,
} from '../store.js';
import { SqliteConnection } from './connection.js';
import { databaseFile } from './durable.js';
import { PointReads } from './point-reads.js';
import { allParts } from './row-batch.js';
import { accountOf, numberedEntry, snapshotOf } from './rows.js';
import { SlowReader } from './slow-reader.js';
import type { DecodedPage, PageRows } from './slow-reads.js';

/** Page cache of this thread's reads. */
const pointCacheKiB = 8_192;

export class SqliteReader implements StoreReader {
  readonly #connection: SqliteConnection;
  readonly #point: PointReads;
  readonly #slow: SlowReader;
  /** A separate thread for searches, because a broad search would delay lists. */
  readonly #searcher: SlowReader;

  constructor(dir: string) {
    this.#connection = new SqliteConnection(databaseFile(dir), { cacheKiB: pointCacheKiB, readOnly: true });
    this.#point = new PointReads(this.#connection);
    this.#slow = new SlowReader(dir);
    this.#searcher = new SlowReader(dir);
  }

  /** Starts the reader thread ahead of a long read. */
  protected startReading(): void {
    this.#slow.start();
  }

  load = async (...[kind, id]: Parameters<StoreReader['load']>) => this.#point.load(kind, id);
  account = async (did: string) => this.#point.account(did);
  entryByEvent = async (eventHash: string) => this.#point.entryByEvent(eventHash);
  recall = async (principal: string, key: string, now: number) => this.#point.recall(principal, key, now);
  due = async (before: number, limit: number) => this.#point.due(before, limit);
  head = async () => this.#point.head();
  receipt = async (entryHash: string) => this.#point.receipt(entryHash);
  receipts = async (after: number, limit: number) => this.#point.receipts(after, limit);
  receiptsOf = async (txHash: string) => this.#point.receiptsOf(txHash);
  content = async (hash: string) => this.#point.content(hash);
  texts = async (hashes: readonly string[]) => this.#point.texts(hashes);
  broughtBy = async (hash: string) => this.#point.broughtBy(hash);
  contentPart = async (...[hash, from, length]: Parameters<StoreReader['contentPart']>) =>
    this.#point.contentPart(hash, from, length);
  contentsOf = async (entries: readonly EntryName[]) => this.#point.contentsOf(entries);
  getLocal = async (table: string, id: string) => this.#point.getLocal(table, id);
  listLocal = async (table: string) => this.#point.listLocal(table);
  localTables = async () => this.#point.localTables();

  async totals() {
    const [supply, fees, available, reserved, escrowed] = await this.#slow.ask('totals');
    return { supply, fees, available, reserved, escrowed };
  }

  async census() {
    return (await this.#slow.ask('census')).map(([kind, state, count]) => ({ kind, state, count }));
  }

  async accounts(page: PageRequest): Promise<ListPage<Account>> {
    const found = await this.#slow.ask('accounts', cutOf(page, ['number', 'string']));
    return listing(found, accountOf, (account) => [balanceOf(account), account.did]);
  }

  async find({ page, ...query }: FindQuery): Promise<ListPage<Snapshot>> {
    const { total, more, ...first } = await this.#slow.ask('findFirst', query, cutOf(page, ['number', 'string']));
    const items = await allParts(first, snapshotOf, (rest) => this.#slow.ask('snapshotsNamed', rest));
    return listing({ rows: items, total, more }, itself, (item) => listPlace(item, query.sort));
  }

  async named(...query: Parameters<StoreReader['named']>): Promise<Snapshot[]> {
    return (await this.#slow.ask('named', ...query)).map(snapshotOf);
  }

  async history(did: string, type: HistoryType | undefined, page: PageRequest): Promise<ListPage<HistoryItem>> {
    const found = await this.#slow.ask('history', did, type, cutOf(page, ['number', 'number', 'number']));
    const items = listing(
      found,
      ([typeNumber, move, ...row]) => ({ typeNumber, move, entry: numberedEntry(row) }),
      ({ entry, move, typeNumber }) => [entry.seq, move, typeNumber],
    );
    return {
      ...items,
      items: items.items.map(({ typeNumber, move, entry }) => ({
        type: historyTypes[typeNumber]!,
        move: entry.core.moves[move]!,
        entry,
      })),
    };
  }

  async entries(query: EventQuery) {
    const first = await this.#slow.ask('entriesFirst', query);
    return allParts(first, numberedEntry, (rest) => this.#slow.ask('entriesNumbered', rest));
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    const { rows, last, ...found } = await this.#searcher.ask('search', query, placeAfter(query));
    return { ...found, items: rows.map(snapshotOf), next: last && cursorOf(...last) };
  }

  async searchRules() {
    return this.#slow.ask('searchRules');
  }

  protected async closeReading(): Promise<void> {
    await Promise.all([this.#slow.close(), this.#searcher.close()]);
    this.#connection.close();
  }
}

const cutOf = (
  { limit, offset, after, characters }: PageRequest,
  shape: readonly ('string' | 'number')[],
): DecodedPage =>
  after === undefined
    ? { limit, offset, characters }
    : { limit, offset: 0, characters, start: positionOf(after, shape) };

const itself = <T>(item: T): T => item;

function listing<Row, Item>(
  { rows, total, more }: PageRows<Row>,
  itemOf: (row: Row) => Item,
  position: (item: Item) => readonly (string | number)[],
): ListPage<Item> {
  const items = rows.map(itemOf);
  const last = items.at(-1);
  return { items, total, next: more && last !== undefined ? cursorOf(...position(last)) : null };
}
