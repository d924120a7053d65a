/**
 * The one path: every write takes these seven steps (design.md). Nothing reaches the journal in any other way.
 */

import type { Signer } from '../keys/signing.js';
import { attestation, withSignature } from '../machines/kernel/attest.js';
import { machineVersion } from '../machines/kernel/lineage.js';
import { isRefusal, type Refusal, refuse } from '../machines/kernel/refusal.js';
import { type Catalogue, decide, type Outcome } from '../machines/kernel/step.js';
import type { Entry } from '../store/entry.js';
import { type Snapshot, type Store, StoreFault, unseenAccount } from '../store/store.js';
import { pause, type World } from '../world.js';
import type { Accepted, Command } from './command.js';
import { Committed, type CommittedBounds } from './committed.js';
import { Committer } from './committer.js';
import { type NonceBounds, NonceRoom, nonceConflict } from './nonces.js';
import { Recall } from './recall.js';
import { type AnyActor, Registry, type RegistryBounds } from './registry.js';
import { seal, snapshotOf } from './seal.js';

export interface ActorsOptions {
  readonly catalogue: Catalogue;
  readonly store: Store;
  readonly world: World;
  readonly network: string;
  /** DID of this node: the home of what it sequences. */
  readonly home: string;
  readonly bounds: {
    readonly registry: RegistryBounds;
    readonly nonces: NonceBounds;
    /** Committed snapshots and accounts kept for readers. */
    readonly committed: CommittedBounds;
    /** Resources that one entry may write. */
    readonly written: number;
    /** How often the set of resources may grow, and how often another process may win. */
    readonly regroupings: number;
    readonly losses: number;
    /** How far `ts` may be from the node's clock, ms. */
    readonly tsSlackMs: number;
  };
  /** Durability is in doubt: the process must end. */
  readonly onFault: (fault: unknown) => void;
  /** Whether Tokens may be moved now; asked where a decision moves any. */
  readonly admitsMoves?: () => Refusal | undefined;
  /** A deadline was set, epoch ms. */
  readonly onAlarm?: (at: number) => void;
}

/**
 * One more round: another set of mailboxes, a nonce's predecessors, or another process's win. Whoever waits is in the
 * waiting room before it leaves the mailbox (`came`): its predecessor may be who enters next.
 */
type Again = {
  readonly enter?: readonly string[];
  readonly waitFor?: number;
  readonly came?: Promise<boolean>;
  readonly lost?: true;
};

export class Actors {
  readonly registry: Registry;
  readonly committed: Committed;
  readonly committer: Committer;
  readonly #nonces: NonceRoom;
  readonly #recall: Recall;

  constructor(readonly options: ActorsOptions) {
    const { world, store, bounds } = options;
    this.registry = new Registry(world, bounds.registry);
    // What another process commits is not told here: nothing is kept for readers where others write.
    this.committed = new Committed(store, store.exclusive ? bounds.committed : { count: 0, bytes: 0 });
    this.#nonces = new NonceRoom(world, bounds.nonces);
    this.#recall = new Recall(store, () => this.committer.tick());
    this.committer = new Committer({
      catalogue: options.catalogue,
      store,
      world,
      registry: this.registry,
      committed: this.committed,
      nonces: this.#nonces,
      skewMs: bounds.tsSlackMs,
      onFault: options.onFault,
      onAlarm: options.onAlarm,
    });
  }

  /** @returns what is on disk, or the refusal; SERVICE_UNAVAILABLE where durability is in doubt. */
  async execute(command: Command): Promise<Accepted | Refusal> {
    try {
      const result = await this.#execute(command);
      // A refusal tells of the heads that gave it, so they must be on disk as well.
      if (isRefusal(result)) await this.committer.durable();
      return result;
    } catch (error) {
      if (error instanceof StoreFault) return refuse('SERVICE_UNAVAILABLE', 'the store has failed', { retryAfter: 30 });
      throw error;
    }
  }

  async #execute(command: Command): Promise<Accepted | Refusal> {
    const unknown = await this.#unknown(command);
    if (!unknown) return this.#steps(command);
    if (!(await this.#mayBeMadeFirst(command))) return unknown;
    const result = await this.#steps(command);
    // Where nobody made it, that comes before whatever else is wrong (order of refusals).
    return isRefusal(result) ? ((await this.#unknown(command)) ?? result) : result;
  }

  /** Step 1, receive: enter the mailboxes of all that will be written; steps 2 to 6 inside; again where it must be. */
  async #steps(command: Command): Promise<Accepted | Refusal> {
    // Step 2, authorise: before anything recorded is told, and outside of the mailboxes, as a KDF takes its time.
    const unlocking = command.unlock();
    const signer = unlocking instanceof Promise ? await unlocking : unlocking;
    if (isRefusal(signer)) return signer;
    let refs = [`account/${command.signer}`, `${command.kind}/${command.id}`, ...this.#foreseen(command)];
    let regroupings = 0;
    let losses = 0;
    let overdue = false;
    let caughtUp = false;
    for (;;) {
      const round = await this.registry.enter<Exclude<Round, Refusal>>(refs, (entered) =>
        this.#inside(command, signer, entered),
      );
      if (isRefusal(round)) {
        if (caughtUp || round.code !== 'INSUFFICIENT_BALANCE' || this.committer.inFlight === 0) return round;
        // A credit that readers see on disk already may be on its way to its account's head: hear of it, and look again.
        await this.committer.durable();
        caughtUp = true;
        continue;
      }
      // Outside the mailboxes again: the append may be shared with whoever was next.
      if ('committing' in round) return round.committing;
      if ('entry' in round) return round;
      if (round.enter) {
        if (++regroupings > this.options.bounds.regroupings)
          return refuse('CONFLICT', 'the resources taking part keep changing; try again');
        refs = [...new Set([...refs, ...round.enter])];
        if (refs.length > this.options.bounds.written) return refuse('UNPROCESSABLE', 'too many resources take part');
      } else if (round.waitFor !== undefined) {
        // Where other processes write, a predecessor may have come in there: one more look when the time is over.
        if (overdue) return nonceConflict(round.waitFor, await this.#nextNonce(command.signer));
        overdue = !(await round.came);
        if (overdue && this.options.store.exclusive)
          return nonceConflict(round.waitFor, await this.#nextNonce(command.signer));
      } else {
        if (++losses > this.options.bounds.losses)
          return refuse('CONFLICT', 'another process keeps winning; try again', { retryAfter: 1 });
        await pause(this.options.world, ((this.options.world.random(1)[0] ?? 0) % 16) * losses);
      }
    }
  }

  /**
   * What a workflow would ask for by the heads as they are, entered at once: where that is still so inside, the step is
   * run once instead of twice. Where it is not, nothing but time is lost (decision 2).
   */
  #foreseen(command: Command): string[] {
    const { catalogue, network } = this.options;
    const { kind, action, signer, system = false } = command;
    const workflow = catalogue.workflows[`${kind}.${action}`];
    if (!workflow) return [];
    const refs: string[] = [];
    const read = (of: string, which: string): Snapshot | undefined => {
      refs.push(`${of}/${which}`);
      const snapshot = this.registry.peekResource(of, which)?.snapshot;
      const isPresent = snapshot?.machine === machineVersion(catalogue.definitions[of]!);
      return isPresent ? snapshot : undefined;
    };
    const parts = workflow.parts(command, read, { signer, time: this.options.world.now(), network, system });
    if (isRefusal(parts)) return refs;
    for (const { kind, id } of parts) if (catalogue.definitions[kind]!.form !== 'ledger') refs.push(`${kind}/${id}`);
    return refs.length > this.options.bounds.written ? [] : refs;
  }

  async #inside(command: Command, signer: Signer, entered: readonly AnyActor[]): Promise<Round> {
    let round = await this.#attempt(command, signer, entered);
    if (!this.options.store.exclusive && (isRefusal(round) || 'waitFor' in round)) {
      // Another process may have written meanwhile: nobody is refused on what went stale.
      for (const actor of entered) actor.forget();
      round = await this.#attempt(command, signer, entered);
    }
    if (isRefusal(round) || !('waitFor' in round)) return round;
    return { ...round, came: this.#nonces.wait(command.signer, round.waitFor!) };
  }

  async #attempt(command: Command, signer: Signer, entered: readonly AnyActor[]): Promise<Round> {
    for (const actor of entered) if (!actor.isLoaded) await actor.load(this.options.store);
    if (command.idempotency) {
      const recalled = await this.#recall.find(command.idempotency);
      if (recalled) return recalled;
    }
    // Step 3, check: what the signer stated must be current.
    const stale = this.#stale(command);
    if (stale) return stale;
    if (command.breaks) return command.breaks;
    // Step 4, step: pure. What it asked for and is not entered yet is entered first.
    const time = this.committer.tick();
    const asked = new Set<string>();
    const attested = this.#attest(command, signer);
    const outcome = this.#decide(attested, time, asked);
    const missing = [...asked].filter((ref) => !entered.some((actor) => actor.ref === ref));
    if (missing.length > 0) return { enter: missing };
    if (isRefusal(outcome)) return outcome;
    const halted = outcome.moves.length > 0 && this.options.admitsMoves?.();
    if (halted) return halted;
    // Step 5, sign; step 6, commit. Step 7, reply, is the caller's once it is on disk.
    return this.#commit(command, this.#seal(attested, signer, outcome, time), outcome);
  }

  /** Where the action asks for a signature of its own, it is made now: over the resource as it is in the mailbox. */
  #attest(command: Command, signer: Signer): Command {
    const { kind, id, action, input } = command;
    const { catalogue, network } = this.options;
    const resource = this.registry.peekResource(kind, id)?.snapshot;
    const text = attestation(catalogue.definitions[kind], resource, { action, id, network });
    if (text === undefined) return command;
    // A copy, and then its member: V8 is slow at a spread with members behind it.
    const attested: { -readonly [K in keyof Command]: Command[K] } = { ...command };
    attested.input = withSignature(input, signer.sign(text));
    return attested;
  }

  #seal(command: Command, signer: Signer, outcome: Outcome, time: number): Entry {
    const { world, network, home } = this.options;
    const account = this.registry.account(command.signer).account!;
    const { kind, id, action, input, ids } = command;
    return seal({
      outcome,
      payload: ids ? { action, id, ids, input, kind } : { action, id, input, kind },
      salt: world.random(16),
      signer,
      nonce: account.nonce + 1,
      prev: account.lastHash,
      ts: command.ts ?? time,
      time,
      network,
      home,
      idem: command.idempotency ?? null,
    });
  }

  async #commit(command: Command, entry: Entry, outcome: Outcome): Promise<Refusal | Again | Committing> {
    const snapshots = outcome.written.map((written) => snapshotOf(written, entry));
    if (this.options.store.exclusive) {
      const committing = this.committer
        .adoptAndAppend(entry, outcome, snapshots, command.contents)
        .then((numbered): Accepted => ({ entry: numbered, snapshots, replayed: false }));
      if (command.idempotency) this.#recall.remember(command.idempotency, committing);
      return { committing };
    }
    const numbered = await this.committer.appendAndAdopt(entry, outcome, snapshots, command.contents);
    return numbered ? { committing: Promise.resolve({ entry: numbered, snapshots, replayed: false }) } : { lost: true };
  }

  /** An action on what does not exist is refused before anybody's passphrase is looked at. */
  async #unknown(command: Command): Promise<Refusal | undefined> {
    const definition = this.options.catalogue.definitions[command.kind];
    if (definition?.form !== 'machine' || command.action === 'create') return undefined;
    const head = this.registry.peekResource(command.kind, command.id)?.snapshot;
    if (this.#isThere(command, head ?? (await this.committed.resource(command.kind, command.id)))) return undefined;
    return refuse(definition.refusals.unknown, `no ${command.kind} ${command.id} on this network`);
  }

  /** To this signer; nothing that is wrong with the request may tell that another's is there. */
  #isThere({ kind, signer, system }: Command, resource: Snapshot | undefined): boolean {
    const definition = this.options.catalogue.definitions[kind];
    if (!resource || definition?.form !== 'machine') return resource !== undefined;
    return system || !definition.hiddenFrom?.(resource.context, signer);
  }

  /** Sent right behind the request that makes what it names: its nonce has predecessors that are still to come. */
  async #mayBeMadeFirst(command: Command): Promise<boolean> {
    const { kind, id, signer, nonce } = command;
    if (nonce === undefined) return false;
    const next = await this.#nextNonce(signer);
    const head = this.registry.peekResource(kind, id)?.snapshot;
    return this.#nonces.admits(signer, nonce, next) || this.#isThere(command, head);
  }

  #stale(command: Command): Refusal | Again | undefined {
    const account = this.registry.account(command.signer).account!;
    const next = account.nonce + 1;
    const { nonce } = command;
    if (nonce !== undefined && nonce !== next) {
      if (!this.#nonces.admits(command.signer, nonce, next)) return nonceConflict(nonce, next);
      return { waitFor: nonce };
    }
    const { ts } = command;
    if (ts !== undefined && Math.abs(ts - this.options.world.now()) > this.options.bounds.tsSlackMs) {
      return refuse('INVALID_REQUEST', 'ts: must be within ten minutes of the node’s clock', {
        errors: [{ field: 'ts', message: 'must be within ten minutes of the node’s clock' }],
      });
    }
    if (command.prev !== undefined && command.prev !== account.lastHash) {
      return refuse('CONFLICT', 'prev is not the hash of the signer’s last event', { nextNonce: next });
    }
    if (command.resourcePrev === undefined) return undefined;
    const definition = this.options.catalogue.definitions[command.kind];
    if (definition?.form === 'ledger') return undefined;
    const last = this.registry.resource(command.kind, command.id).snapshot?.lastHash ?? null;
    if (command.resourcePrev === last) return undefined;
    const code = definition?.form === 'machine' ? definition.refusals.stale : 'CONFLICT';
    return refuse(code, 'resourcePrev is not the hash of the resource’s last event: read it again');
  }

  #decide(command: Command, time: number, asked: Set<string>): Outcome | Refusal {
    const { catalogue, network } = this.options;
    return decide(
      catalogue,
      command,
      { signer: command.signer, time, network, system: command.system ?? false },
      {
        resource: (kind, id) => {
          asked.add(`${kind}/${id}`);
          return this.registry.peekResource(kind, id)?.snapshot;
        },
        account: (did) => {
          asked.add(`account/${did}`);
          return this.registry.peekAccount(did)?.account ?? unseenAccount(did);
        },
      },
    );
  }

  async #nextNonce(did: string): Promise<number> {
    const head = this.registry.peekAccount(did)?.account;
    return (head ?? (await this.committed.account(did))).nonce + 1;
  }
}

/** Wrapped, so that awaiting a mailbox does not await the disk. */
interface Committing {
  readonly committing: Promise<Accepted>;
}

type Round = Accepted | Refusal | Again | Committing;
