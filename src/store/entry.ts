/**
 * The data of the journal (docs/reference/events-and-entries.md#entries): the signed event, the entry around it, its
 * number in the order, and its receipts.
 */
import { dayMs } from '../core/bounds.js';
import { canonical, sha256Hex } from '../core/canonical.js';
import { partiesOf } from '../machines/kernel/posting.js';
import type { Request } from '../machines/kernel/resource.js';
import type { EntryCore, Receipt } from './journal-form.js';
import { payloadOf, storedPayloadOf } from './payload.js';

export type { EntryCore, EventBody, IdempotencyRecord, Receipt, SignedEvent, Version } from './journal-form.js';

export interface Entry {
  readonly core: EntryCore;
  readonly entryHash: string;
  /** RFC 8785 text of `core`: what is stored, and what `entryHash` covers. */
  readonly coreText: string;
  /** RFC 8785 text of the stored payload (payload.ts), which `core.event.payloadHash` covers. */
  readonly payloadText: string;
  readonly payload: Request;
}

/** An entry with its place in the journal. `seq` starts at 1 and has no gaps. */
export interface NumberedEntry extends Entry {
  readonly seq: number;
  /** `chainHash` of entry seq-1; 64 zeros before the first. */
  readonly prevEntry: string;
  readonly chainHash: string;
}

export interface NumberedReceipt extends Receipt {
  readonly number: number;
  readonly prevReceipt: string;
  readonly receiptHash: string;
}

export const noHash = '0'.repeat(64);

/** The link of the journal's hash chain: binds an entry to its number. */
export const chainHashOf = (seq: number, prevEntry: string, entryHash: string): string =>
  sha256Hex(`svc:journal:v1:${seq}:${prevEntry}:${entryHash}`);

export const receiptHashOf = (number: number, prevReceipt: string, receipt: Receipt): string =>
  sha256Hex(`svc:receipt:v1:${number}:${prevReceipt}:${canonical(receipt)}`);

/**
 * The unique keys of an entry (docs/reference/journal-format.md#unique-keys): if another entry has one of them, the
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
export function entryOf(coreText: string, payloadText: string, entryHash: string): Entry {
  const core = JSON.parse(coreText) as EntryCore;
  return { core, coreText, payloadText, payload: payloadOf(storedPayloadOf(payloadText)), entryHash };
}

/** Like entryOf(), but a damaged text is kept as a text, so that an audit can name the entry. */
export function entryEvenIfDamaged(coreText: string, payloadText: string, entryHash: string): Entry {
  try {
    return entryOf(coreText, payloadText, entryHash);
  } catch {
    return { core: coreEvenIfDamaged(coreText), coreText, payloadText, payload: noPayload, entryHash };
  }
}

const noPayload: Request = Object.freeze({ kind: '', id: '', action: '', input: {} });

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
