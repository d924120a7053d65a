/** Rows of the database as the port's objects: one place for column lists and their order. */
import { entryOf, type NumberedEntry, type NumberedReceipt, noHash, type Receipt } from '../entry.js';
import type { Account, Snapshot } from '../store.js';
import type { SnapshotJob } from './job.js';
import { unpacked } from './packing.js';

/** Needs `journal j LEFT JOIN journal p ON p.seq = j.seq - 1`: an entry's `prevEntry` lies in the row before it. */
export const entryColumns = 'j.seq, j.entry_hash, p.chain_hash, j.chain_hash, j.core, j.payload, j.packed';
export const entryTables = 'journal j LEFT JOIN journal p ON p.seq = j.seq - 1';

export type EntryRow = readonly [
  seq: number,
  entryHash: string,
  prevEntry: string | null,
  chainHash: string,
  core: string,
  payload: string | null,
];

/** As it lies there. */
export type StoredEntryRow = readonly [...EntryRow, packed: Uint8Array | null];

/** The row with its texts, in the thread that has read it. */
export function entryRow([seq, entryHash, prevEntry, chainHash, core, payload, packed]: StoredEntryRow): EntryRow {
  const [coreText, payloadText] = packed === null ? [core, payload] : unpacked(packed);
  return [seq, entryHash, prevEntry, chainHash, coreText, payloadText];
}

export function numberedEntry([seq, entryHash, prevEntry, chainHash, core, payload]: EntryRow): NumberedEntry {
  return { ...entryOf(core, payload, entryHash), seq, prevEntry: prevEntry ?? noHash, chainHash };
}

export const snapshotColumns =
  'r.kind, r.id, r.version, r.state, r.context, r.last_hash, r.machine, r.created_at, r.updated_at, r.context_at';

export type SnapshotRow = readonly [
  kind: string,
  id: string,
  version: number,
  state: string,
  context: string,
  lastHash: string,
  machine: string,
  createdAt: number,
  updatedAt: number,
];

/** As it lies there (snapshots.ts). */
export type StoredSnapshotRow = readonly [...SnapshotRow, contextAt: number | null];

export function snapshotOf(row: SnapshotRow): Snapshot {
  const [kind, id, version, state, context, lastHash, machine, createdAt, updatedAt] = row;
  return { kind, id, version, state, context: JSON.parse(context), lastHash, machine, createdAt, updatedAt };
}

/** Of a snapshot on its way into the database; its context is text already. */
export const rowOf = (s: SnapshotJob): SnapshotRow => [
  s.kind,
  s.id,
  s.version,
  s.state,
  s.context,
  s.lastHash,
  s.machine,
  s.createdAt,
  s.updatedAt,
];

export const accountColumns = 'did, available, reserved, escrowed, version, frozen, nonce, last_hash, seq';

export type AccountColumns = readonly [
  did: string,
  available: number,
  reserved: number,
  escrowed: number,
  version: number,
  frozen: number,
  nonce: number,
  lastHash: string | null,
  seq: number,
];

export function accountOf(row: AccountColumns): Account {
  const [did, available, reserved, escrowed, version, frozen, nonce, lastHash, seq] = row;
  return { did, available, reserved, escrowed, version, frozen: frozen === 1, nonce, lastHash, seq };
}

/** The first 48 bits, as of events: an index on them finds a transaction's receipts and few others. */
export const txPrefix = (txHash: string): number => Number.parseInt(txHash.slice(2, 14), 16) || 0;

/** Needs `receipts r LEFT JOIN receipts p ON p.number = r.number - 1`. */
export const receiptColumns = 'r.number, p.receipt_hash, r.receipt_hash, r.receipt';
export const receiptTables = 'receipts r LEFT JOIN receipts p ON p.number = r.number - 1';

export type ReceiptRow = readonly [number: number, prevReceipt: string | null, receiptHash: string, receipt: string];

export function numberedReceipt([number, prevReceipt, receiptHash, text]: ReceiptRow): NumberedReceipt {
  return { ...(JSON.parse(text) as Receipt), number, prevReceipt: prevReceipt ?? noHash, receiptHash };
}
