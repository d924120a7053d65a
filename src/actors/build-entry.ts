/**
 * Builds the signed event and the entry around it, for steps 5 and 6 of the write path (pipeline.ts).
 */

import { canonical, type JsonObject, sha256Hex } from '../core/canonical.js';
import { publicKeyHexOf } from '../core/codecs/did.js';
import { eventMessage } from '../core/codecs/event-message.js';
import type { Signer } from '../keys/signing.js';
import type { AnyDefinition } from '../machines/kernel/resource.js';
import type { Catalogue, Outcome, Written } from '../machines/kernel/step.js';
import type { Entry, EntryCore, EventBody, Payload, SignedEvent, Version } from '../store/entry.js';
import { searchOf } from '../store/search/search.js';
import type { Snapshot, SnapshotWrite } from '../store/store.js';

export interface EntryParts {
  readonly outcome: Outcome;
  readonly payload: Payload;
  readonly salt: Uint8Array;
  readonly signer: Signer;
  readonly nonce: number;
  readonly prev: string | null;
  readonly ts: number;
  readonly time: number;
  readonly network: string;
  /** DID of the node that sequences it. */
  readonly node: string;
  /** Home of the journal. */
  readonly home: string;
  readonly idem: EntryCore['idem'];
}

/** The entry's versions: one for each resource that the step wrote. */
export const versionsOf = ({ written }: Outcome): Version[] =>
  written.map(({ kind, id, before, machine, path, via, stateHash }) => {
    const [prev, version] = [before?.lastHash ?? null, (before?.version ?? 0) + 1];
    // Members in alphabetical order, as they are hashed. Two literals, because hashing an undefined member costs time.
    return via
      ? { id, kind, machine, path, prev, stateHash, version, via }
      : { id, kind, machine, path, prev, stateHash, version };
  });

export function buildEntry(sealing: EntryParts): Entry {
  const { outcome, payload, time } = sealing;
  const payloadText = canonical({ payload, salt: Buffer.from(sealing.salt).toString('hex') });
  const { event, eventText } = sign(sealing, sha256Hex(payloadText));
  const core: EntryCore = {
    v: 1,
    event,
    // The name on the wire is kept, though the value is the node that sequences; the event's `home` is that of the
    // journal.
    home: sealing.node,
    time,
    law: outcome.law,
    versions: versionsOf(outcome),
    reads: outcome.reads,
    accounts: outcome.accounts,
    moves: outcome.moves,
    postings: outcome.postings,
    idem: sealing.idem,
  };
  const coreText = coreTextOf(core, eventText);
  return { core, coreText, payloadText, payload, entryHash: sha256Hex(coreText) };
}

/** The body of a new event, which has all members; events of earlier versions lack some. */
type NewBody = Required<EventBody>;

function sign(
  { outcome, signer, home, nonce, ts, prev, network }: EntryParts,
  payloadHash: string,
): { event: SignedEvent; eventText: string } {
  const body: NewBody = {
    v: 2,
    type: outcome.eventType,
    issuer: signer.did,
    home,
    nonce,
    ts,
    prev,
    network,
    payloadHash,
    pub: publicKeyHexOf(signer.did),
  };
  const [first, last] = bodyTextOf(body);
  const text = `{${first},${last}}`;
  const hash = sha256Hex(text);
  const sig = signer.sign(eventMessage(text));
  // Assigned member by member, because a spread followed by members costs more than the hash.
  const event: SignedEvent = {
    v: 2,
    type: body.type,
    issuer: body.issuer,
    home,
    nonce,
    ts,
    prev,
    network,
    payloadHash,
    pub: body.pub,
    hash,
    sig,
  };
  return { event, eventText: `{"hash":"${hash}",${first},"sig":"${sig}",${last}}` };
}

/**
 * The RFC 8785 forms of body, event and core share parts, so they are concatenated, with members in alphabetical order.
 * An audit compares the texts with `canonical`. The body is split where the event's `sig` goes.
 */
const bodyTextOf = ({
  home,
  issuer,
  network,
  nonce,
  payloadHash,
  prev,
  pub,
  ts,
  type,
  v,
}: NewBody): [string, string] => [
  `"home":${canonical(home)},"issuer":${canonical(issuer)},"network":${canonical(network)},"nonce":${nonce},"payloadHash":"${payloadHash}",` +
    `"prev":${canonical(prev)},"pub":"${pub}"`,
  `"ts":${ts},"type":${canonical(type)},"v":${v}`,
];

function coreTextOf(core: EntryCore, eventText: string): string {
  const { accounts, home, idem, law, moves, postings, reads, time, v, versions } = core;
  return (
    `{"accounts":${canonical(accounts)},"event":${eventText},"home":${canonical(home)},"idem":${canonical(idem)},` +
    `"law":${canonical(law)},"moves":${canonical(moves)},"postings":${canonical(postings)},"reads":${canonical(reads)},` +
    `"time":${time},"v":${v},"versions":${canonical(versions)}}`
  );
}

/** The resource after the entry. */
export const snapshotOf = (written: Written, entry: Entry): Snapshot => ({
  kind: written.kind,
  id: written.id,
  version: (written.before?.version ?? 0) + 1,
  state: written.state,
  context: written.context,
  lastHash: entry.core.event.hash,
  machine: written.machine,
  createdAt: written.before?.createdAt ?? entry.core.time,
  updatedAt: entry.core.time,
});

/**
 * A new version with what the store indexes of it.
 * @param before the context of the version before, if any
 * @param contextText its own context as JSON, if known
 */
export function writeOf(
  catalogue: Catalogue,
  snapshot: Snapshot,
  before: JsonObject | undefined,
  contextText?: string,
): SnapshotWrite {
  const definition = catalogue.definitions[snapshot.kind];
  if (!definition || definition.form === 'ledger') return { snapshot, addLabels: [], dropLabels: [] };
  const labels = labelsOf(definition, snapshot.context);
  const old = before ? labelsOf(definition, before) : [];
  const search = searchOf(definition, snapshot, before);
  const addLabels = labels.filter((label) => !old.includes(label));
  const dropLabels = old.filter((label) => !labels.includes(label));
  if (definition.form !== 'machine') return { snapshot, contextText, addLabels, dropLabels, search };
  const alarm = definition.alarm(snapshot.state, snapshot.context as never);
  return { snapshot, contextText, addLabels, dropLabels, alarm, search };
}

/** The labels by which lists find the resource. */
export const labelsOf = (definition: AnyDefinition | undefined, context: JsonObject): readonly string[] =>
  (definition && definition.form !== 'ledger' && definition.labels?.(context as never)) || [];

/** Hashes of the contents that the resource references. */
export const contentsOf = (definition: AnyDefinition | undefined, context: JsonObject): readonly string[] =>
  (definition?.form === 'machine' && definition.contents?.(context as never)) || [];
