/**
 * All data of the reference store as plain maps, and how one commit changes them. Deliberately simple: unique keys are strings
 * in a map, and sums are computed when they are read.
 */
import { canonical } from '../../core/canonical.js';
import { type LeafText, leafText } from '../../core/leaf.js';
import { assert } from '../../core/refusal.js';
import { foldEntry } from '../../machines/kernel/ledger.js';
import { type HistoryType, partiesOf } from '../../machines/kernel/posting.js';
import { chainHashOf, type EntryCore, keysOf, noHash, type Receipt, receiptHashOf } from '../entry.js';
import {
  type Account,
  type Alarm,
  type AppendResult,
  type Commit,
  type Snapshot,
  type SnapshotWrite,
  unseenAccount,
} from '../store.js';
import { MemorySearch } from './search.js';

/** The stored form of an entry: its texts, as in every other store, so that readers rebuild it in the same way. */
export interface MemoryEntryRow {
  readonly coreText: string;
  readonly payloadText: string;
  readonly entryHash: string;
  readonly prevEntry: string;
  readonly chainHash: string;
}

export interface MemoryTouch {
  readonly seq: number;
  readonly move: number;
  readonly type: HistoryType;
}

export interface MemoryReceiptRow {
  readonly text: string;
  readonly prevReceipt: string;
  readonly receiptHash: string;
}

export class Tables {
  /** Entry n is at index n-1. */
  readonly journal: MemoryEntryRow[] = [];
  /** Unique key → seq of the entry that holds it. */
  readonly keys = new Map<string, number>();
  /** Seq of an entry with an idempotency key → JSON of the snapshots that it wrote. */
  readonly replies = new Map<number, string>();
  readonly accounts = new Map<string, Account>();
  readonly house = { supply: 0, fees: 0 };
  /** `<kind>/<id>` → JSON of the snapshot, as text so that a stored one can't be changed. */
  readonly snapshots = new Map<string, string>();
  readonly labels = new Map<string, Set<string>>();
  readonly alarms = new Map<string, Alarm>();
  readonly touches = new Map<string, MemoryTouch[]>();
  readonly receipts: MemoryReceiptRow[] = [];
  readonly search = new MemorySearch((hash) => this.text(hash));
  /** SHA-256 → bytes, and the hash of the entry that brought them. */
  readonly contents = new Map<string, { readonly entry: string; readonly bytes: Uint8Array }>();
  /** Table → id → record. */
  readonly local = new Map<string, Map<string, { revision: number; text: string }>>();

  snapshot(kind: string, id: string): Snapshot | undefined {
    const text = this.snapshots.get(`${kind}/${id}`);
    return text === undefined ? undefined : (JSON.parse(text) as Snapshot);
  }

  text(hash: string): LeafText | undefined {
    const content = this.contents.get(hash);
    return content && leafText(content.bytes);
  }

  append({ entry, snapshots, contents = [], erases }: Commit): AppendResult {
    const { core } = entry;
    const written = snapshots.map(({ snapshot: s }) => `${s.kind}/${s.id}@${s.version}`);
    const versioned = core.versions.map((v) => `${v.kind}/${v.id}@${v.version}`);
    assert(written.sort().join() === versioned.sort().join(), 'an entry has one snapshot for each version');
    const taken = this.#takenKey(core);
    if (taken !== undefined) return { ok: false, taken };

    const seq = this.journal.length + 1;
    const prevEntry = this.journal.at(-1)?.chainHash ?? noHash;
    const chainHash = chainHashOf(seq, prevEntry, entry.entryHash);
    const { coreText, payloadText, entryHash } = entry;
    this.#fold(core, seq);
    this.journal.push({ coreText, payloadText, entryHash, prevEntry, chainHash });
    for (const key of keysOf(core)) this.keys.set(key, seq);
    for (const { hash, bytes } of contents) {
      if (!this.contents.has(hash)) this.contents.set(hash, { entry: entryHash, bytes: bytes.slice() });
    }
    for (const write of snapshots) this.#keep(write);
    if (erases?.reworded) this.search.reword(erases.reworded);
    if (erases) this.contents.delete(erases.hash);
    if (core.idem) this.replies.set(seq, JSON.stringify(snapshots.map(({ snapshot }) => snapshot)));
    core.moves.forEach((move, index) => {
      for (const [did, type] of partiesOf(move)) this.#touch(did, { seq, move: index, type });
    });
    return { ok: true, seq, prevEntry, chainHash };
  }

  appendReceipt(receipt: Receipt): void {
    const number = this.receipts.length + 1;
    const prevReceipt = this.receipts.at(-1)?.receiptHash ?? noHash;
    const receiptHash = receiptHashOf(number, prevReceipt, receipt);
    this.receipts.push({ text: canonical(receipt), prevReceipt, receiptHash });
  }

  /** The first unique key that is taken, or whose predecessor is missing: chains have no gaps. */
  #takenKey(core: EntryCore): string | undefined {
    const { issuer, nonce, prev } = core.event;
    const heads = new Map<string, { at: number; prev?: string | null; head: number; hash?: string | null }>();
    const signer = this.accounts.get(issuer) ?? unseenAccount(issuer);
    heads.set(`nonce/${issuer}#${nonce}`, { at: nonce, prev, head: signer.nonce, hash: signer.lastHash });
    for (const v of core.versions) {
      const now = this.snapshot(v.kind, v.id);
      const hash = now?.lastHash ?? null;
      heads.set(`${v.kind}/${v.id}@${v.version}`, { at: v.version, prev: v.prev, head: now?.version ?? 0, hash });
    }
    for (const { did, version } of core.accounts) {
      heads.set(`account/${did}@${version}`, { at: version, head: this.accounts.get(did)?.version ?? 0 });
    }
    return keysOf(core).find((key) => {
      if (this.keys.has(key)) return true;
      const claim = heads.get(key);
      return claim !== undefined && (claim.at !== claim.head + 1 || claim.prev !== claim.hash);
    });
  }

  /** Checks the whole entry before changing anything, so that a failed assertion leaves no half-applied entry. */
  #fold(core: EntryCore, seq: number): void {
    const next = new Map<string, Account>();
    const account = (did: string) => {
      const row = next.get(did) ?? { ...(this.accounts.get(did) ?? unseenAccount(did)), seq };
      next.set(did, row);
      return row;
    };
    foldEntry(core, { account, system: this.house });
    for (const [did, row] of next) this.accounts.set(did, row);
  }

  #keep({ snapshot, addLabels, dropLabels, alarm, search }: SnapshotWrite): void {
    const { kind, id } = snapshot;
    const key = `${kind}/${id}`;
    this.snapshots.set(key, JSON.stringify(snapshot));
    const labels = this.labels.get(key) ?? new Set();
    for (const label of dropLabels) labels.delete(label);
    for (const label of addLabels) labels.add(label);
    this.labels.set(key, labels);
    if (search) this.search.keep({ ...search, snapshot });
    if (alarm === null) this.alarms.delete(key);
    else if (alarm) this.alarms.set(key, { kind, id, action: alarm.action, at: alarm.at });
  }

  #touch(did: string, touch: MemoryTouch): void {
    const touches = this.touches.get(did) ?? [];
    const known = touches.some((t) => t.seq === touch.seq && t.move === touch.move && t.type === touch.type);
    if (!known) touches.push(touch);
    this.touches.set(did, touches);
  }
}
