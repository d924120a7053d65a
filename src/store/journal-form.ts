/**
 * The members of a signed event, an entry and a receipt, each stated once (docs/reference/journal-format.md). The types,
 * the check of a stored text and the API's schemas follow from these tables.
 */
import type { Json, JsonObject } from '../core/canonical.js';
import { hashOf } from '../core/canonical.js';
import { isRefusal } from '../core/refusal.js';
import * as is from '../core/schema/scalar.js';
import type { Move, Posting } from '../machines/kernel/posting.js';

/** Versions of the formats that this program writes, and the only ones that it knows. */
export const eventVersion = 3;
export const entryVersion = 2;

const longestName = 200;
const mostParts = 1_000;
const moment = is.integer(0);
const name = is.text(longestName, 1);
const nullableHash = is.nullable(is.hash);
const list = <T>(element: is.Scalar<T>) => is.list(element, 0, mostParts);

const bodyFields = {
  v: is.described(is.integer(eventVersion, eventVersion), 'Version of the event.'),
  type: is.described(name, 'Dotted, past tense: `escrow.released`.'),
  issuer: is.described(is.did, 'DID that signed.'),
  home: is.described(is.did, 'DID of the home for whose journal it is signed.'),
  nonce: is.described(is.integer(1), 'The issuer’s count of its events, from 1.'),
  ts: is.described(moment, 'The signer’s statement of the time; epoch milliseconds.'),
  prev: is.described(nullableHash, 'Hash of the issuer’s previous event; null for its first.'),
  network: is.described(is.text(32, 1), 'Network that it is for: devnet, testnet or mainnet.'),
  payloadHash: is.described(is.hash, 'SHA-256 of the RFC 8785 form of `{ public, sealed }`, hex.'),
  pub: is.described(is.hash, 'The Ed25519 public key that signed, hex: the issuer’s own.'),
  most: is.optional(is.integer(0), 'Tokens that the act may cost its signer at most; absent: any number.'),
  until: is.optional(moment, 'Latest time of an entry with this event; epoch milliseconds; absent: any time.'),
};

const sealFields = {
  hash: is.described(is.hash, 'SHA-256 of the RFC 8785 form without `hash` and `sig`, hex.'),
  sig: is.described(
    is.pattern(/^[A-Za-z0-9_-]{86}$/, '64 bytes in base64url'),
    'Ed25519 over `svc:event:v3:` and that form, or its SHA-256 in hex where it is longer than 1 KiB; base64url.',
  ),
};

/** Members of later versions. No request can have them; an entry that does is of a later version: see `reservedIn`. */
const reservedFields = {
  for: is.described(is.did, 'DID for which the issuer acts.'),
  under: is.described(name, 'Id of the grant under which it does.'),
};

export const reservedNames: ReadonlySet<string> = new Set(Object.keys(reservedFields));

export const eventFields = { ...bodyFields, ...sealFields };

export type EventBody = is.ObjectOf<typeof bodyFields>;
export type SignedEvent = is.ObjectOf<typeof eventFields>;

const versionFields = {
  kind: is.described(name, 'Kind of the resource: `escrow`.'),
  id: is.described(name, 'Id of the resource.'),
  version: is.described(is.integer(1), '1 for the creation, then without gaps.'),
  prev: is.described(nullableHash, 'Hash of the resource’s previous event; null at its creation.'),
  machine: is.described(name, 'The definition version under which it was accepted.'),
  path: is.described(list(name), 'States gone through: `["created", "funded"]`.'),
  via: is.optional(list(name), 'The event at each state of `path`, if the request was about another resource.'),
  stateHash: is.described(
    is.hash,
    'SHA-256 of the RFC 8785 form of `{ context, sealed, state }` after it, hex: the public members of the context, and the salted hash of the others.',
  ),
};
const readFields = {
  kind: is.described(name, 'Kind of the resource.'),
  id: is.described(name, 'Id of the resource.'),
  version: is.described(is.integer(0), 'Version that was read; 0 if it did not exist.'),
};
const accountFields = {
  did: is.described(name, 'A DID, or `fees`.'),
  version: is.described(is.integer(1), 'Counts its debits and freezes, from 1.'),
};
const idempotencyFields = {
  principal: is.described(name, 'DID of the signer; else an HMAC of the API key or address.'),
  key: is.described(is.text(255, 1), 'The Idempotency-Key.'),
  fingerprint: is.described(is.hash, 'HMAC of the body, hex.'),
  status: is.described(is.integer(200, 299), 'HTTP status of the first reply.'),
};

export const entryFields = {
  v: is.described(is.integer(entryVersion, entryVersion), 'Version of the entry.'),
  event: is.object(eventFields),
  home: is.described(is.did, 'DID of the node that sequenced it.'),
  time: is.described(moment, 'The node’s clock, epoch milliseconds: never decreasing, but for a `clock.corrected`.'),
  law: is.described(name, 'Version of the definition that decided, and of the workflow behind a `+`.'),
  versions: is.described(list(is.object(versionFields)), 'The new version of each resource that it changed.'),
  reads: is.described(
    list(is.object(readFields)),
    'Resources that the decision depends on but does not write, in order of kind and id.',
  ),
  accounts: is.described(
    list(is.object(accountFields)),
    'Accounts debited in `available`, frozen or unfrozen, at their new version.',
  ),
  moves: is.described(list(is.freeObject as is.Scalar<Move>), 'How Tokens moved, in this order.'),
  postings: is.described(
    is.list(is.anything as unknown as is.Scalar<Posting>, 0, 4 * mostParts),
    'What each account gained or lost; they sum to zero.',
  ),
  idem: is.described(is.nullable(is.object(idempotencyFields)), 'What is needed to render the reply again.'),
};

/** The immutable part of an entry: `entryHash` is the SHA-256 of its RFC 8785 form. */
export type EntryCore = is.ObjectOf<typeof entryFields>;
export type Version = is.ObjectOf<typeof versionFields>;
export type IdempotencyRecord = is.ObjectOf<typeof idempotencyFields>;

/** Proof of settlement: append-only, keyed by entry hash, hash-chained; the newest receipt of an entry counts. */
export const receiptFields = {
  entryHash: is.described(is.hash, 'Hash of the entry that was settled.'),
  seq: is.described(is.integer(1), 'Number of the entry.'),
  status: is.described(
    is.oneOf('confirmed', 'pending', 'reverted'),
    '`confirmed`: settled on chain; `pending`: its block is not deep enough; `reverted`: the chain refused it.',
  ),
  txHash: is.described(name, 'The transaction that settled it.'),
  blockNumber: is.described(is.integer(0), 'Block that has the transaction.'),
  detail: is.optional(is.anything, 'Further details from the chain.'),
};
export type Receipt = is.ObjectOf<typeof receiptFields>;

const entryForm = is.object(entryFields);

/** Why a core does not have the form of an entry, as a sentence. @param entryHash its own */
export function violationOfForm(core: EntryCore, entryHash: string): string | undefined {
  const parsed = is.parse(entryForm, core);
  if (isRefusal(parsed)) return `it has not the form of an entry: ${parsed.detail}`;
  return hashOf(parsed) === entryHash ? undefined : 'it has members that an entry does not have, or not in their form';
}

/** The reserved members of an event, if any, once their form is checked. @returns a sentence if that is wrong */
export function reservedIn(event: JsonObject): readonly string[] | string {
  const names = [...reservedNames].filter((each) => event[each] !== undefined);
  for (const each of names) {
    const parsed = is.parse<unknown>(reservedFields[each as keyof typeof reservedFields], event[each] as Json);
    if (isRefusal(parsed)) return `${each} of its event has not its form`;
  }
  return names;
}
