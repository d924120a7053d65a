/**
 * Executes entries of a journal again: runs the same pure step on the signed commands and compares the outcome with the
 * recorded entry. The state is in maps (for an audit) or in a store (for a followed feed).
 */
import { versionsOf } from '../actors/build-entry.js';
import { canonical } from '../core/canonical.js';
import { verify } from '../core/codecs/signature-check.js';
import { isRefusal } from '../core/refusal.js';
import { maxTokens } from '../core/schema/scalar.js';
import { attestation } from '../machines/kernel/attest.js';
import { decide } from '../machines/kernel/decide.js';
import type { Resource } from '../machines/kernel/definition.js';
import { type AccountState, feeAccount, foldEntry, supplyAccount } from '../machines/kernel/ledger.js';
import { residenceKind } from '../machines/kernel/moved.js';
import type { AnyDefinition } from '../machines/kernel/resource.js';
import type { Before, Catalogue, Outcome } from '../machines/kernel/step.js';
import { atVersion, definitionVersion } from '../machines/kernel/versioning.js';
import { actionOfOther } from '../machines/remote-answer/evidence.js';
import { chainHashOf, type Entry, type EntryCore, type NumberedEntry, noHash, type Payload } from '../store/entry.js';
import { HomeRule } from '../store/home-rule.js';
import type { Account, JournalHead } from '../store/store.js';
import { type EntryFinding, finding, findingInText, keyOf, later, type Violation } from './entry-text.js';
import { type ReplayState, rowOf } from './replay-state.js';

export interface ExecutionOptions {
  readonly catalogue: Catalogue;
  readonly network: string;
  /** Home of the journal, if known; otherwise it is that of the first entry. */
  readonly home?: string | undefined;
  /** The newest entry that the state includes; absent if it is empty. */
  readonly last?: NumberedEntry | undefined;
}

export class Reexecution<State extends ReplayState> implements Before {
  protected readonly catalogue: Catalogue;
  readonly #network: string;
  readonly #homeRule: HomeRule;
  #head: JournalHead;

  constructor(
    protected readonly state: State,
    { catalogue, network, home, last }: ExecutionOptions,
  ) {
    this.catalogue = catalogue;
    this.#network = network;
    this.#homeRule = new HomeRule(home);
    this.#head = { seq: last?.seq ?? 0, chainHash: last?.chainHash ?? noHash };
    // After the first event that contains its home all events must, so the newest entry shows whether that point was
    // reached.
    if (last) this.#homeRule.saw(last.core);
  }

  /** The home of the journal; undefined before its first entry. */
  get home(): string | undefined {
    return this.#homeRule.did;
  }

  resource(kind: string, id: string): Resource | undefined {
    return this.state.resource(kind, id);
  }

  account(did: string): AccountState {
    const { system } = this.state;
    const account = rowOf(this.state, did);
    if (did === feeAccount) return { ...account, available: system.fees };
    return did === supplyAccount ? { ...account, available: maxTokens + system.supply } : account;
  }

  residence(did: string): Resource | undefined {
    return this.resource(residenceKind, did);
  }

  /** The row that the store should have; undefined if no entry touched the account. */
  row(did: string): Account | undefined {
    return this.state.row(did);
  }

  get head(): JournalHead {
    return this.#head;
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
   * @param text the result of checking its texts, if that was done before
   */
  examine(entry: NumberedEntry, text?: { readonly found: EntryFinding | undefined }): EntryFinding | undefined {
    const found =
      finding('chain', this.#violationOfPlace(entry)) ??
      (text ? text.found : findingInText(entry, this)) ??
      finding('sequence', this.#violationOfChains(entry)) ??
      this.fold(entry);
    if (found) return found;
    this.#head = { seq: entry.seq, chainHash: entry.chainHash };
    return undefined;
  }

  /** Checks an entry by itself. */
  violationAlone(entry: Entry): Violation | undefined {
    return findingInText(entry, this)?.what;
  }

  #violationOfPlace({ seq, prevEntry, chainHash, entryHash }: NumberedEntry): Violation | undefined {
    const { head } = this;
    if (seq !== head.seq + 1) return `its number is ${seq}, after ${head.seq}`;
    if (prevEntry !== head.chainHash) return 'prevEntry is not the chain hash of the entry before';
    return chainHash === chainHashOf(seq, prevEntry, entryHash) ? undefined : 'chainHash does not fit';
  }

  #violationOfChains({ core, seq }: NumberedEntry): Violation | undefined {
    const { event } = core;
    if (event.network !== this.#network) return `it belongs to ${event.network}`;
    const elsewhere = this.#homeRule.violationOf(core, seq === 1);
    if (elsewhere) return elsewhere;
    const issuer = rowOf(this.state, event.issuer);
    if (event.nonce !== issuer.nonce + 1) return `nonce ${event.nonce} of ${event.issuer} comes after ${issuer.nonce}`;
    if (event.prev !== issuer.lastHash) return `prev is not the hash of the issuer's event before`;
    if (core.time < this.state.timeOf(core.home)) return 'its time is before that of an earlier entry of its home';
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
    if (!payload) return finding('replay', 'its payload was redacted, so what follows from it cannot be replayed');
    const laws = cataloguesOf(this.catalogue, core, payload);
    if ('what' in laws) return laws;
    const outcome = this.#again(entry, payload, laws);
    if (typeof outcome === 'string') return finding('replay', outcome);
    this.foldLedger(core);
    for (const written of outcome.written) {
      const { kind, id, state, context, machine, before, contextText } = written;
      const resource = {
        kind,
        id,
        version: (before?.version ?? 0) + 1,
        state,
        context,
        lastHash: core.event.hash,
        machine,
        createdAt: before?.createdAt ?? core.time,
        updatedAt: core.time,
      };
      this.state.keep(resource, contextText);
    }
    return undefined;
  }

  #again({ core }: Entry, payload: Payload, laws: Catalogue): Outcome | Violation {
    const { issuer, home = '' } = core.event;
    const { kind, id, action, input } = payload;
    const attested = attestation(laws.definitions[kind], this.before.resource(kind, id), {
      action,
      id,
      network: this.#network,
      home,
    });
    if (attested !== undefined && !verify(keyOf(core.event), attested, String(input.signature)))
      return `the signature of ${kind} ${id} does not verify`;
    const outcome = decide(
      laws,
      payload,
      { signer: issuer, time: core.time, network: this.#network, home, system: this.isSystemKey(issuer, core.home) },
      this.before,
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

  /** The state as a step reads it. */
  protected readonly before: Before = this;

  /** Whether the node has appointed this key. */
  protected isSystemKey(did: string, node: string): boolean {
    const appointed = (this.resource('node', node)?.context as { system?: readonly string[] } | undefined)?.system;
    return appointed?.includes(did) ?? false;
  }

  /** Folds an entry's changes of accounts, and its time. @throws AssertionError, before anything was changed */
  protected foldLedger(core: EntryCore): void {
    const seq = this.#head.seq + 1;
    const rows = new Map<string, Account>();
    const account = (did: string) => {
      const row = { ...rowOf(this.state, did), seq };
      rows.set(did, row);
      return row;
    };
    foldEntry(core, { account, system: this.state.system });
    for (const row of rows.values()) this.state.keepRow(row);
    this.state.keepTime(core.home, core.time);
    this.#homeRule.saw(core);
  }
}

/**
 * The finding for a version that this program does not have. A later release may have it, if the kind or the revision
 * is new.
 */
export function unknownVersion(version: string, known: AnyDefinition | undefined): EntryFinding {
  const revision = Number(/-(\d+)-[0-9a-f]+$/.exec(version)?.[1]);
  return later(
    'replay',
    !known || revision > known.revision,
    `it was decided by ${version}, and this program knows ${known ? definitionVersion(known) : 'no such kind'}`,
  );
}

/** The catalogue for an entry: each kind under the definition version that the entry states (`law`). */
function cataloguesOf(catalogue: Catalogue, { law, versions }: EntryCore, payload: Payload): Catalogue | EntryFinding {
  const own = catalogueAt(catalogue, { law, versions }, payload);
  const inner = 'what' in own ? undefined : actionOfOther(payload);
  return inner && !('what' in own) ? catalogueAt(own, { law: inner.law, versions: [] }, inner) : own;
}

/**
 * Copies nothing where the versions are the current ones, as those of most entries are.
 * @param catalogue with definitions that are already of the entry's versions
 */
function catalogueAt(
  catalogue: Catalogue,
  { law, versions }: Pick<EntryCore, 'law' | 'versions'>,
  { kind, action }: Pick<Payload, 'kind' | 'action'>,
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
    return later(
      'replay',
      Number(revision) > workflow.revision,
      `it was decided by ${law}, and this program knows revision ${workflow.revision} of ${name}`,
    );
  const workflows = then && then !== workflow ? { ...catalogue.workflows, [name]: then } : catalogue.workflows;
  return { definitions, workflows };
}
