/** The reads of the reference store. Every list is filtered, sorted and cut without any index. */

import type { LeafText } from '../../core/leaf.js';
import { balanceOf, isSystemAccount } from '../../machines/kernel/ledger.js';
import { type HistoryType, historyTypes } from '../../machines/kernel/posting.js';
import {
  entryOf,
  idemKeys,
  type NumberedEntry,
  type NumberedReceipt,
  noHash,
  type Receipt,
  resourcesOf,
} from '../entry.js';
import { fitting, shownLength } from '../fitting.js';
import { isWithin, listPlace } from '../list-order.js';
import type { SearchQuery, SearchResult } from '../search.js';
import type { EntryName } from '../store.js';
import {
  type Account,
  type Alarm,
  decodeCursor,
  type EventQuery,
  encodeCursor,
  type FindQuery,
  type HistoryItem,
  type JournalHead,
  type ListPage,
  type LocalRecord,
  type PageRequest,
  type Selection,
  type Snapshot,
  type StoreReader,
} from '../store.js';
import type { Tables } from './tables.js';

type Position = readonly (string | number)[];

function compare(a: Position, b: Position): number {
  for (let i = 0; i < a.length; i++) {
    if (a[i]! < b[i]!) return -1;
    if (a[i]! > b[i]!) return 1;
  }
  return 0;
}

export class MemoryReader implements StoreReader {
  constructor(readonly tables: Tables) {}

  async load(kind: string, id: string): Promise<Snapshot | undefined> {
    return this.tables.snapshot(kind, id);
  }

  async account(did: string): Promise<Account | undefined> {
    return this.tables.accounts.get(did);
  }

  async totals() {
    const totals = { supply: 0 - this.tables.house.supply, fees: this.tables.house.fees };
    const sums = { available: 0, reserved: 0, escrowed: 0 };
    for (const account of this.tables.accounts.values()) {
      sums.available += account.available;
      sums.reserved += account.reserved;
      sums.escrowed += account.escrowed;
    }
    return { ...totals, ...sums };
  }

  async accounts(page: PageRequest): Promise<ListPage<Account>> {
    const all = [...this.tables.accounts.values()].filter(({ did }) => !isSystemAccount(did));
    return listing(all, (account) => [balanceOf(account), account.did], ['number', 'string'], page);
  }

  async find({ page, also = [], sort, ranges = {}, ...first }: FindQuery): Promise<ListPage<Snapshot>> {
    const selected = [first, ...also];
    const matching: Snapshot[] = [];
    for (const [key, text] of this.tables.snapshots) {
      // Most are of other kinds, and need not be parsed.
      if (!selected.some(({ kind }) => key.startsWith(`${kind}/`))) continue;
      const snapshot = JSON.parse(text) as Snapshot;
      const labels = this.tables.labels.get(key);
      const isSelected = selected.some((each) => matches(each, snapshot, labels));
      if (isSelected && isWithin(snapshot, ranges)) matching.push(snapshot);
    }
    return listing(matching, (s) => listPlace(s, sort), ['number', 'string'], page);
  }

  async named(...[kinds, prefix, { limit, characters }]: Parameters<StoreReader['named']>): Promise<Snapshot[]> {
    const all = [...this.tables.snapshots.values()].map((text) => JSON.parse(text) as Snapshot);
    const found = kinds.flatMap((kind) =>
      all
        .filter((each) => each.kind === kind && each.id.startsWith(prefix))
        .sort((one, other) => compare([one.id], [other.id]))
        .slice(0, limit),
    );
    return fitting(found, itself, { lengthOf: (each) => jsonLength(each.context), most: characters });
  }

  async history(did: string, type: HistoryType | undefined, page: PageRequest): Promise<ListPage<HistoryItem>> {
    const touches = (this.tables.touches.get(did) ?? []).filter((touch) => type === undefined || touch.type === type);
    const items = touches.map((touch) => {
      const entry = this.#numbered(touch.seq);
      return { ...touch, item: { type: touch.type, move: entry.core.moves[touch.move]!, entry } };
    });
    const sorted = listing(
      items,
      (item) => [item.seq, item.move, historyTypes.indexOf(item.type)],
      ['number', 'number', 'number'],
      page,
    );
    return { ...sorted, items: sorted.items.map(({ item }) => item) };
  }

  async entries(query: EventQuery): Promise<readonly NumberedEntry[]> {
    const { after, before, limit, characters, issuer, resource, type } = query;
    const found: NumberedEntry[] = [];
    const numbers = this.tables.journal.map((_, index) => index + 1).filter((seq) => seq > after);
    const inOrder = before === undefined ? numbers : numbers.filter((seq) => seq < before).reverse();
    for (const seq of inOrder) {
      if (found.length >= limit) break;
      const entry = this.#numbered(seq);
      const { event } = entry.core;
      if (issuer !== undefined && event.issuer !== issuer) continue;
      if (type !== undefined && event.type !== type) continue;
      if (resource !== undefined && !resourcesOf(entry.core).has(resource)) continue;
      found.push(entry);
    }
    return fitting(found, itself, { lengthOf: ({ payloadText }) => shownLength(payloadText), most: characters });
  }

  async search(query: SearchQuery): Promise<SearchResult> {
    return this.tables.search.search(query, (kind, id) => this.tables.snapshot(kind, id)!);
  }

  async searchRules(): Promise<string | undefined> {
    return this.tables.search.rules;
  }

  async entryByEvent(eventHash: string): Promise<NumberedEntry | undefined> {
    for (let seq = this.tables.journal.length; seq > 0; seq--) {
      const entry = this.#numbered(seq);
      if (entry.core.event.hash === eventHash) return entry;
    }
    return undefined;
  }

  async recall(principal: string, key: string, now: number): ReturnType<StoreReader['recall']> {
    const seq = this.tables.keys.get(idemKeys(principal, key, now)[0]);
    if (seq === undefined) return undefined;
    const entry = this.#numbered(seq);
    const snapshots = JSON.parse(this.tables.replies.get(seq)!) as Snapshot[];
    return { record: entry.core.idem!, entry, snapshots };
  }

  async due(before: number, limit: number): Promise<readonly Alarm[]> {
    return this.#alarms()
      .filter((alarm) => alarm.at <= before)
      .slice(0, limit);
  }

  async head(): Promise<JournalHead> {
    return { seq: this.tables.journal.length, chainHash: this.tables.journal.at(-1)?.chainHash ?? noHash };
  }

  async receipt(entryHash: string): Promise<NumberedReceipt | undefined> {
    return (await this.receipts(0, Number.POSITIVE_INFINITY)).findLast((receipt) => receipt.entryHash === entryHash);
  }

  async receipts(after: number, limit: number): Promise<readonly NumberedReceipt[]> {
    const all = this.tables.receipts.map(({ text, prevReceipt, receiptHash }, index) => {
      return { ...(JSON.parse(text) as Receipt), number: index + 1, prevReceipt, receiptHash };
    });
    return all.filter(({ number }) => number > after).slice(0, limit);
  }

  async receiptsOf(txHash: string): Promise<readonly NumberedReceipt[]> {
    return (await this.receipts(0, Number.POSITIVE_INFINITY)).filter((receipt) => receipt.txHash === txHash);
  }

  async census() {
    const counts = new Map<string, { kind: string; state: string; count: number }>();
    for (const text of this.tables.snapshots.values()) {
      const { kind, state } = JSON.parse(text) as Snapshot;
      const line = counts.get(`${kind}/${state}`) ?? { kind, state, count: 0 };
      line.count++;
      counts.set(`${kind}/${state}`, line);
    }
    return [...counts.values()].sort((a, b) => compare([a.kind, a.state], [b.kind, b.state]));
  }

  async texts(hashes: readonly string[]): Promise<ReadonlyMap<string, LeafText>> {
    return new Map(
      hashes.flatMap((hash) => {
        const text = this.tables.text(hash);
        return text ? [[hash, text] as const] : [];
      }),
    );
  }

  async broughtBy(hash: string): Promise<NumberedEntry | undefined> {
    const content = this.tables.contents.get(hash);
    const at = this.tables.journal.findIndex(({ entryHash }) => entryHash === content?.entry);
    return at < 0 ? undefined : this.#numbered(at + 1);
  }

  async content(hash: string): Promise<Uint8Array | undefined> {
    return this.tables.contents.get(hash)?.bytes.slice();
  }

  async contentPart(hash: string, from: number, length: number): Promise<Uint8Array | undefined> {
    return (await this.content(hash))?.subarray(from, from + length);
  }

  async contentsOf(entries: readonly EntryName[]) {
    const entryHashes = entries.map(({ entryHash }) => entryHash);
    const all = [...this.tables.contents].map(([hash, { entry }]) => ({ entry, hash }));
    return all.filter(({ entry }) => entryHashes.includes(entry)).sort((a, b) => compare([a.hash], [b.hash]));
  }

  async getLocal(table: string, id: string): Promise<LocalRecord | undefined> {
    return (await this.listLocal(table)).find((record) => record.id === id);
  }

  async listLocal(table: string): Promise<readonly LocalRecord[]> {
    return [...(this.tables.local.get(table) ?? [])]
      .map(([id, { revision, text }]) => ({ id, revision, value: JSON.parse(text) }))
      .sort((a, b) => compare([a.id], [b.id]));
  }

  async localTables(): Promise<readonly string[]> {
    return [...this.tables.local].flatMap(([table, records]) => (records.size > 0 ? [table] : [])).sort();
  }

  #numbered(seq: number): NumberedEntry {
    const { coreText, payloadText, entryHash, prevEntry, chainHash } = this.tables.journal[seq - 1]!;
    return { ...entryOf(coreText, payloadText, entryHash), seq, prevEntry, chainHash };
  }

  #alarms(): Alarm[] {
    return [...this.tables.alarms.values()].sort((a, b) => compare([a.at, a.kind, a.id], [b.at, b.kind, b.id]));
  }
}

function matches(
  { kind, anyLabel = [], states }: Selection,
  snapshot: Snapshot,
  labels: ReadonlySet<string> | undefined,
): boolean {
  if (snapshot.kind !== kind || states?.includes(snapshot.state) === false) return false;
  return anyLabel.length === 0 || anyLabel.some((label) => labels?.has(label));
}

const itself = <T>(item: T): T => item;
const jsonLength = (item: unknown): number => shownLength(JSON.stringify(item));

/** Sorts by position, newest first, and takes one page. */
function listing<T>(
  all: T[],
  position: (item: T) => Position,
  shape: readonly ('string' | 'number')[],
  { limit, offset, after, characters }: PageRequest,
): ListPage<T> {
  const start = after === undefined ? undefined : decodeCursor(after, shape);
  const sorted = all.sort((a, b) => -compare(position(a), position(b)));
  const rest = start ? sorted.filter((item) => compare(position(item), start) < 0) : sorted.slice(offset);
  const items = fitting(rest.slice(0, limit), itself, { lengthOf: jsonLength, most: characters });
  const last = items.at(-1);
  return {
    items,
    total: all.length,
    next: last && rest.length > items.length ? encodeCursor(...position(last)) : null,
  };
}
