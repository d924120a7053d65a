/**
 * Documents of the database. An entry is one document that never changes; everything else is its number (`order`) or
 * a projection of numbered entries. Texts from callers are values, never field names, and queries contain only
 * strings and numbers.
 */
import type { Binary } from 'mongodb';
import { accountChanges, changesRow, type LedgerRow, type SystemBalances } from '../../machines/kernel/ledger.js';
import { type HistoryType, historyTypes, type Move, partiesOf } from '../../machines/kernel/posting.js';
import { type EntryCore, entryOf, type NumberedEntry } from '../entry.js';
import { amountOf } from '../list-order.js';
import type { SearchWrite } from '../search.js';
import { type Alarm, type Erasure, type Snapshot, unseenAccount } from '../store.js';

export interface EntryDocument {
  readonly _id: string;
  /** Unique over all entries, so that one of two concurrent writers loses. */
  readonly keys: readonly string[];
  readonly core: string;
  readonly payload: string;
  /** The resources after this entry, complete, so that the projection needs nothing else. */
  readonly writes: readonly EntryWrite[];
  readonly erases?: Erasure;
  /**
   * The process that inserted the entry, and a counter within the process. A successor uses them to find entries
   * without a number.
   */
  readonly process: string;
  readonly nth: number;
}

export interface OrderDocument {
  readonly _id: number;
  readonly entry: string;
  readonly event: string;
  readonly prev: string;
  readonly chain: string;
  /** Fencing token of the lease under which it was numbered. */
  readonly token: number;
  /** Index terms for `entries` and `history`. */
  readonly tags: readonly string[];
  readonly touches: readonly Touch[];
}

/** A move in a DID's history. An entry's touches are in history order: the last move first. */
export interface Touch {
  readonly did: string;
  readonly type: number;
  readonly move: number;
}

export interface ResourceDocument extends Omit<Snapshot, 'context' | 'machine' | 'updatedAt'> {
  /** `<kind>/<id>` */
  readonly _id: string;
  readonly labels: readonly string[];
  readonly alarm: { readonly at: number; readonly action: string } | null;
  readonly body: string;
  /** Members by which lists are sorted, computed from the body; added by the projection (list-fields.ts). */
  readonly updatedAt?: number;
  readonly amount?: number;
}

/** A resource after an entry, with the change of the search index. */
export interface EntryWrite extends ResourceDocument {
  readonly search?: SearchWrite;
}

/** A row of the ledger after entry `seq`, the newest that changed it. */
export interface AccountDocument extends LedgerRow {
  readonly _id: string;
  seq: number;
  /** Number of history lines by type. */
  sent: number;
  received: number;
  escrow: number;
}

/**
 * Stored among the accounts: the number of the last projected entry, and the balances of the system accounts (fees,
 * supply).
 */
export interface SystemDocument extends SystemBalances {
  readonly _id: string;
  seq: number;
  chain: string;
}

/** Cannot be a DID. */
export const systemId = '@house';

export interface ReceiptDocument {
  readonly _id: number;
  readonly entry: string;
  readonly tx: string;
  readonly prev: string;
  readonly hash: string;
  readonly body: string;
}

export interface ContentDocument {
  /** Their SHA-256, hex. */
  readonly _id: string;
  /** Hashes of the entries that came with the bytes, including some that never got a number. */
  readonly entries: readonly string[];
  readonly bytes: Binary;
}

export interface LocalDocument {
  /** `<table>/<id>` */
  readonly _id: string;
  readonly table: string;
  readonly id: string;
  readonly revision: number;
  readonly value: string;
  /** Id of the write, by which a writer recognises its own write after the reply was lost. */
  readonly write: string;
}

export interface ProcessDocument {
  /** `process/<id>` */
  readonly _id: string;
  readonly beat: number;
  /** Hashes of its entries that are inserted and, as far as it knows, not numbered; in order. */
  readonly ready: readonly string[];
  /** All its entries up to this counter are decided. */
  readonly settled: number;
  readonly home: string | null;
  /** Description of the chain on which it settles, equal only for the same chain; null until its home is known. */
  readonly settlesOn: string | null;
  /** Its wall clock at the heartbeat, epoch ms. */
  readonly now: number;
}

export interface LeaseDocument {
  /** `lease/<name>` */
  readonly _id: string;
  /** Id of a process; null: free. */
  readonly holder: string | null;
  readonly token: number;
}

/** The home of the journal, claimed before the first entry. Once there are entries, they determine the home. */
export interface HomeDocument {
  readonly _id: typeof homeId;
  readonly did: string;
}

export const homeId = 'home';

export interface MetaDocument {
  readonly _id: 'meta';
  readonly app: 'svc-node';
  readonly schema: number;
  readonly network: string;
}

export interface NewsDocument {
  /** `<process>/<counter>` */
  readonly _id: string;
  readonly process: string;
  readonly nth: number;
  /** The process's wall clock at sending, epoch ms. */
  readonly at: number;
  readonly text: string;
}

export function blankAccount(did: string): AccountDocument {
  const { did: _id, ...unseen } = unseenAccount(did);
  return { _id, ...unseen, sent: 0, received: 0, escrow: 0 };
}

export const tagOf = {
  issuer: (did: string) => `i/${did}`,
  type: (type: string) => `t/${type}`,
  /** `<kind>/<id>` or `account/<did>` */
  resource: (resource: string) => `r/${resource}`,
  history: (did: string, type: HistoryType) => `h/${type}/${did}`,
};

/** The history lines of moves, without repetitions, the last move first. */
export function touchesOf(moves: readonly Move[]): Touch[] {
  const touches: Touch[] = [];
  for (let move = moves.length - 1; move >= 0; move--) {
    const parties = partiesOf(moves[move]!).map(([did, type]) => ({ did, type: historyTypes.indexOf(type), move }));
    const [first, second] = parties.sort((a, b) => b.type - a.type);
    if (first) touches.push(first);
    if (second && (second.did !== first?.did || second.type !== first.type)) touches.push(second);
  }
  return touches;
}

export function tagsOf({ event, versions }: EntryCore, touches: readonly Touch[]): string[] {
  const tags = new Set([tagOf.issuer(event.issuer), tagOf.type(event.type)]);
  for (const { kind, id } of versions) tags.add(tagOf.resource(`${kind}/${id}`));
  for (const { did, type } of touches) {
    tags.add(tagOf.resource(`account/${did}`));
    tags.add(tagOf.history(did, historyTypes[type]!));
  }
  return [...tags];
}

/** The accounts whose rows an entry changes, including those whose history it appears in. */
export function accountsOf(core: EntryCore): string[] {
  const changed = [...accountChanges(core)].filter(([name, change]) => changesRow(name, change));
  return [...new Set([...changed.map(([name]) => name), ...touchesOf(core.moves).map(({ did }) => did)])];
}

export const resourceIdsOf = ({ versions, reads }: EntryCore): { readonly _id: string }[] =>
  [...versions, ...reads].map(({ kind, id }) => ({ _id: `${kind}/${id}` }));

type NumberedPlace = Pick<OrderDocument, '_id' | 'prev' | 'chain'>;

export function entryInDocument(
  { _id, core, payload }: EntryDocument,
  { _id: seq, prev, chain }: NumberedPlace,
): NumberedEntry {
  return { ...entryOf(core, payload, _id), seq, prevEntry: prev, chainHash: chain };
}

export const snapshotInDocument = ({ body }: Pick<ResourceDocument, 'body'>): Snapshot => JSON.parse(body) as Snapshot;

export const alarmOf = ({ kind, id, alarm }: ResourceDocument): Alarm => ({
  kind,
  id,
  action: alarm!.action,
  at: alarm!.at,
});

type ListFields = Required<Pick<ResourceDocument, 'updatedAt' | 'amount'>>;

export function listFields({ body }: Pick<ResourceDocument, 'body'>): ListFields {
  const { updatedAt, context } = JSON.parse(body) as Snapshot;
  return { updatedAt, amount: amountOf(context) };
}
