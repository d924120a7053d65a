/**
 * The ledger rows and resource heads that this process knows, as of the newest numbered entry that it has taken in.
 * They are the fold of the numbered journal, so every process that folds the same entry into the same row gets the
 * same row: whoever writes it, and however often, writes the same. An entry counts once, by the row's `seq`.
 */
import { assert } from '../../machines/kernel/refusal.js';
import { type EntryCore, noHash } from '../entry.js';
import type { Away } from './away.js';
import type { Collections } from './database.js';
import {
  type AccountDocument,
  blankAccount,
  type HouseDocument,
  historyTypes,
  houseId,
  type OrderDocument,
  type ResourceDocument,
} from './documents.js';
import { Recent } from './recent.js';

/** Rows and heads kept in memory; about 0.5 KiB each. */
const kept = 20_000;

type Head = Omit<ResourceDocument, 'body'>;

/** What an entry reads and changes, by name. */
export interface Named {
  readonly accounts: readonly string[];
  readonly resources: readonly { readonly _id: string }[];
}

/** Why an entry can't be written as things stand here. */
export type Doubt =
  /** The key is held already, or its predecessor is not the newest. */
  | { readonly taken: string }
  /** The ledger can't take it: a balance would go below zero. */
  | { readonly short: string };

export class Ledger {
  house: HouseDocument = { _id: houseId, seq: 0, chain: noHash, supply: 0, fees: 0 };
  readonly #rows = new Recent<AccountDocument>(kept);
  readonly #heads = new Recent<Head>(kept);
  /** Rows that are ahead of the database: they may not leave memory. */
  readonly #unwritten = new Set<AccountDocument>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly collections: Pick<Collections, 'accounts' | 'resources'>,
    private readonly away: Away,
  ) {}

  /** One at a time: nobody folds while another reads rows from the database. */
  alone<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    // The next one's turn comes all the same; what failed is its own caller's affair.
    this.#turn = result.catch(() => {});
    return result;
  }

  /** Undefined where there is none. */
  head(resource: string): Head | undefined {
    const head = this.#heads.get(resource);
    assert(head, 'heads are read before they are asked for');
    return head.version === 0 ? undefined : head;
  }

  /** Reads what is not in memory yet; only while alone. */
  async know(entries: readonly Named[]): Promise<void> {
    const dids = new Set<string>();
    const resources = new Set<string>();
    for (const entry of entries) {
      for (const did of entry.accounts) if (!this.#rows.get(did)) dids.add(did);
      for (const { _id } of entry.resources) if (!this.#heads.get(_id)) resources.add(_id);
    }
    if (dids.size + resources.size > 0) await Promise.all([this.#readRows([...dids]), this.#readHeads([...resources])]);
  }

  /** Whether the entry is the next of all its streams and can be paid for; all that it names must be known. */
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

  /** The key of the version that came after one on which the entry rests, where there is one. */
  staleRead({ reads }: EntryCore): string | undefined {
    const moved = reads.find(({ kind, id, version }) => (this.head(`${kind}/${id}`)?.version ?? 0) !== version);
    return moved && `${moved.kind}/${moved.id}@${moved.version + 1}`;
  }

  /** Whether this entry has a number already: nonces are unique and numbered in their order. */
  isNumbered({ event }: EntryCore): boolean {
    return this.#row(event.issuer).nonce >= event.nonce;
  }

  /** Takes a numbered entry in. @param whole all its rows are known and will be written; else those in memory change */
  fold({ core, accounts }: Named & { core: EntryCore }, order: OrderDocument, whole: boolean): void {
    const { _id: seq, chain, touches } = order;
    const changed = new Map<string, AccountDocument>();
    for (const did of accounts) {
      const row = this.#rows.get(did);
      assert(row !== undefined || !whole, 'rows are read before they are folded');
      if (row && row.seq < seq) changed.set(did, row);
    }
    this.#book(core, changed, this.house.seq < seq);
    for (const { did, version } of core.accounts) {
      const row = changed.get(did);
      if (row) row.version = version;
    }
    for (const move of core.moves) {
      const row = move.op === 'freeze' || move.op === 'unfreeze' ? changed.get(move.did) : undefined;
      if (row) row.frozen = move.op === 'freeze';
    }
    for (const { did, type } of touches) {
      const row = changed.get(did);
      if (row) row[historyTypes[type]!]++;
    }
    const signer = changed.get(core.event.issuer);
    if (signer) Object.assign(signer, { nonce: core.event.nonce, lastHash: core.event.hash });
    for (const row of changed.values()) {
      row.seq = seq;
      if (whole) this.#unwritten.add(row);
    }
    if (this.house.seq < seq) Object.assign(this.house, { seq, chain });
  }

  /** A resource as a numbered entry leaves it. */
  learn({ body: _, ...head }: ResourceDocument): void {
    const known = this.#heads.get(head._id);
    if (known && known.version < head.version) this.#heads.set(head._id, head);
  }

  /** Rows that the database has not yet. */
  unwritten(): AccountDocument[] {
    return [...this.#unwritten];
  }

  /** All is written up to this number, by whomever. */
  written(seq: number): void {
    for (const row of this.#unwritten) if (row.seq <= seq) this.#unwritten.delete(row);
  }

  #row(did: string): AccountDocument {
    const row = this.#rows.get(did);
    assert(row, 'rows are read before they are asked for');
    return row;
  }

  #book({ postings }: EntryCore, rows: ReadonlyMap<string, AccountDocument>, houseToo: boolean): void {
    let sum = 0;
    for (const [name, delta] of postings) {
      sum += delta;
      const slash = name.indexOf('/');
      if (slash === -1) {
        assert(name === 'supply' || name === 'fees', `no ledger account ${name}`);
        if (houseToo) this.house[name] += delta;
        assert(this.house.fees >= 0, 'fees would go below zero');
        continue;
      }
      const balance = balanceOf(name, slash);
      const row = rows.get(name.slice(slash + 1));
      if (!row) continue;
      row[balance] += delta;
      assert(row[balance] >= 0 && Number.isSafeInteger(row[balance]), `${name} would become ${row[balance]}`);
    }
    assert(sum === 0, 'postings do not sum to zero');
  }

  /** As the fold would assert, before anything is written. */
  #shortfall({ postings }: EntryCore): Doubt | undefined {
    const values = new Map<string, number>();
    let sum = 0;
    for (const [name, delta] of postings) {
      sum += delta;
      const slash = name.indexOf('/');
      if (name === 'supply') continue;
      const now =
        values.get(name) ?? (slash === -1 ? this.house.fees : this.#row(name.slice(slash + 1))[balanceOf(name, slash)]);
      const next = now + delta;
      if (next < 0 || !Number.isSafeInteger(next)) return { short: `${name} would become ${next}` };
      values.set(name, next);
    }
    return sum === 0 ? undefined : { short: 'postings do not sum to zero' };
  }

  async #readRows(dids: string[]): Promise<void> {
    this.#rows.trim([...this.#unwritten].map((row) => [row._id, row]));
    if (dids.length === 0) return;
    const query = { _id: { $in: dids } };
    const found = await this.away.insist(() => this.collections.accounts.find(query).toArray());
    for (const did of dids) this.#rows.set(did, blankAccount(did));
    for (const row of found) this.#rows.set(row._id, row as AccountDocument);
  }

  async #readHeads(resources: string[]): Promise<void> {
    this.#heads.trim([]);
    if (resources.length === 0) return;
    const query = { _id: { $in: resources } };
    const found = await this.away.insist(() =>
      this.collections.resources.find(query, { projection: { body: 0 } }).toArray(),
    );
    for (const _id of resources) this.#heads.set(_id, noHead(_id));
    for (const head of found) this.#heads.set(head._id, head);
  }
}

/** Stands for a resource that does not exist. */
const noHead = (_id: string): Head => ({
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

function balanceOf(name: string, slash: number): 'available' | 'reserved' | 'escrowed' {
  const balance = name.slice(0, slash);
  assert(balance === 'available' || balance === 'reserved' || balance === 'escrowed', `no ledger account ${name}`);
  return balance;
}
