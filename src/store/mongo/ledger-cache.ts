/**
 * A cache of ledger rows and resource heads as of the newest processed entry. Rows are the fold of the numbered
 * journal, so every process computes the same row and repeated writes are harmless. A row's `seq` makes each entry
 * count once.
 */

import { assert } from '../../core/refusal.js';
import { accountChanges, foldEntry, ledgerViolation } from '../../machines/kernel/ledger.js';
import { historyTypes } from '../../machines/kernel/posting.js';
import { type EntryCore, noHash } from '../entry.js';
import type { Collections } from './database.js';
import {
  type AccountDocument,
  blankAccount,
  type OrderDocument,
  type ResourceDocument,
  type SystemDocument,
  systemId,
} from './documents.js';
import type { Outage } from './outage.js';
import { Recent } from './recent.js';

/** Rows and heads kept in memory; about 0.5 KiB each. */
const kept = 20_000;

type StoredHead = Omit<ResourceDocument, 'body'>;

export interface EntryNames {
  readonly accounts: readonly string[];
  readonly resources: readonly { readonly _id: string }[];
}

/** Why an entry can't be inserted in the current state. */
export type Doubt =
  /** A key is taken, or its predecessor is not the newest version. */
  | { readonly taken: string }
  /** The ledger refuses it: a balance would go below zero. */
  | { readonly short: string };

export class LedgerCache {
  system: SystemDocument = { _id: systemId, seq: 0, chain: noHash, supply: 0, fees: 0 };
  readonly #rows = new Recent<AccountDocument>(kept);
  readonly #heads = new Recent<StoredHead>(kept);
  /** Rows that are not written yet and must stay in memory. */
  readonly #unwritten = new Set<AccountDocument>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly collections: Pick<Collections, 'accounts' | 'resources'>,
    private readonly outage: Outage,
  ) {}

  /** Runs one task at a time, so that no entry is folded while rows are read from the database. */
  exclusively<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    // A failure is reported to its own caller and doesn't affect the next task.
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Undefined if the resource does not exist. */
  head(resource: string): StoredHead | undefined {
    const head = this.#heads.get(resource);
    assert(head, 'heads are read before they are asked for');
    return head.version === 0 ? undefined : head;
  }

  /** Loads missing rows and heads. Call inside `exclusively`. */
  async load(entries: readonly EntryNames[]): Promise<void> {
    const dids = new Set<string>();
    const resources = new Set<string>();
    for (const entry of entries) {
      for (const did of entry.accounts) if (!this.#rows.get(did)) dids.add(did);
      for (const { _id } of entry.resources) if (!this.#heads.get(_id)) resources.add(_id);
    }
    if (dids.size + resources.size > 0) await Promise.all([this.#readRows([...dids]), this.#readHeads([...resources])]);
  }

  /**
   * Why the entry can't be inserted: it is not next in one of its streams, or a balance is too small. Undefined if it
   * can be. Everything that it names must be loaded.
   */
  doubt(core: EntryCore): Doubt | undefined {
    const { issuer, nonce, prev } = core.event;
    const signer = this.#row(issuer);
    if (nonce !== signer.nonce + 1 || prev !== signer.lastHash) return { taken: `nonce/${issuer}#${nonce}` };
    for (const { kind, id, version, prev: before } of core.versions) {
      const head = this.head(`${kind}/${id}`);
      if (version !== (head?.version ?? 0) + 1 || before !== (head?.lastHash ?? null)) {
        return { taken: `${kind}/${id}@${version}` };
      }
    }
    for (const { did, version } of core.accounts) {
      if (version !== this.#row(did).version + 1) return { taken: `account/${did}@${version}` };
    }
    const stale = this.staleRead(core);
    return stale === undefined ? this.#shortfall(core) : { taken: stale };
  }

  /** The key of the version that made one of the entry's reads stale, if any. */
  staleRead({ reads }: EntryCore): string | undefined {
    const moved = reads.find(({ kind, id, version }) => (this.head(`${kind}/${id}`)?.version ?? 0) !== version);
    return moved && `${moved.kind}/${moved.id}@${moved.version + 1}`;
  }

  /** Whether this entry has a number. Nonces are unique and numbered in order. */
  isNumbered({ event }: EntryCore): boolean {
    return this.#row(event.issuer).nonce >= event.nonce;
  }

  /**
   * Folds a numbered entry in.
   * @param whole all its rows are loaded and will be written; otherwise only cached rows change
   */
  fold({ core, accounts }: EntryNames & { core: EntryCore }, order: OrderDocument, whole: boolean): void {
    const { _id: seq, chain, touches } = order;
    const changed = new Map<string, AccountDocument>();
    for (const did of accounts) {
      const row = this.#rows.get(did);
      assert(row !== undefined || !whole, 'rows are read before they are folded');
      if (row && row.seq < seq) changed.set(did, row);
    }
    foldEntry(core, {
      account: (name) => changed.get(name),
      system: this.system.seq < seq ? this.system : undefined,
    });
    for (const { did, type } of touches) {
      const row = changed.get(did);
      if (row) row[historyTypes[type]!]++;
    }
    for (const row of changed.values()) {
      row.seq = seq;
      if (whole) this.#unwritten.add(row);
    }
    if (this.system.seq < seq) Object.assign(this.system, { seq, chain });
  }

  /** Updates a cached head after a numbered entry. */
  learn({ body: _, ...head }: ResourceDocument): void {
    const known = this.#heads.get(head._id);
    if (known && known.version < head.version) this.#heads.set(head._id, head);
  }

  unwritten(): AccountDocument[] {
    return [...this.#unwritten];
  }

  /** Marks rows up to this entry as written, by any process. */
  written(seq: number): void {
    for (const row of this.#unwritten) if (row.seq <= seq) this.#unwritten.delete(row);
  }

  #row(did: string): AccountDocument {
    const row = this.#rows.get(did);
    assert(row, 'rows are read before they are asked for');
    return row;
  }

  #shortfall(core: EntryCore): Doubt | undefined {
    const rows = { account: (name: string) => this.#row(name), system: this.system };
    const short = ledgerViolation(accountChanges(core), rows);
    return short === undefined ? undefined : { short };
  }

  async #readRows(dids: string[]): Promise<void> {
    this.#rows.trim([...this.#unwritten].map((row) => [row._id, row]));
    if (dids.length === 0) return;
    const query = { _id: { $in: dids } };
    const found = await this.outage.retry(() => this.collections.accounts.find(query).toArray());
    for (const did of dids) this.#rows.set(did, blankAccount(did));
    for (const row of found) this.#rows.set(row._id, row as AccountDocument);
  }

  async #readHeads(resources: string[]): Promise<void> {
    this.#heads.trim([]);
    if (resources.length === 0) return;
    const query = { _id: { $in: resources } };
    const found = await this.outage.retry(() =>
      this.collections.resources.find(query, { projection: { body: 0 } }).toArray(),
    );
    for (const _id of resources) this.#heads.set(_id, noHead(_id));
    for (const head of found) this.#heads.set(head._id, head);
  }
}

const noHead = (_id: string): StoredHead => ({
  _id,
  kind: '',
  id: '',
  version: 0,
  state: '',
  lastHash: '',
  createdAt: 0,
  labels: [],
  alarm: null,
});
