/**
 * Reads a few rows by key. They take microseconds, so they run on the caller's thread, on their own connection, and
 * see everything acknowledged before.
 */
import { type LeafText, leafTextOf } from '../../core/leaf.js';
import { dayMs, type NumberedEntry, type NumberedReceipt, noHash } from '../entry.js';
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
import type { LocalRow } from './file-inspection.js';
import { keyHash } from './journal.js';
import { isRowHash, keptAdvice } from './row-hash.js';
import {
  type AccountColumns,
  accountColumns,
  accountOf,
  entryColumns,
  entryRow,
  entryTables,
  hashBytes,
  numberedEntry,
  numberedReceipt,
  type ReceiptRow,
  readable,
  receiptColumns,
  receiptTables,
  type SnapshotRow,
  type StoredEntryRow,
  snapshotOf,
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

export class PointReads {
  readonly #snapshots: Snapshots;
  readonly #account;
  readonly #byPrefix;
  readonly #bySeq;
  readonly #keySeq;
  readonly #reply;
  readonly #due;
  readonly #head;
  readonly #receipt;
  readonly #receipts;
  readonly #receiptsOf;
  readonly #content;
  readonly #bringing;
  readonly #contentPart;
  readonly #contentsOf;
  readonly #local;
  readonly #locals;
  readonly #localTables;

  constructor(connection: SqliteConnection) {
    const entries = `SELECT ${entryColumns} FROM ${entryTables} WHERE`;
    const receipts = `SELECT ${receiptColumns} FROM ${receiptTables} WHERE`;
    this.#snapshots = new Snapshots(connection);
    this.#account = connection.row<AccountColumns>(`SELECT ${accountColumns} FROM accounts WHERE did = ?`);
    const led = indexTables.map((table) => `SELECT seq FROM ${table} WHERE way = ${ways.event} AND what = ?`);
    this.#byPrefix = connection.rows<StoredEntryRow>(`${entries} j.seq IN (${led.join(' UNION ALL ')})`);
    this.#bySeq = connection.row<StoredEntryRow>(`${entries} j.seq = ?`);
    this.#keySeq = connection.row<[number]>('SELECT seq FROM idempotency WHERE hash = ? AND day IN (?, ?)');
    this.#reply = connection.row<[string]>('SELECT snapshots FROM replies WHERE seq = ?');
    this.#due = connection.rows<[string, string, string, number]>(
      `SELECT kind, id, alarm_action, alarm_at FROM resources WHERE alarm_at IS NOT NULL AND alarm_at <= ?
       ORDER BY alarm_at, kind, id LIMIT ?`,
    );
    this.#head = connection.row<[number, string]>('SELECT seq, chain_hash FROM journal ORDER BY seq DESC LIMIT 1');
    this.#receipt = connection.row<ReceiptRow>(`${receipts} r.entry_hash = ? ORDER BY r.number DESC LIMIT 1`);
    this.#receipts = connection.rows<ReceiptRow>(`${receipts} r.number > ? ORDER BY r.number LIMIT ?`);
    this.#receiptsOf = connection.rows<ReceiptRow>(`${receipts} r.tx = ? ORDER BY r.number`);
    this.#content = connection.row<[Uint8Array]>('SELECT bytes FROM contents WHERE hash = ?');
    this.#bringing = connection.row<StoredEntryRow>(`${entries} j.seq = (SELECT seq FROM contents WHERE hash = ?)`);
    // Selected as hex, because the type of an expression's bytes is unknown (safe-rows.ts).
    this.#contentPart = connection.row<[string]>('SELECT hex(substr(bytes, ?, ?)) FROM contents WHERE hash = ?');
    this.#contentsOf = connection.rows<[number, string]>(
      'SELECT seq, lower(hex(hash)) FROM contents WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY hash',
    );
    this.#local = connection.row<LocalRow>(
      'SELECT name, id, revision, value, hash FROM local WHERE name = ? AND id = ?',
    );
    this.#locals = connection.rows<LocalRow>(
      'SELECT name, id, revision, value, hash FROM local WHERE name = ? ORDER BY id',
    );
    this.#localTables = connection.rows<[string]>('SELECT DISTINCT name FROM local ORDER BY name');
  }

  load(kind: string, id: string): Snapshot | undefined {
    const row = this.#snapshots.named(kind, id);
    return row && snapshotOf(row);
  }

  account(did: string): Account | undefined {
    const row = this.#account([did]);
    return row && accountOf(row);
  }

  entryByEvent(eventHash: string): NumberedEntry | undefined {
    if (!/^[0-9a-f]{64}$/.test(eventHash)) return undefined;
    const candidates = this.#byPrefix(indexTables.map(() => eventPrefix(eventHash))).map((row) =>
      numberedEntry(entryRow(row)),
    );
    return candidates.find(({ core }) => core.event.hash === eventHash);
  }

  recall(principal: string, key: string, now: number): Awaited<ReturnType<StoreReader['recall']>> {
    const today = Math.floor(now / dayMs);
    const found = this.#keySeq([keyHash(principal, key), today, today - 1]);
    const row = found && this.#bySeq(found);
    if (!row) return undefined;
    const entry = numberedEntry(entryRow(row));
    const [text] = this.#reply(found) ?? ['[]'];
    const snapshots = readable(`the reply of entry ${entry.seq}`, () =>
      (JSON.parse(text) as SnapshotRow[]).map(snapshotOf),
    );
    return { record: entry.core.idem!, entry, snapshots };
  }

  due(before: number, limit: number): Alarm[] {
    return this.#due([before, limit]).map(([kind, id, action, at]) => ({ kind, id, action, at }));
  }

  head(): JournalHead {
    const [seq, chainHash] = this.#head([]) ?? [0, noHash];
    return { seq, chainHash };
  }

  receipt(entryHash: string): NumberedReceipt | undefined {
    const row = this.#receipt([entryHash]);
    return row && numberedReceipt(row);
  }

  receipts(after: number, limit: number): NumberedReceipt[] {
    return this.#receipts([after, limit]).map(numberedReceipt);
  }

  receiptsOf(txHash: string): NumberedReceipt[] {
    const candidates = this.#receiptsOf([txPrefix(txHash)]).map(numberedReceipt);
    return candidates.filter((receipt) => receipt.txHash === txHash);
  }

  content(hash: string): Uint8Array | undefined {
    return this.#content([hashBytes(hash)])?.[0];
  }

  texts(hashes: readonly string[]): Map<string, LeafText> {
    const found = new Map<string, LeafText>();
    for (const hash of hashes) {
      const bytes = this.content(hash);
      if (bytes)
        found.set(
          hash,
          readable(`the text ${hash}`, () => leafTextOf(bytes)),
        );
    }
    return found;
  }

  broughtBy(hash: string): NumberedEntry | undefined {
    const row = this.#bringing([hashBytes(hash)]);
    return row && numberedEntry(entryRow(row));
  }

  contentPart(hash: string, from: number, length: number): Uint8Array | undefined {
    const row = this.#contentPart([from + 1, length, hashBytes(hash)]);
    return row && Buffer.from(row[0], 'hex');
  }

  contentsOf(entries: readonly EntryName[]): { entry: string; hash: string }[] {
    const named = new Map(entries.map(({ seq, entryHash }) => [seq, entryHash]));
    return this.#contentsOf([JSON.stringify([...named.keys()])]).map(([seq, hash]) => ({
      entry: named.get(seq)!,
      hash,
    }));
  }

  getLocal(name: string, id: string): LocalRecord | undefined {
    const row = this.#local([name, id]);
    return row && localRecord(row);
  }

  listLocal(name: string): LocalRecord[] {
    return this.#locals([name]).map(localRecord);
  }

  localTables(): string[] {
    return this.#localTables([]).map(([name]) => name);
  }
}
