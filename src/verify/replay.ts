/**
 * Replays a journal: runs the same pure step on the signed commands and compares the outcome with the recorded entry.
 * An audit replays everything, `source=log` one resource.
 */

import { versionsOf } from '../actors/build-entry.js';
import { canonical, sha256Hex } from '../core/canonical.js';
import { parseDid } from '../core/codecs/did.js';
import { verify } from '../core/codecs/signature-check.js';
import { assert, isRefusal } from '../core/refusal.js';
import { maxTokens } from '../core/schema/scalar.js';
import { attestation } from '../machines/kernel/attest.js';
import { decide } from '../machines/kernel/decide.js';
import type { Resource } from '../machines/kernel/definition.js';
import { type AccountState, feeAccount, foldEntry, supplyAccount } from '../machines/kernel/ledger.js';
import type { Before, Catalogue, Outcome } from '../machines/kernel/step.js';
import { atVersion, definitionVersion } from '../machines/kernel/versioning.js';
import {
  chainHashOf,
  type Entry,
  type EntryCore,
  type EventBody,
  eventMessage,
  type NumberedEntry,
  noHash,
  type Payload,
  type SignedEvent,
} from '../store/entry.js';
import { type Account, unseenAccount } from '../store/store.js';
import { HomeRule } from './home-rule.js';
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
}

const finding = (check: EntryCheck, what: Violation | undefined): EntryFinding | undefined =>
  what === undefined ? undefined : { check, what };

/** Checks that need no state: texts, hashes, signature. */
export const violationInText = (entry: Entry): Violation | undefined => findingInText(entry, noPlace)?.what;

const eventMembers: { readonly [version: number]: readonly string[] } = {
  1: ['v', 'type', 'issuer', 'nonce', 'ts', 'prev', 'network', 'payloadHash', 'pub', 'hash', 'sig'],
  2: ['v', 'type', 'issuer', 'home', 'nonce', 'ts', 'prev', 'network', 'payloadHash', 'pub', 'hash', 'sig'],
};

function flawOfEventForm(event: SignedEvent): Violation | undefined {
  const members = eventMembers[event.v];
  if (!members) return `its event is of version ${event.v}, which this node does not know`;
  const isWhole = Object.keys(event).length === members.length && members.every((member) => member in event);
  if (!isWhole) return `its event has other members than one of version ${event.v}`;
  if (event.home !== undefined && !isNormalDid(event.home)) return 'the home that its event names is no normalised DID';
  return /^[0-9a-f]{64}$/.test(event.pub) ? undefined : 'pub is no key';
}

const isNormalDid = (text: unknown): boolean => typeof text === 'string' && parseDid(text) === text;

function findingInText(entry: Entry, place: Place): EntryFinding | undefined {
  const { core, coreText, payloadText, entryHash } = entry;
  if (canonical(core) !== coreText) return finding('form', 'the entry is not in canonical form');
  const { v, event, home, time, law, versions, reads, accounts, moves, postings, idem } = core;
  if (v !== 1) return finding('form', `its format is ${v}, which this node does not know`);
  // Refuses unknown members, because no other check would cover them.
  if (canonical({ v, event, home, time, law, versions, reads, accounts, moves, postings, idem }) !== coreText)
    return finding('form', 'it has members that an entry does not have');
  if (sha256Hex(coreText) !== entryHash) return finding('hash', 'entryHash is not the hash of the entry');
  const malformed = flawOfEventForm(event);
  if (malformed) return finding('form', malformed);
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

const keyOf = ({ pub }: EventBody): Uint8Array => Buffer.from(pub, 'hex');

export class Replay implements Before {
  readonly #resources = new Map<string, Resource>();
  readonly #accounts = new Map<string, Account>();
  readonly #timeOf = new Map<string, number>();
  readonly #system = { supply: 0, fees: 0 };
  readonly #homeRule: HomeRule;
  #seq = 0;
  #chain = noHash;

  /** @param home of the journal, where the replay does not begin with its first entry */
  constructor(
    private readonly catalogue: Catalogue,
    private readonly network: string,
    home?: string,
  ) {
    this.#homeRule = new HomeRule(home);
  }

  /** The home of the journal; undefined before its first entry. */
  get home(): string | undefined {
    return this.#homeRule.did;
  }

  resource(kind: string, id: string): Resource | undefined {
    return this.#resources.get(`${kind}/${id}`);
  }

  account(did: string): AccountState {
    const account = this.#accounts.get(did) ?? unseenAccount(did);
    if (did === feeAccount) return { ...account, available: this.#system.fees };
    return did === supplyAccount ? { ...account, available: maxTokens + this.#system.supply } : account;
  }

  /** The row that the store should have; undefined where no entry touched the account. */
  row(did: string): Account | undefined {
    return this.#accounts.get(did);
  }

  get head(): { seq: number; chainHash: string } {
    return { seq: this.#seq, chainHash: this.#chain };
  }

  resources(): IterableIterator<Resource> {
    return this.#resources.values();
  }

  accounts(): IterableIterator<Account> {
    return this.#accounts.values();
  }

  /** The lengths of resources() and accounts(). */
  get counts(): { resources: number; accounts: number } {
    return { resources: this.#resources.size, accounts: this.#accounts.size };
  }

  get totals(): { supply: number; fees: number } {
    return { supply: 0 - this.#system.supply, fees: this.#system.fees };
  }

  /**
   * Checks an entry and folds it in.
   * @returns the first violation, and then nothing was folded
   */
  apply(entry: NumberedEntry): Violation | undefined {
    return this.examine(entry)?.what;
  }

  /** The same, with the name of the check that failed. */
  examine(entry: NumberedEntry): EntryFinding | undefined {
    const found =
      finding('chain', this.#flawOfPlace(entry)) ??
      findingInText(entry, this) ??
      finding('sequence', this.#flawOfChains(entry)) ??
      finding('replay', this.fold(entry));
    if (found) return found;
    this.#seq = entry.seq;
    this.#chain = entry.chainHash;
    return undefined;
  }

  /** What is wrong with an entry, wherever it stands in the journal. */
  violationAlone(entry: Entry): Violation | undefined {
    return findingInText(entry, this)?.what ?? this.#homeRule.flawOf(entry.core);
  }

  #flawOfPlace({ seq, prevEntry, chainHash, entryHash }: NumberedEntry): Violation | undefined {
    if (seq !== this.#seq + 1) return `its number is ${seq}, after ${this.#seq}`;
    if (prevEntry !== this.#chain) return 'prevEntry is not the chain hash of the entry before';
    return chainHash === chainHashOf(seq, prevEntry, entryHash) ? undefined : 'chainHash does not fit';
  }

  #flawOfChains({ core }: Entry): Violation | undefined {
    const { event } = core;
    if (event.network !== this.network) return `it belongs to ${event.network}`;
    const elsewhere = this.#homeRule.flawOf(core);
    if (elsewhere) return elsewhere;
    const issuer = this.#accounts.get(event.issuer) ?? unseenAccount(event.issuer);
    if (event.nonce !== issuer.nonce + 1) return `nonce ${event.nonce} of ${event.issuer} comes after ${issuer.nonce}`;
    if (event.prev !== issuer.lastHash) return `prev is not the hash of the issuer's event before`;
    if (core.time < (this.#timeOf.get(core.home) ?? 0))
      return 'its time is before that of an earlier entry of its home';
    for (const { kind, id, version, prev } of core.versions) {
      const before = this.#resources.get(`${kind}/${id}`);
      if (version !== (before?.version ?? 0) + 1)
        return `${kind}/${id} has version ${version} after ${before?.version ?? 0}`;
      if (prev !== (before?.lastHash ?? null)) return `prev of ${kind}/${id} is not its last event`;
    }
    return undefined;
  }

  /** Runs the step again and folds its outcome in, if it equals the entry. */
  fold(entry: Entry): Violation | undefined {
    const { core, payload } = entry;
    if (!payload) return 'its payload was redacted, so what follows from it cannot be replayed';
    const outcome = this.#again(entry, payload);
    if (typeof outcome === 'string') return outcome;
    for (const written of outcome.written) {
      const { kind, id, state, context, machine, before } = written;
      this.#resources.set(`${kind}/${id}`, {
        kind,
        id,
        version: (before?.version ?? 0) + 1,
        state,
        context,
        lastHash: core.event.hash,
        machine,
        createdAt: before?.createdAt ?? core.time,
        updatedAt: core.time,
      });
    }
    this.#foldLedger(core);
    return undefined;
  }

  #again({ core }: Entry, payload: Payload): Outcome | Violation {
    const { issuer, home = null } = core.event;
    const appointed = (this.resource('node', core.home)?.context as { system?: string[] } | undefined)?.system;
    const laws = lawsOf(this.catalogue, core, payload);
    if (typeof laws === 'string') return laws;
    const { kind, id, action, input } = payload;
    const attested = attestation(laws.definitions[kind], this.resource(kind, id), {
      action,
      id,
      network: this.network,
      home,
    });
    if (attested !== undefined && !verify(keyOf(core.event), attested, String(input.signature)))
      return `the signature of ${kind} ${id} does not verify`;
    const outcome = decide(
      laws,
      payload,
      { signer: issuer, time: core.time, network: this.network, home, system: appointed?.includes(issuer) ?? false },
      this,
    );
    if (isRefusal(outcome)) return `its action is refused: ${outcome.code}, ${outcome.detail}`;
    if (outcome.eventType !== core.event.type)
      return `its type is ${core.event.type} and should be ${outcome.eventType}`;
    if (core.postings.reduce((sum, [, delta]) => sum + delta, 0) !== 0) return 'its postings do not sum to zero';
    if (outcome.law !== core.law) return `it was decided by ${core.law}, and this program knows ${outcome.law}`;
    for (const part of ['moves', 'postings', 'accounts', 'reads'] as const) {
      if (canonical(outcome[part]) !== canonical(core[part])) return `its ${part} are not what the action gives`;
    }
    return canonical(versionsOf(outcome)) === canonical(core.versions)
      ? outcome
      : 'its versions are not what the action gives';
  }

  #foldLedger(core: EntryCore): void {
    const account = (did: string) => {
      const row = { ...(this.#accounts.get(did) ?? unseenAccount(did)), seq: this.#seq + 1 };
      this.#accounts.set(did, row);
      return row;
    };
    foldEntry(core, { account, system: this.#system });
    this.#timeOf.set(core.home, core.time);
    this.#homeRule.saw(core);
  }
}

/** The catalogue for an entry: each kind under the definition version that the entry names (`law`). */
function lawsOf(catalogue: Catalogue, { law, versions }: EntryCore, { kind, action }: Payload): Catalogue | Violation {
  const [decidedBy, revision] = law.split('+') as [string, string?];
  const definitions = { ...catalogue.definitions };
  for (const [each, version] of [[kind, decidedBy] as const, ...versions.map((v) => [v.kind, v.machine] as const)]) {
    const known = definitions[each];
    const definition = known && atVersion(known, version);
    if (!definition)
      return `it was decided by ${version}, and this program knows ${known ? definitionVersion(known) : 'no such kind'}`;
    definitions[each] = definition;
  }
  const name = `${kind}.${action}`;
  const workflow = catalogue.workflows[name];
  const then = workflow && [workflow, ...(workflow.past ?? [])].find((each) => String(each.revision) === revision);
  if (workflow && !then)
    return `it was decided by ${law}, and this program knows revision ${workflow.revision} of ${name}`;
  return { definitions, workflows: then ? { ...catalogue.workflows, [name]: then } : catalogue.workflows };
}

export interface ReplayOptions {
  readonly catalogue: Catalogue;
  readonly network: string;
  /** Home of the journal. */
  readonly home: string;
  readonly kind: string;
  readonly id: string;
}

/**
 * Replays the entries of one plain reducer (`source=log`), whose step depends on nothing else. Yields to the event
 * loop between pages, because an entry takes about 0.4 ms.
 * @throws AssertionError where an entry is invalid
 */
export async function replayOne(
  { catalogue, network, home, kind, id }: ReplayOptions,
  pages: AsyncIterable<readonly NumberedEntry[]>,
): Promise<Resource | undefined> {
  const replay = new Replay(catalogue, network, home);
  for await (const page of pages) {
    for (const entry of page) {
      const flaw = replay.violationAlone(entry) ?? replay.fold(entry);
      assert(flaw === undefined, `entry ${entry.seq}: ${flaw}`);
    }
  }
  return replay.resource(kind, id);
}
