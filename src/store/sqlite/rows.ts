/** Converts database rows to the port's objects. Column lists and their order are here only. */
import {
  entryEvenIfDamaged,
  entryOf,
  type NumberedEntry,
  type NumberedReceipt,
  noHash,
  type Receipt,
} from '../entry.js';
import { type Account, type Snapshot, StoreDamaged } from '../store.js';
import type { SnapshotJob } from './job.js';
import { unpacked } from './packing.js';

/**
 * Needs `journal j LEFT JOIN journal p ON p.seq = j.seq - 1`, because an entry's `prevEntry` is in the row before it, or
 * ends the segments.
 */
const prevEntry = `coalesce(p.chain_hash, (SELECT chain_hash FROM segments WHERE last = j.seq - 1), '${noHash}')`;
export const entryColumns = `j.seq, j.entry_hash, ${prevEntry}, j.chain_hash, j.core, j.payload, j.packed`;
export const entryTables = 'journal j LEFT JOIN journal p ON p.seq = j.seq - 1';

export type EntryRow = readonly [
  seq: number,
  entryHash: string,
  prevEntry: string,
  chainHash: string,
  core: string,
  payload: string,
];

export type StoredEntryRow = readonly [...EntryRow, packed: Uint8Array | null];

/** Unpacks a row's texts, in the thread that has read it. */
export function entryRow([seq, entryHash, prevEntry, chainHash, core, payload, packed]: StoredEntryRow): EntryRow {
  const [coreText, payloadText] = packed === null ? [core, payload] : unpacked(packed);
  return [seq, entryHash, prevEntry, chainHash, coreText, payloadText];
}

export function entryInRow([seq, entryHash, prevEntry, chainHash, core, payload]: EntryRow): NumberedEntry {
  const entry = readable(`entry ${seq}`, () => entryOf(core, payload, entryHash));
  return { ...entry, seq, prevEntry, chainHash };
}

/** Like numberedEntry(), also for a damaged text (entryEvenIfDamaged). */
export function numberedEntryEvenIfDamaged(row: EntryRow): NumberedEntry {
  const [seq, entryHash, prevEntry, chainHash, core, payload] = row;
  return { ...entryEvenIfDamaged(core, payload, entryHash), seq, prevEntry, chainHash };
}

/**
 * Reads a value whose text may be damaged.
 * @throws StoreDamaged if the text is not valid JSON
 */
export function readable<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new StoreDamaged(`${name} can't be read any more: svc-node audit says what is damaged`, { cause });
  }
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

/** The row as stored, with the entry that may hold its context (snapshots.ts). */
export type StoredSnapshotRow = readonly [...SnapshotRow, contextAt: number | null];

export function snapshotInRow(row: SnapshotRow): Snapshot {
  const [kind, id, version, state, context, lastHash, machine, createdAt, updatedAt] = row;
  const parsed = readable(`the snapshot of ${kind}/${id}`, () => JSON.parse(context));
  return { kind, id, version, state, context: parsed, lastHash, machine, createdAt, updatedAt };
}

/** The row to write for a snapshot, whose context is already a text. */
export const snapshotRowOf = (s: SnapshotJob): SnapshotRow => [
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

/** The first 48 bits of a transaction hash: an index on them finds its receipts and few others. */
export const txPrefix = (txHash: string): number => Number.parseInt(txHash.slice(2, 14), 16) || 0;

/** Needs `receipts r LEFT JOIN receipts p ON p.number = r.number - 1`. */
export const receiptColumns = 'r.number, p.receipt_hash, r.receipt_hash, r.receipt';
export const receiptTables = 'receipts r LEFT JOIN receipts p ON p.number = r.number - 1';

export type ReceiptRow = readonly [number: number, prevReceipt: string | null, receiptHash: string, receipt: string];

export function numberedReceipt([number, prevReceipt, receiptHash, text]: ReceiptRow): NumberedReceipt {
  const receipt = readable(`receipt ${number}`, () => JSON.parse(text) as Receipt);
  return { ...receipt, number, prevReceipt: prevReceipt ?? noHash, receiptHash };
}

export const hashBytes = (hash: string): Uint8Array => Buffer.from(hash, 'hex');
