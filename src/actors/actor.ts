/**
 * The entry point of writes: every source of commands (HTTP, clock, faucet, operator) calls `Actors.execute`. The seven
 * steps of a command are in `pipeline.ts`.
 */

import type { Environment } from '../core/environment.js';
import { isRefusal, type Refusal, refuse } from '../core/refusal.js';
import type { Catalogue } from '../machines/kernel/step.js';
import { unknownResource } from '../machines/kernel/unknown-resource.js';
import { type Snapshot, type Store, StoreFault } from '../store/store.js';
import { type AttemptBounds, Attempts } from './attempts.js';
import type { Accepted, Command } from './command.js';
import { Committer } from './committer.js';
import { IdempotencyLookup } from './idempotency-lookup.js';
import { Committed, type CommittedBounds } from './in-memory-state.js';
import { JournalClock, type JournalClockOptions } from './journal-clock.js';
import { JournalHome } from './journal-home.js';
import { type NonceBounds, NonceRoom } from './nonces.js';
import { execute, type WritePipeline } from './pipeline.js';
import { Registry, type RegistryBounds } from './registry.js';

export interface ActorsOptions {
  readonly catalogue: Catalogue;
  readonly store: Store;
  readonly world: Environment;
  readonly network: string;
  /** DID of this node: the `home` of the entries that it sequences. */
  readonly node: string;
  readonly bounds: AttemptBounds & {
    readonly registry: RegistryBounds;
    readonly nonces: NonceBounds;
    /** Bounds of the cache of committed snapshots and accounts, for readers. */
    readonly committed: CommittedBounds;
    /** How far `ts`, and other clocks, may be from the node's clock, ms. */
    readonly tsSlackMs: number;
  };
  /** Durability is in doubt: the process must end. */
  readonly onFault: (fault: unknown) => void;
  /** Returns a refusal while Tokens may not be moved; called if a step's outcome moves any. */
  readonly admitsMoves?: () => Refusal | undefined;
  /** What the node's clock is compared with, beside itself. */
  readonly clock?: Pick<JournalClockOptions, 'record' | 'blockTime' | 'log'>;
  /** A deadline was set, epoch ms. */
  readonly onAlarm?: (at: number) => void;
}

export class Actors {
  readonly registry: Registry;
  readonly clock: JournalClock;
  readonly committed: Committed;
  readonly committer: Committer;
  readonly journal: JournalHome;
  readonly #nonces: NonceRoom;
  readonly #pipeline: WritePipeline;

  constructor(readonly options: ActorsOptions) {
    const { world, store, bounds, catalogue, network, node, admitsMoves } = options;
    this.clock = new JournalClock({ world, skewMs: bounds.tsSlackMs, ...options.clock });
    this.registry = new Registry(world, bounds.registry);
    // No cache for readers if other processes write, because this process does not see their writes in time.
    this.committed = new Committed(store, store.exclusive ? bounds.committed : undefined);
    this.#nonces = new NonceRoom(world, bounds.nonces);
    this.committer = new Committer({
      catalogue,
      store,
      clock: this.clock,
      registry: this.registry,
      committed: this.committed,
      nonces: this.#nonces,
      node,
      onFault: options.onFault,
      onAlarm: options.onAlarm,
    });
    this.journal = new JournalHome(store, node, world);
    const { clock, registry, committer, journal } = this;
    const recall = new IdempotencyLookup(store, clock);
    const parts = { catalogue, store, world, network, node, journal, clock, admitsMoves, registry, committer, recall };
    const pipeline = { ...parts, nonces: this.#nonces, tsSlackMs: bounds.tsSlackMs };
    const attempts = new Attempts(pipeline, bounds, (did) => this.#nextNonce(did));
    this.#pipeline = { ...pipeline, inMailboxes: (command, attempt) => attempts.run(command, attempt) };
  }

  /** @returns what is on disk, or the refusal; SERVICE_UNAVAILABLE if durability is in doubt */
  async execute(command: Command): Promise<Accepted | Refusal> {
    try {
      const result = await this.#execute(command);
      // Waits until everything in memory is durable: a refusal reveals state that may not be on disk yet.
      if (isRefusal(result)) await this.committer.durable();
      return result;
    } catch (error) {
      if (error instanceof StoreFault) return refuse('SERVICE_UNAVAILABLE', 'the store has failed', { retryAfter: 30 });
      throw error;
    }
  }

  async #execute(command: Command): Promise<Accepted | Refusal> {
    const unknown = await this.#unknown(command);
    if (!unknown) return execute(this.#pipeline, command);
    if (!(await this.#mayBeMadeFirst(command))) return unknown;
    const result = await execute(this.#pipeline, command);
    // If the resource still does not exist, that refusal comes before all others (order of refusals).
    return isRefusal(result) ? ((await this.#unknown(command)) ?? result) : result;
  }

  /** What was accepted under an idempotency key, if anything. */
  recorded(principal: string, key: string): ReturnType<Store['recall']> {
    return this.options.store.recall(principal, key, this.clock.now);
  }

  /** Refuses an action on a resource that does not exist, before the passphrase is checked. */
  async #unknown(command: Command): Promise<Refusal | undefined> {
    const definition = this.options.catalogue.definitions[command.kind];
    if (definition?.form !== 'machine' || command.action === 'create') return undefined;
    const head = this.registry.peekResource(command.kind, command.id)?.snapshot;
    if (this.#isThere(command, head ?? (await this.committed.resource(command.kind, command.id)))) return undefined;
    return unknownResource(definition, command.id);
  }

  /** Whether the resource exists for this signer: no refusal may reveal another DID's private resource. */
  #isThere({ kind, signer, system }: Command, resource: Snapshot | undefined): boolean {
    const definition = this.options.catalogue.definitions[kind];
    if (!resource || definition?.form !== 'machine') return resource !== undefined;
    return system || !definition.isHiddenFrom?.(resource.context, signer);
  }

  /** Whether the request that creates the resource may still arrive, because earlier nonces are missing. */
  async #mayBeMadeFirst(command: Command): Promise<boolean> {
    const { kind, id, signer, nonce } = command;
    if (nonce === undefined) return false;
    const next = await this.#nextNonce(signer);
    const head = this.registry.peekResource(kind, id)?.snapshot;
    return this.#nonces.admits(signer, nonce, next) || this.#isThere(command, head);
  }

  async #nextNonce(did: string): Promise<number> {
    const head = this.registry.peekAccount(did)?.account;
    return (head ?? (await this.committed.account(did))).nonce + 1;
  }
}
