/**
 * Executes a feed's entries again. If the payload is withheld, the entry is folded from its core alone, provided that
 * the definitions allow the payload to be withheld. The revealed states of public resources must match, and the
 * ledger's rules are checked.
 */
import type { JsonObject } from '../../core/canonical.js';
import { canonical } from '../../core/canonical.js';
import { isRefusal } from '../../core/refusal.js';
import { stateHashOf } from '../../machines/kernel/decide.js';
import type { Resource } from '../../machines/kernel/definition.js';
import { book, debitedBy } from '../../machines/kernel/ledger.js';
import { hasLeft, residenceKind } from '../../machines/kernel/moved.js';
import type { Move } from '../../machines/kernel/posting.js';
import type { Before } from '../../machines/kernel/step.js';
import { atVersion } from '../../machines/kernel/versioning.js';
import { eventTypesOf, isWithheld, mayBeWithheld, withheldContext } from '../../machines/kernel/withheld.js';
import type { Entry, EntryCore, NumberedEntry, Payload, Version } from '../../store/entry.js';
import { type EntryFinding, finding, type Violation } from '../../verify/entry-text.js';
import { Reexecution, unknownVersion } from '../../verify/reexecution.js';
import type { ReplayState } from '../../verify/replay-state.js';
import { violationOfEscrows } from './escrow-moves.js';

/** The state of a public resource after an entry whose payload is withheld. */
export interface Revealed {
  readonly kind: string;
  readonly id: string;
  readonly state: string;
  readonly context: JsonObject;
}

/**
 * An entry as a feed contains it. If the payload is withheld, the states of the public resources that it wrote come
 * with it.
 */
export interface FeedEntry {
  readonly entry: NumberedEntry;
  readonly revealed?: readonly Revealed[];
}

/** Moves that a party may request in a confidential action. Entries with other moves have public payloads. */
const partyMoves: ReadonlySet<Move['op']> = new Set([
  ...(['transfer', 'reserve', 'unreserve', 'lock', 'release', 'refund', 'expire'] as const),
]);

/** Kinds that only their own actions write, whose payloads everyone may read: no entry that is folded from its core. */
const openKinds: ReadonlySet<string> = new Set(['identity', 'node', residenceKind]);

/** Ends a step that reads a resource of which only the state's name is known. */
class WithheldRead extends Error {}

export class FeedReplay<State extends ReplayState = ReplayState> extends Reexecution<State> {
  #revealed: readonly Revealed[] = [];

  examineFed(
    { entry, revealed = [] }: FeedEntry,
    text: { readonly found: EntryFinding | undefined } | undefined,
  ): EntryFinding | undefined {
    this.#revealed = revealed;
    return this.examine(entry, text);
  }

  /** The resources that the entry's execution may read. */
  *named({ core, payload }: Entry): Iterable<readonly [kind: string, id: string]> {
    yield ['node', core.home];
    yield [residenceKind, core.event.issuer];
    for (const { kind, id } of core.versions) yield [kind, id];
    for (const { kind, id } of core.reads) yield [kind, id];
    if (payload) yield [payload.kind, payload.id];
  }

  override fold(entry: Entry): EntryFinding | undefined {
    if (!entry.payload) return this.#foldByCore(entry.core, null);
    try {
      return super.fold(entry);
    } catch (error) {
      if (!(error instanceof WithheldRead)) throw error;
      return this.#foldByCore(entry.core, entry.payload);
    }
  }

  /** A step that reads a withheld resource ends there: what a home only names does not prevent its execution. */
  protected override readonly before: Before = {
    resource: (kind, id) => {
      const found = this.resource(kind, id);
      if (found && isWithheld(found.context)) throw new WithheldRead(`${kind}/${id} is withheld`);
      return found;
    },
    account: (did) => this.account(did),
    residence: (did) => this.residence(did),
  };

  /** Whether the entry names a resource of which only the state's name is known. */
  namesWithheld({ versions, reads }: EntryCore): boolean {
    return [...versions, ...reads].some(({ kind, id }) => this.#known(kind, id) !== this.resource(kind, id));
  }

  /** A resource that is not withheld. */
  #known(kind: string, id: string): Resource | undefined {
    const found = this.resource(kind, id);
    return found && !isWithheld(found.context) ? found : undefined;
  }

  /** @param payload null if it is withheld; otherwise its step reads a withheld resource */
  #foldByCore(core: EntryCore, payload: Payload | null): EntryFinding | undefined {
    const unknown = this.#unknownVersion(core);
    if (unknown) return unknown;
    const flaw =
      (payload ? this.#violationOfRequest(core, payload) : this.#violationOfWithholding(core)) ??
      this.#violationOfResidence(core) ??
      violationOfVersions(core) ??
      this.#violationOfReads(core) ??
      this.#violationOfLedger(core, payload) ??
      this.#violationOfEscrows(core, payload) ??
      this.#violationOfRevealed(core);
    if (flaw !== undefined) return finding('replay', flaw);
    const after = core.versions.map((version) => this.#after(core, version));
    this.foldLedger(core);
    for (const resource of after) this.state.keep(resource, canonical(resource.context));
    return undefined;
  }

  #unknownVersion({ law, versions }: EntryCore): EntryFinding | undefined {
    for (const version of [law.split('+')[0]!, ...versions.map(({ machine }) => machine)]) {
      const known = this.catalogue.definitions[kindOf(version)];
      if (!known || !atVersion(known, version)) return unknownVersion(version, known);
    }
    return undefined;
  }

  #violationOfWithholding({ law, event }: EntryCore): Violation | undefined {
    const kind = kindOf(law);
    return mayBeWithheld(this.catalogue.definitions[kind]!, event.type)
      ? undefined
      : `its payload is withheld, and everyone may read that of a ${event.type} (${kind})`;
  }

  /** The entry is of its payload, and writes what this is about. */
  #violationOfRequest({ law, event, versions }: EntryCore, { kind, id, action }: Payload): Violation | undefined {
    const definition = this.catalogue.definitions[kind]!;
    if (kindOf(law) !== kind) return `it was decided by ${law}, and its payload is about a ${kind}`;
    if (!eventTypesOf(definition, action).includes(event.type))
      return `its type is ${event.type}, and its payload's action is ${kind}.${action}`;
    const isWritten = versions.some((each) => each.kind === kind && each.id === id);
    return isWritten || definition.form === 'ledger' ? undefined : `it does not write ${kind}/${id}`;
  }

  /** Everyone may read the payload of a move, so this entry is none. */
  #violationOfResidence({ event: { issuer } }: EntryCore): Violation | undefined {
    return hasLeft(this.residence(issuer)) ? `${issuer} has signed it after it had left this home` : undefined;
  }

  #violationOfReads({ reads }: EntryCore): Violation | undefined {
    for (const { kind, id, version } of reads) {
      const now = this.resource(kind, id)?.version ?? 0;
      if (version !== now) return `it has read version ${version} of ${kind}/${id}, which is at ${now}`;
    }
    return undefined;
  }

  #violationOfLedger(
    { event, home, moves, postings, accounts }: EntryCore,
    given: Payload | null,
  ): Violation | undefined {
    const odd = moves.find(({ op }) => !partyMoves.has(op));
    if (odd) return `it makes a move (${odd.op}) that no confidential action makes`;
    const debtors = [event.issuer, ...this.#debtorsOfAnswer(event, home, given)];
    const strange = debitedBy(moves).find((did) => !debtors.includes(did));
    if (strange !== undefined) return `it debits ${strange}, who did not sign it`;
    const booked = book(moves, (did) => this.account(did));
    if (isRefusal(booked)) return `its moves are refused: ${booked.code}, ${booked.detail}`;
    for (const part of ['postings', 'accounts'] as const) {
      const stated = part === 'postings' ? postings : accounts;
      if (canonical(booked[part]) !== canonical(stated)) return `its ${part} are not what its moves give`;
    }
    return undefined;
  }

  #violationOfEscrows(core: EntryCore, given: Payload | null): Violation | undefined {
    const { event, home } = core;
    return violationOfEscrows(core, {
      definition: this.catalogue.definitions.escrow!,
      before: (id) => this.#known('escrow', id),
      after: (id) => this.#revealed.find((each) => each.kind === 'escrow' && each.id === id),
      signers: [event.issuer, ...this.#debtorsOfAnswer(event, home, given)],
    });
  }

  /**
   * Those whom an accepted remote request debits, if the system key has signed it: its signer, and the signer's home
   * (docs/decisions/0033). Nothing else that the system key signs debits what is available to a DID.
   */
  #debtorsOfAnswer({ issuer, type }: EntryCore['event'], node: string, given: Payload | null): readonly string[] {
    if (type !== 'remote.answered' || !this.isSystemKey(issuer, node)) return [];
    const asked = given?.input.event as { readonly issuer?: string; readonly home?: string } | undefined;
    if (asked) return [String(asked.issuer), String(asked.home)];
    const answer = this.#revealed.find(({ kind }) => kind === 'remote-answer');
    return answer ? [String(answer.context.signer), String(answer.context.from)] : [];
  }

  #violationOfRevealed({ versions }: EntryCore): Violation | undefined {
    const seen = new Set<string>();
    for (const { kind, id, state, context } of this.#revealed) {
      const version = versions.find((each) => each.kind === kind && each.id === id);
      if (!version || seen.has(`${kind}/${id}`)) return `it reveals ${kind}/${id}, which it does not write`;
      seen.add(`${kind}/${id}`);
      if (isWithheld(context)) return `it reveals nothing of ${kind}/${id}`;
      if (state !== version.path.at(-1) || stateHashOf(state, context) !== version.stateHash)
        return `what it reveals of ${kind}/${id} does not fit its stateHash`;
    }
    return undefined;
  }

  #after(core: EntryCore, { kind, id, version, path, machine }: Version): Resource {
    const before = this.resource(kind, id);
    const shown = this.#revealed.find((each) => each.kind === kind && each.id === id);
    return {
      kind,
      id,
      version,
      state: path.at(-1) ?? before?.state ?? '',
      context: shown?.context ?? withheldContext,
      lastHash: core.event.hash,
      machine,
      createdAt: before?.createdAt ?? core.time,
      updatedAt: core.time,
    };
  }
}

function violationOfVersions({ versions }: EntryCore): Violation | undefined {
  const open = versions.find(({ kind }) => openKinds.has(kind));
  if (open) return `it writes ${open.kind}/${open.id}, which only entries write that everyone may read`;
  const names = new Set(versions.map(({ kind, id }) => `${kind}/${id}`));
  return names.size === versions.length ? undefined : 'it writes two versions of one resource';
}

/** The kind that a definition version, or an entry's `law`, names. */
const kindOf = (version: string): string => version.replace(/-\d+-[0-9a-f]+(\+\d+)?$/, '');
