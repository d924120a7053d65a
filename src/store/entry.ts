/**
 * The data of the journal (docs/reference/events-and-entries.md#entries): the signed event, the entry around it, its
 * number in the order, and its receipts.
 */
import { canonical, type Json, type JsonObject, sha256Hex } from '../core/canonical.js';
import { type Move, type Posting, partiesOf } from '../machines/kernel/posting.js';

/** What the signer signs. Hashes are SHA-256 in lower-case hex; times are epoch milliseconds. */
export interface EventBody {
  /** Version 1 has no `home`. */
  readonly v: 1 | 2;
  /** Dotted, past tense: `escrow.released`. */
  readonly type: string;
  readonly issuer: string;
  /** DID of the home for whose journal it is signed; since version 2. */
  readonly home?: string;
  readonly nonce: number;
  readonly ts: number;
  /** Hash of the issuer's previous event; null for its first. */
  readonly prev: string | null;
  readonly network: string;
  /** SHA-256 of the RFC 8785 form of `{ salt, payload }`. */
  readonly payloadHash: string;
  /** The public key that signed, hex: the issuer's own. */
  readonly pub: string;
}

export interface SignedEvent extends EventBody {
  /** SHA-256 of the RFC 8785 form without `hash` and `sig`. */
  readonly hash: string;
  /** base58btc Ed25519 over `svc:event:v1:` + the same bytes. */
  readonly sig: string;
}

/** The request, normalised, without secret members. Stored next to the event; can be redacted. */
export interface Payload {
  readonly kind: string;
  readonly id: string;
  readonly action: string;
  readonly input: JsonObject;
  /** Ids that the node chose for further resources of the same request, by their part in the workflow. */
  readonly ids?: { readonly [part: string]: string };
}

/** One resource's new version within an entry. */
export interface Version {
  readonly kind: string;
  readonly id: string;
  /** 1 for the creation, then without gaps. */
  readonly version: number;
  /** Hash of the resource's previous event; null for its creation. */
  readonly prev: string | null;
  /** The definition's version (a hash of states, transitions, guards, effects). */
  readonly machine: string;
  /** States that the resource went through within this entry: `[created, funded]`. */
  readonly path: readonly string[];
  /**
   * The machine events that led to the states of `path`, if the request was about another resource: `[create, fund]`.
   */
  readonly via?: readonly string[] | undefined;
  /** SHA-256 of the RFC 8785 form of `{ state, context }` after this entry. */
  readonly stateHash: string;
}

/** A resource that the step has read and the entry does not write; version 0 if it did not exist. */
export interface ReadVersion {
  readonly kind: string;
  readonly id: string;
  readonly version: number;
}

/** An account that was debited in `available`, frozen or unfrozen: its new version. */
export interface AccountVersion {
  readonly did: string;
  readonly version: number;
}

/** What is needed to render a reply again. */
export interface IdempotencyRecord {
  /** Signer DID, else API key id, else address of origin. */
  readonly principal: string;
  readonly key: string;
  /** HMAC of the body, under a secret of the database. */
  readonly fingerprint: string;
  /** HTTP status of the first reply. */
  readonly status: number;
}

/** The immutable part; `entryHash` = SHA-256 of its RFC 8785 form. */
export interface EntryCore {
  readonly v: 1;
  readonly event: SignedEvent;
  /** DID of the node that sequenced it. */
  readonly home: string;
  /** The node's clock, never decreasing along one home's entries. */
  readonly time: number;
  /**
   * Version of the definition that decided the request, with the workflow's revision behind a `+` if several resources
   * were written.
   */
  readonly law: string;
  readonly versions: readonly Version[];
  /** In order of kind and id. */
  readonly reads: readonly ReadVersion[];
  readonly accounts: readonly AccountVersion[];
  /** Moves of Tokens; each is one settlement operation. */
  readonly moves: readonly Move[];
  readonly postings: readonly Posting[];
  readonly idem: IdempotencyRecord | null;
}

export interface Entry {
  readonly core: EntryCore;
  readonly entryHash: string;
  /** RFC 8785 text of `core`: what is stored, and what `entryHash` covers. */
  readonly coreText: string;
  /** RFC 8785 text of `{ payload, salt }`: what `core.event.payloadHash` covers; null once redacted. */
  readonly payloadText: string | null;
  readonly payload: Payload | null;
}

/** An entry with its place in the journal. `seq` starts at 1 and has no gaps. */
export interface NumberedEntry extends Entry {
  readonly seq: number;
  /** `chainHash` of entry seq-1; 64 zeros before the first. */
  readonly prevEntry: string;
  readonly chainHash: string;
}

/** Proof of settlement: append-only, keyed by entry hash, hash-chained; the newest receipt of an entry counts. */
export interface Receipt {
  readonly entryHash: string;
  /** Number of the entry. */
  readonly seq: number;
  readonly status: 'confirmed' | 'pending' | 'reverted';
  readonly txHash: string;
  readonly blockNumber: number;
  readonly detail?: Json;
}

export interface NumberedReceipt extends Receipt {
  readonly number: number;
  readonly prevReceipt: string;
  readonly receiptHash: string;
}

export const noHash = '0'.repeat(64);
export const dayMs = 86_400_000;

/** The link of the journal's hash chain: binds an entry to its number. */
export const chainHashOf = (seq: number, prevEntry: string, entryHash: string): string =>
  sha256Hex(`svc:journal:v1:${seq}:${prevEntry}:${entryHash}`);

export const receiptHashOf = (number: number, prevReceipt: string, receipt: Receipt): string =>
  sha256Hex(`svc:receipt:v1:${number}:${prevReceipt}:${canonical(receipt)}`);

/** The home of a journal, by its first entry (docs/reference/events-and-entries.md#home). */
export const homeOf = ({ event, home }: EntryCore): string => event.home ?? home;

/**
 * The unique keys of an entry (docs/reference/events-and-entries.md#unique-keys): if another entry has one of them, the
 * whole entry is refused.
 */
export function keysOf(core: EntryCore): string[] {
  const keys = [`nonce/${core.event.issuer}#${core.event.nonce}`];
  for (const { kind, id, version } of core.versions) keys.push(`${kind}/${id}@${version}`);
  for (const { did, version } of core.accounts) keys.push(`account/${did}@${version}`);
  if (core.idem) keys.push(...idemKeys(core.idem.principal, core.idem.key, core.time));
  return keys;
}

/** An idempotency key is unique on the day of its entry and the next, so for at least 24 hours. */
export function idemKeys(principal: string, key: string, time: number): [today: string, tomorrow: string] {
  const day = Math.floor(time / dayMs);
  return [`idem/${principal}#${key}@${day}`, `idem/${principal}#${key}@${day + 1}`];
}

/** Rebuilds an entry from its stored texts without verifying them; an audit does that. */
export function entryOf(coreText: string, payloadText: string | null, entryHash: string): Entry {
  const core = JSON.parse(coreText) as EntryCore;
  return { core, coreText, payloadText, payload: payloadOf(payloadText), entryHash };
}

export const payloadOf = (payloadText: string | null): Payload | null =>
  payloadText === null ? null : (JSON.parse(payloadText) as { payload: Payload }).payload;

/** Like entryOf(), but a damaged text is kept as a text, so that an audit can name the entry. */
export function entryEvenIfDamaged(coreText: string, payloadText: string | null, entryHash: string): Entry {
  try {
    return entryOf(coreText, payloadText, entryHash);
  } catch {
    return { core: coreEvenIfDamaged(coreText), coreText, payloadText, payload: null, entryHash };
  }
}

function coreEvenIfDamaged(text: string): EntryCore {
  try {
    return JSON.parse(text) as EntryCore;
  } catch {
    const [, hash] = /"hash":"([0-9a-f]{64})"/.exec(text) ?? []; // the first hash in the text is the event's
    return (hash ? { event: { hash } } : {}) as EntryCore;
  }
}

/**
 * The names by which the journal's filter `resource` finds an entry: `<kind>/<id>`, and `account/<did>` where Tokens
 * moved.
 */
export function resourcesOf({ versions, moves }: Pick<EntryCore, 'versions' | 'moves'>): ReadonlySet<string> {
  const found = new Set(versions.map(({ kind, id }) => `${kind}/${id}`));
  for (const move of moves) for (const [did] of partiesOf(move)) found.add(`account/${did}`);
  return found;
}
