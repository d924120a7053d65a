/**
 * Reads a few rows by key. They take microseconds, so they run on the caller's thread, on their own connection, and
 * see everything acknowledged before.
 */
import { dayMs } from '../../core/bounds.js';
import { type LeafText, leafText } from '../../core/leaf.js';
import { type NumberedEntry, type NumberedReceipt, noHash } from '../entry.js';
import type { EntryName } from '../store.js';
import {
  type Account,
  type Alarm,
  type JournalHead,
  type LocalRecord,
  type Snapshot,
  StoreDamaged,
  type StoreReader,
} from '../store.js';
import type { SqliteConnection } from './connection.js';
import { EntryRows } from './entry-rows.js';
import type { LocalRow } from './file-inspection.js';
import { keyHash } from './journal.js';
import { isRowHash, keptAdvice } from './row-hash.js';
import {
  type AccountColumns,
  accountColumns,
  accountOf,
  entryInRow,
  hashBytes,
  numberedReceipt,
  type ReceiptRow,
  readable,
  receiptColumns,
  receiptTables,
  type SnapshotRow,
  snapshotInRow,
  txPrefix,
} from './rows.js';
import { eventPrefix, indexTables, ways } from './secondary-index.js';
import { Snapshots } from './snapshots.js';

/** Verifies the row's hash on each read, because nothing else in the database confirms it and it may grant access. */
function localRecord([name, id, revision, value, hash]: LocalRow): LocalRecord {
  if (!isRowHash(hash, name, id, revision, value))
    throw new StoreDamaged(`the record ${name}/${id} is not what was written: ${keptAdvice}`);
  return { id, revision, value: JSON.parse(value) };
}

const receiptsWhere = `SELECT ${receiptColumns} FROM ${receiptTables} WHERE`;
const recordsWhere = 'SELECT name, id, revision, value, hash FROM local WHERE';
const led = indexTables.map((table) => `SELECT seq FROM ${table} WHERE way = ${ways.event} AND what = ?`);

export class PointReads {
  readonly #entries: EntryRows;
  readonly #snapshots: Snapshots;

  constructor(private readonly connection: SqliteConnection) {
    this.#entries = new EntryRows(connection);
    this.#snapshots = new Snapshots(connection, this.#entries);
  }

  load(kind: string, id: string): Snapshot | undefined {
    const row = this.#snapshots.named(kind, id);
    return row && snapshotInRow(row);
  }

  loadAll(kinds: readonly string[], ids: readonly string[]): Snapshot[] {
    return this.#snapshots.all(kinds, ids).map(snapshotInRow);
  }

  account(did: string): Account | undefined {
    const row = this.connection.row<AccountColumns>(`SELECT ${accountColumns} FROM accounts WHERE did = ?`, did);
    return row && accountOf(row);
  }

  entryByEvent(eventHash: string): NumberedEntry | undefined {
    if (!/^[0-9a-f]{64}$/.test(eventHash)) return undefined;
    const prefixes = indexTables.map(() => eventPrefix(eventHash));
    const seqs = this.connection.rows<[number]>(led.join(' UNION ALL '), ...prefixes);
    return seqs.map(([seq]) => this.#entry(seq)).find((entry) => entry?.core.event.hash === eventHash);
  }

  recall(principal: string, key: string, now: number): Awaited<ReturnType<StoreReader['recall']>> {
    const today = Math.floor(now / dayMs);
    const [seq = 0] =
      this.connection.row<[number]>(
        'SELECT seq FROM idempotency WHERE hash = ? AND day IN (?, ?)',
        keyHash(principal, key),
        today,
        today - 1,
      ) ?? [];
    const entry = this.#entry(seq);
    if (!entry) return undefined;
    const [text] = this.connection.row<[string]>('SELECT snapshots FROM replies WHERE seq = ?', seq) ?? ['[]'];
    const snapshots = readable(`the reply of entry ${entry.seq}`, () =>
      (JSON.parse(text) as SnapshotRow[]).map(snapshotInRow),
    );
    return { record: entry.core.idem!, entry, snapshots };
  }

  due(before: number, limit: number): Alarm[] {
    const rows = this.connection.rows<[string, string, string, number]>(
      `SELECT kind, id, alarm_action, alarm_at FROM resources WHERE alarm_at IS NOT NULL AND alarm_at <= ?
       ORDER BY alarm_at, kind, id LIMIT ?`,
      before,
      limit,
    );
    return rows.map(([kind, id, action, at]) => ({ kind, id, action, at }));
  }

  head(): JournalHead {
    const newest = 'SELECT seq, chain_hash FROM journal ORDER BY seq DESC LIMIT 1';
    const [seq, chainHash] = this.connection.row<[number, string]>(newest) ?? [0, noHash];
    return { seq, chainHash };
  }

  receipt(entryHash: string): NumberedReceipt | undefined {
    const newest = `${receiptsWhere} r.entry_hash = ? ORDER BY r.number DESC LIMIT 1`;
    const row = this.connection.row<ReceiptRow>(newest, entryHash);
    return row && numberedReceipt(row);
  }

  receipts(after: number, limit: number): NumberedReceipt[] {
    const next = `${receiptsWhere} r.number > ? ORDER BY r.number LIMIT ?`;
    return this.connection.rows<ReceiptRow>(next, after, limit).map(numberedReceipt);
  }

  receiptsOf(txHash: string): NumberedReceipt[] {
    const candidates = this.connection.rows<ReceiptRow>(
      `${receiptsWhere} r.tx = ? ORDER BY r.number`,
      txPrefix(txHash),
    );
    return candidates.map(numberedReceipt).filter((receipt) => receipt.txHash === txHash);
  }

  content(hash: string): Uint8Array | undefined {
    return this.connection.row<[Uint8Array]>('SELECT bytes FROM contents WHERE hash = ?', hashBytes(hash))?.[0];
  }

  texts(hashes: readonly string[]): Map<string, LeafText> {
    const found = new Map<string, LeafText>();
    for (const hash of hashes) {
      const bytes = this.content(hash);
      if (bytes)
        found.set(
          hash,
          readable(`the text ${hash}`, () => leafText(bytes)),
        );
    }
    return found;
  }

  broughtBy(hash: string): NumberedEntry | undefined {
    const [seq = 0] = this.connection.row<[number]>('SELECT seq FROM contents WHERE hash = ?', hashBytes(hash)) ?? [];
    return this.#entry(seq);
  }

  #entry(seq: number): NumberedEntry | undefined {
    const row = this.#entries.row(seq);
    return row && entryInRow(row);
  }

  contentPart(hash: string, from: number, length: number): Uint8Array | undefined {
    // Selected as hex, because the type of an expression's bytes is unknown (safe-rows.ts).
    const part = 'SELECT hex(substr(bytes, ?, ?)) FROM contents WHERE hash = ?';
    const row = this.connection.row<[string]>(part, from + 1, length, hashBytes(hash));
    return row && Buffer.from(row[0], 'hex');
  }

  contentsOf(entries: readonly EntryName[]): { entry: string; hash: string }[] {
    const named = new Map(entries.map(({ seq, entryHash }) => [seq, entryHash]));
    const rows = this.connection.rows<[number, string]>(
      'SELECT seq, lower(hex(hash)) FROM contents WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY hash',
      JSON.stringify([...named.keys()]),
    );
    return rows.map(([seq, hash]) => ({ entry: named.get(seq)!, hash }));
  }

  getLocal(name: string, id: string): LocalRecord | undefined {
    const row = this.connection.row<LocalRow>(`${recordsWhere} name = ? AND id = ?`, name, id);
    return row && localRecord(row);
  }

  listLocal(name: string): LocalRecord[] {
    return this.connection.rows<LocalRow>(`${recordsWhere} name = ? ORDER BY id`, name).map(localRecord);
  }

  localTables(): string[] {
    return this.connection.rows<[string]>('SELECT DISTINCT name FROM local ORDER BY name').map(([name]) => name);
  }
}
