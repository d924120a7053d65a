/**
 * The actors in memory: created on first use, entered in one fixed order, evicted when idle.
 */

import type { Environment } from '../core/environment.js';
import type { Refusal } from '../core/refusal.js';
import type { Before } from '../machines/kernel/decide.js';
import { unseenAccount } from '../store/store.js';
import { AccountActor, ResourceActor } from './actors.js';

export interface RegistryBounds {
  /** The most commands that may wait in one mailbox. */
  readonly mailbox: number;
  /** The most actors in memory; beyond it idle ones are evicted, least recently used first. */
  readonly actors: number;
  /** Approximate bytes of all heads together; beyond it idle actors are evicted, too. */
  readonly bytes: number;
}

export type AnyActor = AccountActor | ResourceActor;

export class Registry {
  readonly #accounts = new Map<string, AccountActor>();
  /** Nested maps by kind and id, because joining the two for each lookup would cost more than the lookup. */
  readonly #resources = new Map<string, Map<string, ResourceActor>>();
  /** All actors, least recently used first. */
  readonly #used = new Set<AnyActor>();
  #bytes = 0;
  readonly #onWeight = (bytes: number): void => {
    this.#bytes += bytes;
  };

  constructor(
    private readonly world: Environment,
    private readonly bounds: RegistryBounds,
  ) {}

  get size(): number {
    return this.#used.size;
  }

  account(did: string): AccountActor {
    let actor = this.#accounts.get(did);
    if (!actor) {
      actor = new AccountActor(did, this.bounds.mailbox);
      this.#accounts.set(did, actor);
      this.#used.add(actor);
    }
    return actor;
  }

  resource(kind: string, id: string): ResourceActor {
    let ofKind = this.#resources.get(kind);
    if (!ofKind) {
      ofKind = new Map();
      this.#resources.set(kind, ofKind);
    }
    let actor = ofKind.get(id);
    if (!actor) {
      actor = new ResourceActor(kind, id, this.bounds.mailbox, this.#onWeight);
      ofKind.set(id, actor);
      this.#used.add(actor);
    }
    return actor;
  }

  /** The actor if it is in memory; creates none. */
  peekAccount(did: string): AccountActor | undefined {
    return this.#accounts.get(did);
  }

  peekResource(kind: string, id: string): ResourceActor | undefined {
    return this.#resources.get(kind)?.get(id);
  }

  /** The actor behind `<kind>/<id>`. */
  actor(ref: string): AnyActor {
    const slash = ref.indexOf('/');
    const kind = ref.slice(0, slash);
    const id = ref.slice(slash + 1);
    return kind === 'account' ? this.account(id) : this.resource(kind, id);
  }

  /** Enters all mailboxes, in the one order that every command uses. The caller must then call `leave`. */
  async enter(refs: readonly string[]): Promise<readonly AnyActor[] | Refusal> {
    const entered: AnyActor[] = [];
    for (const ref of [...new Set(refs)].sort()) {
      const actor = this.actor(ref);
      this.#use(actor);
      const refusal = await actor.mailbox.enter();
      if (refusal) {
        this.leave(entered);
        return refusal;
      }
      entered.push(actor);
    }
    return entered;
  }

  /** Leaves the mailboxes, and removes actors of resources that do not exist. */
  leave(entered: readonly AnyActor[]): void {
    for (const actor of entered) {
      actor.mailbox.leave();
      if (actor instanceof ResourceActor && actor.isLoaded && actor.snapshot === undefined) this.#letGo(actor);
    }
  }

  /** The heads as the step reads them. @param asked receives `<kind>/<id>` of each */
  reading(asked: Set<string>): Before {
    return {
      resource: (kind, id) => {
        asked.add(`${kind}/${id}`);
        return this.peekResource(kind, id)?.snapshot;
      },
      account: (did) => {
        asked.add(`account/${did}`);
        return this.peekAccount(did)?.account ?? unseenAccount(did);
      },
    };
  }

  #use(actor: AnyActor): void {
    actor.usedAt = this.world.monotonic();
    this.#used.delete(actor);
    this.#used.add(actor);
    if (this.#isOver) this.#evict(actor);
  }

  /**
   * Evicts idle actors without pending entries, except the one that is about to be entered. Examines a bounded number,
   * so that it stays cheap if all are busy.
   */
  #evict(entering: AnyActor): void {
    let looked = 0;
    for (const actor of this.#used) {
      if (!this.#isOver || ++looked > 64) return;
      if (actor !== entering) this.#letGo(actor);
    }
  }

  get #isOver(): boolean {
    return this.#used.size > this.bounds.actors || this.#bytes > this.bounds.bytes;
  }

  /** Evicts an actor, unless it is in use or has entries that are not on disk. */
  #letGo(actor: AnyActor): void {
    if (!actor.mailbox.idle || actor.pending > 0 || !this.#used.delete(actor)) return;
    if (actor instanceof AccountActor) this.#accounts.delete(actor.did);
    else this.#resources.get(actor.kind)?.delete(actor.id);
    this.#bytes -= actor.weight;
  }

  /** Evicts all actors that were unused for `idleMs`. */
  sweep(idleMs: number): void {
    const before = this.world.monotonic() - idleMs;
    for (const actor of this.#used) {
      if (actor.usedAt > before) return;
      this.#letGo(actor);
    }
  }
}
