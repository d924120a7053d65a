/**
 * The one path of every write: HTTP, clock, faucet and operator call `execute`, which takes a command through seven
 * steps. Nothing else reaches the journal.
 */

import type { Environment } from '../core/environment.js';
import { saltBytes } from '../core/leaf.js';
import { isRefusal, type Refusal, refuse } from '../core/refusal.js';
import type { Signer } from '../keys/signing.js';
import { attestation, withSignature } from '../machines/kernel/attest.js';
import { decide } from '../machines/kernel/decide.js';
import type { Catalogue } from '../machines/kernel/definition.js';
import { definitionVersion } from '../machines/kernel/versioning.js';
import { noHash } from '../store/entry.js';
import { type Snapshot, type Store, StoreFault } from '../store/store.js';
import { buildEntry, snapshotOf } from './build-entry.js';
import {
  checkContents,
  checkDeadline,
  checkExistence,
  checkMoves,
  checkPresented,
  checkStated,
  mayBeMadeFirst,
  type Present,
} from './checks.js';
import type { Accepted, Command } from './command.js';
import { Committed, type CommittedBounds } from './committed.js';
import { Committer } from './committer.js';
import { erasureOf, withReferences } from './erasing.js';
import { IdempotencyLookup } from './idempotency-lookup.js';
import { JournalClock, type JournalClockOptions } from './journal-clock.js';
import { JournalHome } from './journal-home.js';
import { type NonceBounds, NonceRoom } from './nonces.js';
import { type AnyActor, Registry, type RegistryBounds } from './registry.js';
import { type AttemptOutcome, Retries, type RetryBounds } from './retries.js';

export interface WritePathOptions extends Pick<Present, 'admits' | 'admitsMoves'> {
  readonly catalogue: Catalogue;
  readonly store: Store;
  readonly world: Environment;
  readonly network: string;
  /** DID of this node: the `home` of the entries that it sequences. */
  readonly node: string;
  readonly bounds: RetryBounds & {
    readonly registry: RegistryBounds;
    readonly nonces: NonceBounds;
    /** Bounds of the cache of committed snapshots and accounts, for readers. */
    readonly committed: CommittedBounds;
    /** How far `ts`, and other clocks, may be from the node's clock, ms. */
    readonly tsSlackMs: number;
  };
  /** Durability is in doubt: the process must end. */
  readonly onFault: (fault: unknown) => void;
  /** What the node's clock is compared with, beside itself. */
  readonly clock?: Pick<JournalClockOptions, 'record' | 'blockTime' | 'log'>;
  /** A deadline was set, epoch ms. */
  readonly onAlarm?: (at: number) => void;
}

const isNegative = ({ outcome }: AttemptOutcome): boolean => outcome === 'refused' || outcome === 'early';
const refused = (refusal: Refusal): AttemptOutcome => ({ outcome: 'refused', refusal });

const abandoned = refuse('SERVICE_UNAVAILABLE', 'the database did not answer in time, and nothing was done');

export class WritePath {
  readonly registry: Registry;
  readonly clock: JournalClock;
  readonly committed: Committed;
  readonly committer: Committer;
  readonly journal: JournalHome;
  readonly #recall: IdempotencyLookup;
  readonly #parts: ConstructorParameters<typeof Retries>[0];

  constructor(readonly options: WritePathOptions) {
    const { world, store, bounds, catalogue, node, admits, admitsMoves, onFault, onAlarm } = options;
    const clock = new JournalClock({ world, skewMs: bounds.tsSlackMs, ...options.clock });
    const registry = new Registry(world, bounds.registry);
    // No cache for readers if other processes write, because this process does not see their writes in time.
    const committed = new Committed(store, store.exclusive ? bounds.committed : undefined);
    const nonces = new NonceRoom(world, bounds.nonces);
    const shared = { catalogue, store, clock, registry, committed, nonces };
    const committer = new Committer({ ...shared, node, onFault, onAlarm });
    this.journal = new JournalHome(store, node, world);
    this.#recall = new IdempotencyLookup(store, clock);
    this.#parts = { ...bounds, ...shared, world, admits, admitsMoves, committer };
    [this.registry, this.clock, this.committed, this.committer] = [registry, clock, committed, committer];
  }

  /** @returns what is on disk, or the refusal; SERVICE_UNAVAILABLE if durability is in doubt */
  async execute(command: Command): Promise<Accepted | Refusal> {
    try {
      const result = await this.#known(command);
      // Waits until everything in memory is durable: a refusal reveals state that may not be on disk yet.
      if (isRefusal(result)) await this.committer.durable();
      return result;
    } catch (error) {
      if (error instanceof StoreFault) return refuse('SERVICE_UNAVAILABLE', 'the store has failed', { retryAfter: 30 });
      throw error;
    }
  }

  /** What was accepted under an idempotency key, if anything. */
  recorded(principal: string, key: string): ReturnType<Store['recall']> {
    return this.options.store.recall(principal, key, this.clock.now);
  }

  /** That the resource does not exist comes before all other refusals (docs/reference/errors.md#order-of-refusals). */
  async #known(command: Command): Promise<Accepted | Refusal> {
    const unknown = await checkExistence(this.#parts, command);
    if (!unknown) return this.#take(command);
    if (!(await mayBeMadeFirst(this.#parts, command))) return unknown;
    const result = await this.#take(command);
    return isRefusal(result) ? ((await checkExistence(this.#parts, command)) ?? result) : result;
  }

  async #take(received: Command): Promise<Accepted | Refusal> {
    const { catalogue, store, world } = this.options;

    // 1. Receive: the caller (HTTP, clock, …) has validated the command. Texts that can be erased get references.
    const command = withReferences(received, catalogue, world);

    // 2. Authorise: unlocks the signer's key, outside of the mailboxes because a KDF is slow.
    const unlocking = command.unlock();
    const signer = unlocking instanceof Promise ? await unlocking : unlocking;
    if (isRefusal(signer)) return signer;

    const { kind, id } = command;
    const refs = [`account/${command.signer}`, `${kind}/${id}`, ...this.#foreseen(command)];
    const retries = new Retries(this.#parts, command.signer, refs);
    for (;;) {
      const entered = await this.registry.enter(retries.refs);
      if (isRefusal(entered)) return entered;
      let attempt: AttemptOutcome;
      try {
        attempt = await this.#attempt(command, signer, entered);
        if (isNegative(attempt) && !store.exclusive) {
          // Another process may have written since these were loaded, so the refusal must be confirmed on the store's
          // present state.
          for (const actor of entered) actor.forget();
          attempt = await this.#attempt(command, signer, entered);
        }
        // Joins the waiting room before others can use the nonces that it waits for.
        if (attempt.outcome === 'early') retries.waitFor(attempt.nonce);
      } finally {
        this.registry.leave(entered);
      }

      if (attempt.outcome !== 'grew' && attempt.outcome !== 'stale') command.onPlaced?.(attempt.outcome === 'refused');

      // 7. Reply: the caller renders it once the entry is on disk.
      if (attempt.outcome === 'done') return attempt.accepted;
      const refusal = await retries.after(attempt);
      if (refusal) return refusal;
    }
  }

  /** Steps three to six. @param entered the actors whose mailboxes the command holds */
  async #attempt(command: Command, signer: Signer, entered: readonly AnyActor[]): Promise<AttemptOutcome> {
    const { catalogue, store, world, network, node } = this.options;
    const { clock, committer, registry, journal } = this;
    for (const actor of entered) {
      // What other processes have written since would make a dry run's answer worthless.
      if (command.dryRun && !store.exclusive) actor.forget();
      if (!actor.isLoaded) await actor.load(store);
    }
    const home = journal.did ?? (await journal.find());

    // The key is unlocked, so that a recorded reply is returned to its signer only. No entry has an event with a nonce that
    // is not used yet.
    const { idempotency, presented, signer: did } = command;
    const mayBeRecorded = idempotency ?? (presented && presented.event.nonce <= registry.account(did).account!.nonce);
    const recorded = mayBeRecorded && (await this.#recall.find(command));
    if (isRefusal(recorded)) return refused(recorded);
    if (recorded) return { outcome: 'done', accepted: Promise.resolve(recorded) };

    while (committer.correction) await committer.correction;

    // 3. Check: the nonce and hashes that the signer states must be current.
    const stated = checkStated(this.#parts, command);
    if (stated === 'early') return { outcome: 'early', nonce: command.nonce! };
    if (stated) return refused(stated);
    if (command.prechecked) return refused(command.prechecked);
    if (command.isAbandoned?.()) return refused(abandoned);

    // 4. Step: pure. If it reads resources that are not entered yet, they are entered before the next attempt.
    const time = isCorrection(command) ? clock.takeCorrection() : clock.take();
    if (isRefusal(time)) return refused(time);
    const asked = new Set<string>();
    const text = this.#attestation(command, home);
    const attested =
      text === undefined ? command : { ...command, input: withSignature(command.input, signer.sign(text)) };
    const { most, until, system = false } = command;
    const who = { signer: command.signer, time, network, home, system, most, until };
    const outcome = decide(catalogue, attested, who, registry.reading(asked));
    const missing = [...asked].filter((ref) => !entered.some((actor) => actor.ref === ref));
    if (missing.length > 0) return { outcome: 'grew', missing };
    if (isRefusal(outcome)) return refused(outcome);
    const refusal =
      this.#parts.admits?.(command) ??
      checkMoves(this.#parts, command, outcome) ??
      checkDeadline(this.#parts, command) ??
      checkContents(this.#parts, command, outcome);
    if (refusal) return refused(refusal);

    // 5. Sign: one event for the whole request, chained to the signer's last.
    const account = registry.account(command.signer).account!;
    const salt = command.presented?.salt;
    const drawSalt = () => (salt === undefined ? world.random(saltBytes) : Buffer.from(salt, 'hex'));
    const shared = { catalogue, network, node, home, drawSalt };
    const entry = buildEntry({ ...shared, command: attested, outcome, signer, account, time });
    if (command.dryRun) {
      // The entry has no place in the journal, and its event no signature.
      const numbered = { ...entry, seq: 0, prevEntry: noHash, chainHash: noHash };
      const prepared = { signs: text, written: outcome.written, contents: command.contents ?? [] };
      const accepted = Promise.resolve({ entry: numbered, snapshots: [], replayed: false, prepared });
      return { outcome: 'done', accepted };
    }
    const snapshots = outcome.written.map((written) => snapshotOf(written, entry));
    const another = checkPresented(command, entry);
    if (another) return refused(another);
    const head = (kind: string, id: string) => registry.peekResource(kind, id)?.snapshot;
    const { contents } = command;
    const beside = { contents, erases: erasureOf(catalogue, entry.payload, head) };

    // 6. Commit: one atomic append. If only this process writes, the actors adopt the entry before it is on disk, so
    // that many writes share an fsync.
    if (!store.exclusive) {
      const numbered = await committer.appendAndAdopt(entry, outcome, snapshots, beside);
      if (!numbered) return { outcome: 'stale' };
      return { outcome: 'done', accepted: Promise.resolve({ entry: numbered, snapshots, replayed: false, contents }) };
    }
    const appended = committer.adoptAndAppend(entry, outcome, snapshots, beside);
    const accepted = appended.then((numbered): Accepted => ({ entry: numbered, snapshots, replayed: false, contents }));
    this.#recall.remember(command, accepted);
    return { outcome: 'done', accepted };
  }

  /**
   * The resources that the workflow would read in the present state in memory, so that their mailboxes are entered at
   * once and the step runs once instead of twice. A wrong guess only costs time (docs/decisions/0002).
   */
  #foreseen(command: Command): string[] {
    const { catalogue, network, world, bounds } = this.options;
    const { signer, system = false } = command;
    const refs: string[] = [];
    const read = (of: string, which: string): Snapshot | undefined => {
      refs.push(`${of}/${which}`);
      const snapshot = this.registry.peekResource(of, which)?.snapshot;
      const isCurrent = snapshot?.machine === definitionVersion(catalogue.definitions[of]!);
      return isCurrent ? snapshot : undefined;
    };
    const who = { signer, system, time: world.now(), network, home: this.journal.did ?? '' };
    const workflow = catalogue.workflows[`${command.kind}.${command.action}`];
    const parts = workflow?.subCommands(command, read, who) ?? [];
    if (!isRefusal(parts)) for (const { kind, id } of parts) refs.push(`${kind}/${id}`);
    return refs.length > bounds.written ? [] : refs;
  }

  /** The text of the second signature that some actions require, over the resource as it is inside its mailbox. */
  #attestation({ kind, id, action }: Command, home: string): string | undefined {
    const { catalogue, network } = this.options;
    const resource = this.registry.peekResource(kind, id)?.snapshot;
    return attestation(catalogue.definitions[kind], resource, { action, id, network, home });
  }
}

/** The only command whose entry may have an earlier time than the one before. */
const isCorrection = ({ kind, action }: Command): boolean => kind === 'node' && action === 'correct-clock';
