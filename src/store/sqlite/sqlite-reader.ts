/** The embedded store's reads: short ones on this thread, long ones on the reader thread. */
import { balanceOf } from '../../machines/kernel/ledger.js';
import { type HistoryType, historyTypes } from '../../machines/kernel/posting.js';
import { listPlace } from '../list-order.js';
import { decodedPage, listPage } from '../page.js';
import { placeAfter, type SearchQuery, type SearchResult } from '../search.js';
import type { EntryName } from '../store.js';
import {
  type Account,
  type CardStore,
  type EventQuery,
  encodeCursor,
  type FindQuery,
  type HistoryItem,
  type ListPage,
  type PageRequest,
  type Snapshot,
  type StoreReader,
} from '../store.js';
import { SqliteConnection } from './connection.js';
import { databaseFile } from './durable.js';
import { PointReads } from './point-reads.js';
import { allParts } from './row-batch.js';
import { accountOf, entryInRow, snapshotInRow } from './rows.js';
import { SlowReader } from './slow-reader.js';

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
  startReading(): void {
    this.#slow.start();
  }

  load = async (...[kind, id]: Parameters<StoreReader['load']>) => this.#point.load(kind, id);
  loadAll = async (...names: Parameters<CardStore['loadAll']>) => this.#point.loadAll(...names);
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
    const found = await this.#slow.ask('accounts', decodedPage(page, ['number', 'string']));
    return listPage(found, accountOf, (account) => [balanceOf(account), account.did]);
  }

  async find({ page, ...query }: FindQuery): Promise<ListPage<Snapshot>> {
    const { total, more, ...first } = await this.#slow.ask('findFirst', query, decodedPage(page, ['number', 'string']));
    const items = await allParts(first, snapshotInRow, (rest) => this.#slow.ask('snapshotsNamed', rest));
    return listPage(
      { rows: items, total, more },
      (item) => item,
      (item) => listPlace(item, query.sort),
    );
  }

  async named(...query: Parameters<StoreReader['named']>): Promise<Snapshot[]> {
    return (await this.#slow.ask('named', ...query)).map(snapshotInRow);
  }

  async history(did: string, type: HistoryType | undefined, page: PageRequest): Promise<ListPage<HistoryItem>> {
    const found = await this.#slow.ask('history', did, type, decodedPage(page, ['number', 'number', 'number']));
    return listPage(
      found,
      ([typeNumber, move, ...row]): HistoryItem => {
        const entry = entryInRow(row);
        return { type: historyTypes[typeNumber]!, move: entry.core.moves[move]!, entry };
      },
      (_, [typeNumber, move, seq]) => [seq, move, typeNumber],
    );
  }

  async entries(query: EventQuery) {
    const first = await this.#slow.ask('entriesFirst', query);
    return allParts(first, entryInRow, (rest) => this.#slow.ask('entriesNumbered', rest));
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    const { rows, last, ...found } = await this.#searcher.ask('search', query, placeAfter(query));
    return { ...found, items: rows.map(snapshotInRow), next: last && encodeCursor(...last) };
  }

  async searchRules() {
    return this.#slow.ask('searchRules');
  }

  protected writeSegment = (entries: number) => this.#slow.ask('writeSegment', entries);

  protected async closeReading(): Promise<void> {
    await Promise.all([this.#slow.close(), this.#searcher.close()]);
    this.#connection.close();
  }
}
