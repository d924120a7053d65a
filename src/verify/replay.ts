/**
 * Replays a journal with all of its state in memory: an audit replays everything, a read with `source=log` one
 * resource.
 */

import { storedPayload, versionsOf } from '../actors/build-entry.js';
import { canonical } from '../core/canonical.js';
import { verify } from '../core/codecs/signature-check.js';
import { assert, isRefusal } from '../core/refusal.js';
import { maxTokens } from '../core/schema/scalar.js';
import { clockCorrected } from '../machines/identity/identity.js';
import { attestation } from '../machines/kernel/attest.js';
import type { Before, Outcome } from '../machines/kernel/decide.js';
import { decide } from '../machines/kernel/decide.js';
import type { AnyDefinition, Catalogue } from '../machines/kernel/definition.js';
import {
  type AccountState,
  feeAccount,
  foldEntry,
  type SystemBalances,
  supplyAccount,
} from '../machines/kernel/ledger.js';
import type { Request, Resource } from '../machines/kernel/resource.js';
import { atVersion, definitionVersion } from '../machines/kernel/versioning.js';
import { type Entry, type EntryCore, type NumberedEntry, noHash } from '../store/entry.js';
import { HomeRule } from '../store/home-rule.js';
import { storedPayloadOf } from '../store/payload.js';
import { type Account, type JournalHead, unseenAccount } from '../store/store.js';
import {
  type EntryFinding,
  finding,
  findingInEntry,
  findingInOrder,
  keyOf,
  type Violation,
  violationInText,
  violationOfPlace,
} from './entry-text.js';

/** A part of what a replay knows after an entry, as JSON. The first part has the totals. */
export type ReplayState =
  | { readonly account: Account }
  | { readonly resource: Resource }
  | {
      readonly home: string | undefined;
      readonly head: JournalHead;
      readonly system: SystemBalances;
      readonly times: readonly (readonly [home: string, time: number])[];
    };

export class Replay implements Before {
  /** Balances of fees and supply, which no account's row contains. */
  readonly #system = { supply: 0, fees: 0 };
  readonly #resources = new Map<string, Resource>();
  readonly #accounts = new Map<string, Account>();
  /** Time of the newest entry of each node. */
  readonly #timeOf = new Map<string, number>();
  #homeRule = new HomeRule();
  #head: JournalHead = { seq: 0, chainHash: noHash };

  constructor(
    private readonly catalogue: Catalogue,
    private readonly network: string,
  ) {}

  /** The home of the journal; undefined before its first entry. */
  get home(): string | undefined {
    return this.#homeRule.did;
  }

  resource(kind: string, id: string): Resource | undefined {
    return this.#resources.get(`${kind}/${id}`);
  }

  account(did: string): AccountState {
    const account = this.#row(did);
    if (did === feeAccount) return { ...account, available: this.#system.fees };
    return did === supplyAccount ? { ...account, available: maxTokens + this.#system.supply } : account;
  }

  /** The row that the store should have; undefined if no entry touched the account. */
  row(did: string): Account | undefined {
    return this.#accounts.get(did);
  }

  #row(did: string): Account {
    return this.row(did) ?? unseenAccount(did);
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

  get head(): JournalHead {
    return this.#head;
  }

  /** What another replay must take, in this order, to go on after the same entry. */
  *state(): Generator<ReplayState> {
    yield { home: this.home, head: this.#head, system: this.#system, times: [...this.#timeOf] };
    for (const account of this.accounts()) yield { account };
    for (const resource of this.resources()) yield { resource };
  }

  take(part: ReplayState): void {
    if ('account' in part) this.#accounts.set(part.account.did, part.account);
    else if ('resource' in part) this.#resources.set(`${part.resource.kind}/${part.resource.id}`, part.resource);
    else {
      this.#homeRule = new HomeRule(part.home);
      this.#head = part.head;
      Object.assign(this.#system, part.system);
      for (const [home, time] of part.times) this.#timeOf.set(home, time);
    }
  }

  /**
   * Checks an entry and folds it in.
   * @returns the first violation; nothing is folded then
   */
  apply(entry: NumberedEntry): Violation | undefined {
    return this.examine(entry)?.what;
  }

  /**
   * Like `apply`, but returns the failed check as well.
   * @param findingAlone what is wrong with the entry by itself
   */
  examine(entry: NumberedEntry, findingAlone = findingInEntry): EntryFinding | undefined {
    const found =
      findingInOrder(entry, this.head) ??
      findingAlone(entry) ??
      finding('sequence', this.#violationOfChains(entry)) ??
      this.fold(entry);
    if (found) return found;
    this.#head = { seq: entry.seq, chainHash: entry.chainHash };
    return undefined;
  }

  #violationOfChains({ core, seq }: NumberedEntry): Violation | undefined {
    const { event } = core;
    if (event.network !== this.network) return `it belongs to ${event.network}`;
    const elsewhere = this.#homeRule.violationOf(core, seq === 1);
    if (elsewhere) return elsewhere;
    const issuer = this.#row(event.issuer);
    if (event.nonce !== issuer.nonce + 1) return `nonce ${event.nonce} of ${event.issuer} comes after ${issuer.nonce}`;
    if (event.prev !== issuer.lastHash) return `prev is not the hash of the issuer's event before`;
    if (core.time < (this.#timeOf.get(core.home) ?? 0) && event.type !== clockCorrected)
      return 'its time is before that of an earlier entry of its home';
    for (const { kind, id, version, prev } of core.versions) {
      const before = this.resource(kind, id);
      if (version !== (before?.version ?? 0) + 1)
        return `${kind}/${id} has version ${version} after ${before?.version ?? 0}`;
      if (prev !== (before?.lastHash ?? null)) return `prev of ${kind}/${id} is not its last event`;
    }
    return undefined;
  }

  /** Runs the step again and folds its outcome in, if it equals the entry. */
  fold(entry: Entry): EntryFinding | undefined {
    const { core, payload } = entry;
    const laws = catalogueAt(this.catalogue, core, payload);
    if ('what' in laws) return laws;
    const outcome = this.#again(entry, payload, laws);
    if (typeof outcome === 'string') return finding('replay', outcome);
    this.#foldLedger(core);
    for (const written of outcome.written) {
      const { kind, id, state, context, machine, before } = written;
      this.#resources.set(`${kind}/${id}`, {
        ...{ kind, id, version: (before?.version ?? 0) + 1, state, context, lastHash: core.event.hash, machine },
        ...{ createdAt: before?.createdAt ?? core.time, updatedAt: core.time },
      });
    }
    return undefined;
  }

  #again({ core, payloadText }: Entry, payload: Request, laws: Catalogue): Outcome | Violation {
    const { issuer, home, most, until } = core.event;
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
      {
        signer: issuer,
        time: core.time,
        network: this.network,
        home,
        system: this.#isSystemKey(issuer, core.home),
        most,
        until,
      },
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
    const stored = storedPayloadOf(payloadText);
    const { salt } = stored;
    const divided = storedPayload(laws, payload, outcome);
    let isSalted = divided.confidential !== undefined;
    const versions = versionsOf(laws, outcome, () => {
      isSalted = true;
      return salt ?? '';
    });
    if (isSalted !== (salt !== undefined)) return 'its payload has a salt that it does not need, or lacks one';
    if (canonical(versions) !== canonical(core.versions)) return 'its versions are not what the action gives';
    return canonical(divided.confidential ?? null) === canonical(stored.confidential ?? null)
      ? outcome
      : 'other members of its payload are confidential than its definition says';
  }

  #isSystemKey(did: string, node: string): boolean {
    const appointed = (this.resource('node', node)?.context as { system?: readonly string[] } | undefined)?.system;
    return appointed?.includes(did) ?? false;
  }

  /** Folds an entry's changes of accounts, and its time. @throws AssertionError, before anything was changed */
  #foldLedger(core: EntryCore): void {
    const seq = this.#head.seq + 1;
    const rows = new Map<string, Account>();
    const account = (did: string) => {
      const row = { ...this.#row(did), seq };
      rows.set(did, row);
      return row;
    };
    foldEntry(core, { account, system: this.#system });
    for (const row of rows.values()) this.#accounts.set(row.did, row);
    this.#timeOf.set(core.home, core.time);
    this.#homeRule.saw(core);
  }
}

/** A later program may know a version whose kind or revision is new. */
export function unknownVersion(version: string, known: AnyDefinition | undefined): EntryFinding {
  const revision = Number(/-(\d+)-[0-9a-f]+$/.exec(version)?.[1]);
  return {
    check: !known || revision > known.revision ? 'version' : 'replay',
    what: `it was decided by ${version}, and this program knows ${known ? definitionVersion(known) : 'no such kind'}`,
  };
}

/**
 * The catalogue for an entry: each kind under the definition version that the entry states (`law`). Copies nothing where the
 * versions are the current ones, as those of most entries are.
 */
function catalogueAt(
  catalogue: Catalogue,
  { law, versions }: Pick<EntryCore, 'law' | 'versions'>,
  { kind, action }: Pick<Request, 'kind' | 'action'>,
): Catalogue | EntryFinding {
  const [decidedBy, revision] = law.split('+') as [string, string?];
  let { definitions } = catalogue;
  for (const [each, version] of [[kind, decidedBy] as const, ...versions.map((v) => [v.kind, v.machine] as const)]) {
    const known = definitions[each];
    const definition = known && atVersion(known, version);
    if (!definition) return unknownVersion(version, known);
    if (definition !== known) definitions = { ...definitions, [each]: definition };
  }
  const name = `${kind}.${action}`;
  const workflow = catalogue.workflows[name];
  const then = workflow && [workflow, ...(workflow.past ?? [])].find((each) => String(each.revision) === revision);
  if (workflow && !then)
    return {
      check: Number(revision) > workflow.revision ? 'version' : 'replay',
      what: `it was decided by ${law}, and this program knows revision ${workflow.revision} of ${name}`,
    };
  const workflows = then && then !== workflow ? { ...catalogue.workflows, [name]: then } : catalogue.workflows;
  return { definitions, workflows };
}

export interface ReplayOptions {
  readonly catalogue: Catalogue;
  readonly network: string;
  readonly home: string;
  readonly kind: string;
  readonly id: string;
}

/**
 * Replays the entries of one plain reducer (`source=log`), whose steps depend on nothing else. Yields to the event loop
 * between pages, because an entry takes about 0.4 ms.
 * @throws AssertionError if an entry is invalid
 */
export async function replayOne(
  { catalogue, network, home, kind, id }: ReplayOptions,
  pages: AsyncIterable<readonly NumberedEntry[]>,
): Promise<Resource | undefined> {
  const replay = new Replay(catalogue, network);
  for await (const page of pages) {
    for (const entry of page) {
      const flaw = violationInText(entry) ?? violationOfPlace(entry, home) ?? replay.fold(entry)?.what;
      assert(flaw === undefined, `entry ${entry.seq}: ${flaw}`);
    }
  }
  return replay.resource(kind, id);
}
