/** Checks of an entry that need no state: form, hashes, signature. */
import { canonical, sha256Hex } from '../core/canonical.js';
import { isNormalDid } from '../core/codecs/did.js';
import { eventMessage } from '../core/codecs/event-message.js';
import { verify } from '../core/codecs/signature-check.js';
import type { Entry, EntryCore, EventBody, SignedEvent } from '../store/entry.js';
import { maySign, noPlace, type Place } from './may-sign.js';

/** Why an entry is invalid, as a sentence. */
export type Violation = string;

/**
 * The checks of an entry, in order: its place in the chain, form, hashes, signature, sequence numbers, and the
 * outcome of its step.
 */
export const entryChecks = ['chain', 'form', 'hash', 'signature', 'sequence', 'replay'] as const;
export type EntryCheck = (typeof entryChecks)[number];

export interface EntryFinding {
  readonly check: EntryCheck;
  readonly what: Violation;
  /** The entry is of a later release than this program, which may accept it after an update. */
  readonly isLater?: true;
}

export const finding = (check: EntryCheck, what: Violation | undefined): EntryFinding | undefined =>
  what === undefined ? undefined : { check, what };

export const later = (check: EntryCheck, isLater: boolean, what: Violation): EntryFinding =>
  isLater ? { check, what, isLater } : { check, what };

/** Checks that need no state: texts, hashes, signature. */
export const violationInText = (entry: Entry): Violation | undefined => findingInText(entry, noPlace)?.what;

const eventMembers: { readonly [version: number]: readonly string[] } = {
  1: ['v', 'type', 'issuer', 'nonce', 'ts', 'prev', 'network', 'payloadHash', 'pub', 'hash', 'sig'],
  2: ['v', 'type', 'issuer', 'home', 'nonce', 'ts', 'prev', 'network', 'payloadHash', 'pub', 'hash', 'sig'],
};

const newestEvent = Math.max(...Object.keys(eventMembers).map(Number));

function violationOfEventForm(event: SignedEvent): Violation | undefined {
  const members = eventMembers[event.v];
  if (!members) return `its event is of version ${event.v}, which this node does not know`;
  const isWhole = Object.keys(event).length === members.length && members.every((member) => member in event);
  if (!isWhole) return `its event has other members than one of version ${event.v}`;
  if (event.home !== undefined && !isNormalDid(event.home)) return 'the home that its event names is no normalised DID';
  return /^[0-9a-f]{64}$/.test(event.pub) ? undefined : 'pub is no key';
}

/** Members of an entry's core. No other check would cover further ones. */
const coreMembers: ReadonlySet<string> = new Set<keyof EntryCore>([
  ...(['v', 'event', 'home', 'time', 'law', 'versions', 'reads', 'accounts', 'moves', 'postings', 'idem'] as const),
]);

export function findingInText(entry: Omit<Entry, 'payload'>, place: Place): EntryFinding | undefined {
  const { core, coreText, payloadText, entryHash } = entry;
  if (canonical(core) !== coreText) return finding('form', 'the entry is not in canonical form');
  const { v, event } = core;
  if (v !== 1) return later('form', v > 1, `its format is ${v}, which this node does not know`);
  const isKnown = Object.keys(core).every((member) => coreMembers.has(member));
  if (!isKnown) return finding('form', 'it has members that an entry does not have');
  if (sha256Hex(coreText) !== entryHash) return finding('hash', 'entryHash is not the hash of the entry');
  const malformed = violationOfEventForm(event);
  if (malformed) return later('form', event.v > newestEvent, malformed);
  const { hash, sig, ...body } = event;
  const bodyText = canonical(body);
  if (sha256Hex(bodyText) !== hash) return finding('hash', 'the event hash is not the hash of the event');
  if (!maySign(body, place)) return finding('signature', 'pub is not the key inside issuer');
  if (!verify(keyOf(event), eventMessage(bodyText), sig)) return finding('signature', 'the signature does not verify');
  if (payloadText === null) return undefined;
  if (sha256Hex(payloadText) !== body.payloadHash) return finding('hash', 'payloadHash is not the hash of the payload');
  const isCanonical = canonical(JSON.parse(payloadText)) === payloadText;
  return isCanonical ? undefined : finding('form', 'the payload is not in canonical form');
}

export const keyOf = ({ pub }: EventBody): Uint8Array => Buffer.from(pub, 'hex');
