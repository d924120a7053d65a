/** Checks of an entry that need no state: form, hashes, signature. */
import { canonical, sha256Hex } from '../core/canonical.js';
import { publicKeyHexOf } from '../core/codecs/did.js';
import { eventMessage } from '../core/codecs/event-message.js';
import { verify } from '../core/codecs/signature-check.js';
import { messageOf } from '../core/error-message.js';
import { chainHashOf, type Entry, type EntryCore, type EventBody, type NumberedEntry } from '../store/entry.js';
import { HomeRule } from '../store/home-rule.js';
import { entryVersion, eventVersion, reservedIn, violationOfForm } from '../store/journal-form.js';
import { payloadHashOf, storedPayloadOf } from '../store/payload.js';
import type { JournalHead, StoreReader } from '../store/store.js';

/** Why an entry is invalid, as a sentence. */
export type Violation = string;

/**
 * What is checked of an entry: its place in the chain, whether it is of a later format or definition than this program
 * knows (`version`: no fault of the journal), form, hashes, signature, sequence numbers, and the outcome of its step.
 */
export const entryChecks = ['chain', 'version', 'form', 'hash', 'signature', 'sequence', 'replay'] as const;
export type EntryCheck = (typeof entryChecks)[number];

export interface EntryFinding {
  readonly check: EntryCheck;
  readonly what: Violation;
}

export const finding = (check: EntryCheck, what: Violation | undefined): EntryFinding | undefined =>
  what === undefined ? undefined : { check, what };

/** The finding of an entry that makes a check fail. */
export const unreadable = (error: unknown): EntryFinding => ({
  check: 'form',
  what: `it cannot be replayed: ${messageOf(error)}`,
});

/** Checks that an entry follows the one before. */
export function findingInOrder({ seq, prevEntry }: NumberedEntry, before: JournalHead): EntryFinding | undefined {
  if (seq !== before.seq + 1) return { check: 'chain', what: `its number is ${seq}, after ${before.seq}` };
  if (prevEntry === before.chainHash) return undefined;
  return { check: 'chain', what: 'prevEntry is not the chain hash of the entry before' };
}

/** Checks an entry's link to the one before, and its text. */
export const findingInEntry = (entry: NumberedEntry): EntryFinding | undefined =>
  findingInLink(entry) ?? findingInText(entry);

/** Checks of an entry that was verified before only that it is the same: its link, and its hashes. */
export function findingInHashes(entry: NumberedEntry): EntryFinding | undefined {
  const { core, coreText, entryHash, payloadText } = entry;
  const isSame = sha256Hex(coreText) === entryHash && !findingInPayload(payloadText, core.event.payloadHash);
  return isSame
    ? findingInLink(entry)
    : (findingInEntry(entry) ?? finding('hash', 'it is not the entry that was verified'));
}

const findingInLink = ({ seq, prevEntry, entryHash, chainHash }: NumberedEntry): EntryFinding | undefined =>
  chainHash === chainHashOf(seq, prevEntry, entryHash) ? undefined : { check: 'chain', what: 'chainHash does not fit' };

export const violationInText = (entry: EntryTexts): Violation | undefined => findingInText(entry)?.what;

/** The texts of an entry; `payloadText` is null in a proof that does not reveal the payload. */
export type EntryTexts = Pick<Entry, 'core' | 'coreText' | 'entryHash'> & { readonly payloadText: string | null };

export function findingInText(entry: EntryTexts): EntryFinding | undefined {
  const { core, coreText, entryHash } = entry;
  if (canonical(core) !== coreText) return finding('form', 'the entry is not in canonical form');
  if (sha256Hex(coreText) !== entryHash) return finding('hash', 'entryHash is not the hash of the entry');
  return findingInCore(entry);
}

/** The same for an entry of which the hash was computed. */
export function findingInCore({
  core,
  entryHash,
  payloadText,
}: Omit<EntryTexts, 'coreText'>): EntryFinding | undefined {
  const form = findingInForm(core, entryHash);
  if (form) return form;
  const { event } = core;
  const { hash, sig, ...body } = event;
  const bodyText = canonical(body);
  if (sha256Hex(bodyText) !== hash) return finding('hash', 'the event hash is not the hash of the event');
  if (publicKeyHexOf(body.issuer) !== body.pub) return finding('signature', 'pub is not the key inside issuer');
  if (!verify(keyOf(event), eventMessage(bodyText), sig)) return finding('signature', 'the signature does not verify');
  return findingInPayload(payloadText, body.payloadHash);
}

/** A later program may have made it, if its version is higher or it uses members that are reserved. */
function findingInForm(core: EntryCore, entryHash: string): EntryFinding | undefined {
  const { v, event } = core as { v: number; event: { v: number } & EventBody };
  if (v !== entryVersion)
    return finding(v > entryVersion ? 'version' : 'form', `its format is ${v}, which this node does not know`);
  if (event.v !== eventVersion)
    return finding(
      event.v > eventVersion ? 'version' : 'form',
      `its event is of version ${event.v}, which this node does not know`,
    );
  const reserved = reservedIn(event);
  if (typeof reserved === 'string') return finding('form', reserved);
  if (reserved.length > 0)
    return finding('version', `its event has ${reserved.join(', ')}, which this node does not support yet`);
  return finding('form', violationOfForm(core, entryHash));
}

function findingInPayload(payloadText: string | null, payloadHash: string): EntryFinding | undefined {
  if (payloadText === null) return undefined;
  const stored = storedPayloadOf(payloadText);
  const { public: open, confidential, salt } = stored;
  if (salt === undefined ? confidential !== undefined : !/^[0-9a-f]{32}$/.test(salt)) {
    return finding('form', 'the payload has not the salt that it needs');
  }
  if (payloadHashOf(stored) !== payloadHash) return finding('hash', 'payloadHash is not the hash of the payload');
  return canonical({ confidential, public: open, salt }) === payloadText
    ? undefined
    : finding('form', 'the payload is not in canonical form, or has members that a payload does not have');
}

export const keyOf = ({ pub }: EventBody): Uint8Array => Buffer.from(pub, 'hex');

/** @returns the home; undefined for an empty journal; a violation if the first entry can't begin a journal */
export async function beginningOf(
  journal: Pick<StoreReader, 'entries'>,
): Promise<{ readonly home: string } | Violation | undefined> {
  const [first] = await journal.entries({ after: 0, limit: 1 });
  return first && (violationOfFirst(first) ?? { home: first.core.event.home });
}

export const violationOfFirst = (first: NumberedEntry): Violation | undefined =>
  violationInText(first) ?? violationOfPlace(first, first.core.event.home);

/** Why an entry's event may not be in the journal of this home at this position. */
export const violationOfPlace = ({ seq, core }: NumberedEntry, home: string): Violation | undefined =>
  new HomeRule(home).violationOf(core, seq === 1);
