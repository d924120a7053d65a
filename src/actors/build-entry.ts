/**
 * Builds the signed event and the entry around it, for steps 5 and 6 of the write path (write-path.ts). Objects are made
 * with their members in alphabetical order, as they are hashed.
 */

import { canonical, type JsonObject, sha256Hex } from '../core/canonical.js';
import { publicKeyHexOf } from '../core/codecs/did.js';
import { eventMessage } from '../core/codecs/event-message.js';
import type { Signer } from '../keys/signing.js';
import type { Outcome } from '../machines/kernel/decide.js';
import type { AnyDefinition, Catalogue } from '../machines/kernel/definition.js';
import type { Request } from '../machines/kernel/resource.js';
import { stateHashOf } from '../machines/kernel/state-hash.js';
import type { Written } from '../machines/kernel/sub-command.js';
import { dividedInput } from '../machines/kernel/visibility.js';
import type { Entry, EntryCore, SignedEvent, Version } from '../store/entry.js';
import { entryVersion, eventVersion } from '../store/journal-form.js';
import { payloadHashOf, type StoredPayload } from '../store/payload.js';
import { searchOf } from '../store/search.js';
import type { Account, Snapshot, SnapshotWrite } from '../store/store.js';
import type { Command } from './command.js';

export interface EntryParts {
  readonly catalogue: Catalogue;
  readonly command: Command;
  readonly outcome: Outcome;
  readonly signer: Signer;
  /** The signer's account before the entry. */
  readonly account: Pick<Account, 'nonce' | 'lastHash'>;
  /** Draws 16 random bytes. */
  readonly drawSalt: () => Uint8Array;
  readonly time: number;
  readonly network: string;
  /** DID of the node that sequences it. */
  readonly node: string;
  /** Home of the journal. */
  readonly home: string;
}

/** The entry's versions: one for each resource that the step wrote. @param salt the entry's, hex */
export const versionsOf = (catalogue: Catalogue, { written }: Outcome, salt: () => string): Version[] =>
  written.map(({ kind, id, before, machine, path, via, state, context, contextText }) => {
    const [prev, version] = [before?.lastHash ?? null, (before?.version ?? 0) + 1];
    const resource = { kind, id, version, state, context };
    const stateHash = stateHashOf(catalogue.definitions[kind], resource, salt, contextText);
    // Two literals, because hashing an undefined member costs time.
    return via
      ? { id, kind, machine, path, prev, stateHash, version, via }
      : { id, kind, machine, path, prev, stateHash, version };
  });

/** The payload as it is stored: the confidential members of the input apart. */
export function storedPayload(
  catalogue: Catalogue,
  { action, id, ids, input, kind }: Request,
  { written }: Pick<Outcome, 'written'>,
): Pick<StoredPayload, 'public' | 'confidential'> {
  const after = written.find((each) => each.kind === kind && each.id === id);
  const { open, confidential } = dividedInput(catalogue.definitions[kind]!, { action, input }, after?.context);
  const shown: Request = ids ? { action, id, ids, input: open, kind } : { action, id, input: open, kind };
  return confidential ? { confidential, public: shown } : { public: shown };
}

/** An entry of a dry run has neither versions nor texts of its core: only its event and payload are shown. */
export function buildEntry(parts: EntryParts): Entry {
  const { catalogue, command, outcome, time } = parts;
  const isDraft = command.dryRun !== undefined;
  const { action, id, ids, input, kind } = command;
  const payload: Request = ids ? { action, id, ids, input, kind } : { action, id, input, kind };
  let drawn: string | undefined;
  const salt = (): string => {
    drawn ??= Buffer.from(parts.drawSalt()).toString('hex');
    return drawn;
  };
  const versions = isDraft ? [] : versionsOf(catalogue, outcome, salt);
  const stored = storedPayload(catalogue, payload, outcome);
  if (stored.confidential) salt();
  const salted: StoredPayload = drawn === undefined ? stored : { ...stored, salt: drawn };
  const core: EntryCore = {
    accounts: outcome.accounts,
    event: sign(parts, payloadHashOf(salted)),
    // The name on the wire is kept, though the value is the node that sequences; the event's `home` is that of the
    // journal.
    home: parts.node,
    idem: command.idempotency ?? null,
    law: outcome.law,
    moves: outcome.moves,
    postings: outcome.postings,
    reads: outcome.reads,
    time,
    v: entryVersion,
    versions,
  };
  const coreText = isDraft ? '' : canonical(core);
  return { core, coreText, payloadText: canonical(salted), payload, entryHash: sha256Hex(coreText) };
}

function sign(parts: EntryParts, payloadHash: string): SignedEvent {
  const { command, outcome, signer, account, home, network, time } = parts;
  const { ts = time, most, until } = command;
  const [nonce, prev] = [account.nonce + 1, account.lastHash];
  const [issuer, type, pub, v] = [signer.did, outcome.eventType, publicKeyHexOf(signer.did), eventVersion];
  const [cap, end] = [most === undefined ? undefined : { most }, until === undefined ? undefined : { until }];
  const body = { home, issuer, ...cap, network, nonce, payloadHash, prev, pub, ts, type, ...end, v };
  const text = canonical(body);
  const [hash, sig] = [sha256Hex(text), signer.sign(eventMessage(text))];
  return { hash, home, issuer, ...cap, network, nonce, payloadHash, prev, pub, sig, ts, type, ...end, v };
}

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

export const contentsOf = (definition: AnyDefinition | undefined, context: JsonObject): readonly string[] =>
  (definition?.form === 'machine' && definition.contents?.(context as never)) || [];
