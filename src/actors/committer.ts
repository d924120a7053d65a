/**
 * Step six: appends an entry, and lets the actors adopt it as their state in memory (head). If this process owns the
 * store, they adopt it as soon as it is queued, so that many commands on one resource share an fsync; a failed append
 * then ends the process.
 */

import { RefusedError } from '../core/refusal.js';
import { clockCorrected } from '../machines/identity/identity.js';
import type { Outcome } from '../machines/kernel/decide.js';
import type { Catalogue } from '../machines/kernel/definition.js';
import { type AccountChange, accountChanges, balanceViolation, supplyAccount } from '../machines/kernel/ledger.js';
import type { Entry, EntryCore, NumberedEntry } from '../store/entry.js';
import { damaged } from '../store/journal-end.js';
import {
  type AppendResult,
  type Commit,
  entryAt,
  type Foreign,
  type Snapshot,
  type SnapshotWrite,
  type Store,
  StoreFault,
} from '../store/store.js';
import { writeOf } from './build-entry.js';
import type { Committed } from './committed.js';
import type { JournalClock } from './journal-clock.js';
import type { NonceRoom } from './nonces.js';
import type { Registry } from './registry.js';

export interface CommitterOptions {
  readonly catalogue: Catalogue;
  readonly store: Store;
  readonly clock: JournalClock;
  readonly registry: Registry;
  readonly committed: Committed;
  readonly nonces: NonceRoom;
  /** DID of this node. */
  readonly node: string;
  readonly onFault: (fault: unknown) => void;
  /** Called with each deadline that a durable entry sets, epoch ms. */
  readonly onAlarm?: ((at: number) => void) | undefined;
}

type BesideEntry = Pick<Commit, 'contents' | 'erases'>;

/** How often the supply is read again if others write meanwhile. */
const openTries = 10;
/** Entries read at once in search of this node's newest. */
const searchedAtOnce = 16;

export class Committer {
  #supply = 0;
  /** Number of the entry up to which the supply was read at the start of this process. */
  #supplySeq = 0;
  #inFlight = 0;
  #newest: Promise<unknown> = Promise.resolve();
  #correction: Promise<unknown> | undefined;
  #fault: unknown;
  readonly #listeners = new Set<(entry: NumberedEntry) => void>();

  constructor(private readonly options: CommitterOptions) {}

  /**
   * Reads supply and time from the journal, because the times of a node's entries must never decrease. StoreRefused if
   * the ledger doesn't balance.
   */
  async open(): Promise<void> {
    const { store } = this.options;
    let head = await store.head();
    for (let tries = 0; tries < openTries; tries++) {
      const totals = await store.totals();
      const flaw = store.exclusive ? balanceViolation(totals) : undefined;
      if (flaw !== undefined) throw damaged(flaw);
      this.#supply = totals.supply;
      const { seq } = head;
      head = await store.head();
      // Nothing was written in between, so the supply belongs to this head.
      if (head.seq === seq) break;
    }
    this.#supplySeq = head.seq;
    const last = head.seq > 0 ? await entryAt(store, head.seq) : undefined;
    const { clock } = this.options;
    clock.begin(await this.#ownTime(head.seq));
    if (last) clock.saw(last.core.time);
  }

  /** The time of the newest entry that this node has sequenced; other nodes may have written since. */
  async #ownTime(head: number): Promise<number> {
    const { store, node } = this.options;
    // The first entry of a node is its appointment.
    let before = (await store.load('node', node)) ? head + 1 : 0;
    while (before > 0) {
      const entries = await store.entries({ after: 0, before, limit: searchedAtOnce });
      const own = entries.find(({ core }) => core.home === node);
      if (own) return own.core.time;
      before = entries.at(-1)?.seq ?? 0;
    }
    return 0;
  }

  get supply(): number {
    return this.#supply;
  }

  /** Entries that are queued and not on disk yet. */
  get inFlight(): number {
    return this.#inFlight;
  }

  get failed(): boolean {
    return this.#fault !== undefined;
  }

  /** Resolves once all adopted entries are on disk; rejects with StoreFault if they will not be. */
  async durable(): Promise<void> {
    if (this.#inFlight > 0) await this.#newest;
    if (this.#fault) throw new StoreFault('the store has failed');
  }

  /**
   * The correction of this node's clock that is in flight; undefined if there is none. Entries that were timed meanwhile
   * would come after it, with the wrong time.
   */
  get correction(): Promise<unknown> | undefined {
    return this.#correction;
  }

  /** Calls the listener with each entry once it is on disk and readable; in order if only this process writes. */
  listen(listener: (entry: NumberedEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Adopts, then appends. Must be called in the same turn in which the heads were read, without an await in between.
   * Rejects with StoreFault.
   */
  adoptAndAppend(
    entry: Entry,
    outcome: Outcome,
    snapshots: readonly Snapshot[],
    beside?: BesideEntry,
  ): Promise<NumberedEntry> {
    const changes = accountChanges(entry.core);
    const adopted = this.#adopt(entry, snapshots, changes);
    // The actors have just computed these weights; the readers' cache uses the same.
    const weights = snapshots.map(({ kind, id }) => this.options.registry.resource(kind, id).weight);
    this.options.committed.beginAppend(snapshots, changes.keys());
    return this.#append({ entry, snapshots: this.#writes(outcome, snapshots), ...beside }).then((result) => {
      for (const actor of adopted) actor.pending--;
      if (!result.ok) {
        // Only this process writes, so a taken key means that memory and disk disagree.
        const fault = new StoreFault(`the journal refused an adopted entry: ${result.taken}`);
        this.#fail(fault);
        throw fault;
      }
      return this.#acknowledge(entry, result, { snapshots, weights }, changes);
    });
  }

  /** Appends, then adopts. @returns undefined if another process has used a key; the heads are then discarded */
  appendAndAdopt(...commit: Parameters<Committer['adoptAndAppend']>): Promise<NumberedEntry | undefined> {
    const adopted = this.#appendAndAdopt(...commit);
    if (isCorrection(commit[0])) {
      const over = () => {
        this.#correction = undefined;
      };
      this.#correction = adopted.then(over, over);
    }
    return adopted;
  }

  async #appendAndAdopt(
    entry: Entry,
    outcome: Outcome,
    snapshots: readonly Snapshot[],
    beside?: BesideEntry,
  ): Promise<NumberedEntry | undefined> {
    const changes = accountChanges(entry.core);
    const result = await this.#append({ entry, snapshots: this.#writes(outcome, snapshots), ...beside });
    const { registry } = this.options;
    if (!result.ok) {
      for (const { kind, id } of [...snapshots, ...entry.core.reads]) registry.peekResource(kind, id)?.forget();
      // Only accounts whose mailbox the command holds. Others may be in use, and the failed credit never reached them.
      for (const did of adoptedAccounts(entry.core)) registry.peekAccount(did)?.forget();
      return undefined;
    }
    for (const actor of this.#adopt(entry, snapshots, changes)) actor.pending--;
    return this.#acknowledge(entry, result, { snapshots }, changes);
  }

  /** Adopts an entry of another process, in order, once it is readable. */
  adoptForeign({ entry, snapshots, alarms }: Foreign): void {
    const { clock, committed, nonces, onAlarm, registry } = this.options;
    const { event } = entry.core;
    const changes = accountChanges(entry.core);
    clock.saw(entry.core.time);
    for (const snapshot of snapshots) registry.peekResource(snapshot.kind, snapshot.id)?.learn(snapshot);
    for (const { at } of alarms) onAlarm?.(at);
    for (const [did, change] of changes) registry.peekAccount(did)?.credit(entry.seq, change);
    // The supply read at the start includes earlier entries.
    if (entry.seq > this.#supplySeq) this.#count(changes);
    committed.acknowledge(snapshots, changes.keys());
    nonces.advanced(event.issuer, event.nonce + 1);
    for (const listener of this.#listeners) listener(entry);
  }

  #adopt(entry: Entry, snapshots: readonly Snapshot[], changes: Map<string, AccountChange>): { pending: number }[] {
    const { registry, nonces } = this.options;
    const adopted: { pending: number }[] = [];
    for (const snapshot of snapshots) {
      const actor = registry.resource(snapshot.kind, snapshot.id);
      actor.adopt(snapshot);
      actor.pending++;
      adopted.push(actor);
    }
    for (const did of adoptedAccounts(entry.core)) {
      const actor = registry.account(did);
      actor.adopt(changes.get(did)!);
      actor.pending++;
      adopted.push(actor);
    }
    if (isCorrection(entry)) this.options.clock.begin(entry.core.time);
    this.#count(changes);
    nonces.advanced(entry.core.event.issuer, entry.core.event.nonce + 1);
    return adopted;
  }

  #count(changes: ReadonlyMap<string, AccountChange>): void {
    this.#supply -= changes.get(supplyAccount)?.available ?? 0;
  }

  async #append(commit: Commit): Promise<AppendResult> {
    if (this.#fault) throw new StoreFault('the store has failed');
    this.#inFlight++;
    try {
      const appended = this.options.store.append([commit]);
      this.#newest = appended;
      const [result] = await appended;
      for (const { alarm } of commit.snapshots) if (alarm) this.options.onAlarm?.(alarm.at);
      return result!;
    } catch (fault) {
      // A refused append has written nothing, but heads that adopted the entry are wrong.
      if (this.options.store.exclusive || !(fault instanceof RefusedError)) this.#fail(fault);
      throw fault;
    } finally {
      this.#inFlight--;
    }
  }

  #writes(outcome: Outcome, snapshots: readonly Snapshot[]): SnapshotWrite[] {
    const { catalogue } = this.options;
    return snapshots.map((snapshot, index) => {
      const written = outcome.written[index];
      return writeOf(catalogue, snapshot, written?.before?.context, written?.contextText);
    });
  }

  #acknowledge(
    entry: Entry,
    { seq, prevEntry, chainHash }: AppendResult & { ok: true },
    { snapshots, weights }: { readonly snapshots: readonly Snapshot[]; readonly weights?: readonly number[] },
    changes: Map<string, AccountChange>,
  ): NumberedEntry {
    const { registry, committed } = this.options;
    const adopted = adoptedAccounts(entry.core);
    for (const [did, change] of changes) {
      if (!adopted.has(did)) registry.peekAccount(did)?.credit(seq, change);
    }
    committed.acknowledge(snapshots, changes.keys(), weights);
    const { core, entryHash, coreText, payloadText, payload } = entry;
    const numbered: NumberedEntry = { seq, prevEntry, chainHash, core, entryHash, coreText, payloadText, payload };
    for (const listener of this.#listeners) listener(numbered);
    return numbered;
  }

  #fail(fault: unknown): void {
    if (this.#fault) return;
    this.#fault = fault;
    this.options.onFault(fault);
  }
}

const isCorrection = ({ core }: Entry): boolean => core.event.type === clockCorrected;

/**
 * Accounts whose mailbox the command held: the signer's, and those debited or frozen. All other accounts are only
 * credited.
 */
const adoptedAccounts = (core: EntryCore): Set<string> =>
  new Set([core.event.issuer, ...core.accounts.map(({ did }) => did)]);
