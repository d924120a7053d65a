/**
 * What lies in the database. An entry is one document, written once and never changed; everything else is either its
 * number (`order`) or a projection that follows from numbered entries. Texts that came from a caller are values, never
 * names of fields, and no query is built from more than strings and numbers.
 */
import type { Binary } from 'mongodb';
import { type HistoryType, type Move, partiesOf } from '../../machines/kernel/posting.js';
import { type EntryCore, entryOf, type NumberedEntry } from '../entry.js';
import type { SearchWrite } from '../search/search.js';
import { type Alarm, type Snapshot, unseenAccount } from '../store.js';

export interface EntryDocument {
  /** The entry hash. */
  readonly _id: string;
  /** Unique over all entries: what makes one of two writers lose. */
  readonly keys: readonly string[];
  readonly core: string;
  readonly payload: string | null;
  /** The resources as this entry leaves them: their documents, so that a projection needs nothing else. */
  readonly writes: readonly EntryWrite[];
  /** The process that inserted it, and its how-manieth: by these a successor finds what was left without a number. */
  readonly process: string;
  readonly nth: number;
}

export interface OrderDocument {
  /** The number. */
  readonly _id: number;
  readonly entry: string;
  readonly event: string;
  readonly prev: string;
  readonly chain: string;
  /** Fencing token of the lease under which it was numbered. */
  readonly token: number;
  /** What `entries` and `history` select by. */
  readonly tags: readonly string[];
  readonly touches: readonly Touch[];
}

/** A move that a DID finds in its history; an entry's touches are in the order of a history: the last move first. */
export interface Touch {
  readonly did: string;
  readonly type: number;
  readonly move: number;
}

export interface ResourceDocument {
  /** `<kind>/<id>` */
  readonly _id: string;
  readonly kind: string;
  readonly id: string;
  readonly version: number;
  readonly state: string;
  readonly lastHash: string;
  readonly createdAt: number;
  readonly labels: readonly string[];
  readonly alarm: { readonly at: number; readonly action: string } | null;
  /** JSON of the snapshot. */
  readonly body: string;
}

/** A resource as an entry leaves it, with what that means for the search index. */
export interface EntryWrite extends ResourceDocument {
  readonly search?: SearchWrite;
}

/** A row of the ledger as of entry `seq`, the newest that touched it. */
export interface AccountDocument {
  /** The DID. */
  readonly _id: string;
  available: number;
  reserved: number;
  escrowed: number;
  version: number;
  frozen: boolean;
  nonce: number;
  lastHash: string | null;
  seq: number;
  /** Lengths of the history, by type. */
  sent: number;
  received: number;
  escrow: number;
}

/** Beside the accounts: up to which entry everything is projected, and what belongs to no DID. */
export interface HouseDocument {
  readonly _id: string;
  seq: number;
  chain: string;
  supply: number;
  fees: number;
}

/** No DID is spelled like this. */
export const houseId = '@house';

export interface ReceiptDocument {
  /** Its number. */
  readonly _id: number;
  readonly entry: string;
  /** Hash of the transaction. */
  readonly tx: string;
  readonly prev: string;
  readonly hash: string;
  readonly body: string;
}

/** Bytes that entries brought. */
export interface ContentDocument {
  /** Their SHA-256, hex. */
  readonly _id: string;
  /** Hashes of these entries: several where they brought the same, and some that never got a number. */
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
  /** Who wrote this revision: by it a writer whose reply was lost knows its own. */
  readonly write: string;
}

/** How a history type is stored; the order breaks ties in a history. */
export const historyTypes: readonly HistoryType[] = ['sent', 'received', 'escrow'];

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

/** Who finds which move under which type, each once, the last move first. */
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

/** The DIDs whose rows an entry changes. */
export function accountsOf({ event, accounts, moves, postings }: EntryCore): string[] {
  const dids = new Set([event.issuer]);
  for (const { did } of accounts) dids.add(did);
  for (const [name] of postings) {
    const slash = name.indexOf('/');
    if (slash !== -1) dids.add(name.slice(slash + 1));
  }
  for (const move of moves) {
    if (move.op === 'freeze' || move.op === 'unfreeze') dids.add(move.did);
    else for (const [did] of partiesOf(move)) dids.add(did);
  }
  return [...dids];
}

/** The resources that an entry writes, and those that its decision rests on. */
export const resourcesOf = ({ versions, reads }: EntryCore): { readonly _id: string }[] =>
  [...versions, ...reads].map(({ kind, id }) => ({ _id: `${kind}/${id}` }));

type Place = Pick<OrderDocument, '_id' | 'prev' | 'chain'>;

export function numberedEntry({ _id, core, payload }: EntryDocument, { _id: seq, prev, chain }: Place): NumberedEntry {
  return { ...entryOf(core, payload, _id), seq, prevEntry: prev, chainHash: chain };
}

export const snapshotOf = ({ body }: Pick<ResourceDocument, 'body'>): Snapshot => JSON.parse(body) as Snapshot;

export const alarmOf = ({ kind, id, alarm }: ResourceDocument): Alarm => ({
  kind,
  id,
  action: alarm!.action,
  at: alarm!.at,
});
