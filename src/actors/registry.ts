/**
 * The actors in memory: made on first use, entered in one fixed order, gone when idle.
 */

import type { Environment } from '../core/environment.js';
import type { Refusal } from '../core/refusal.js';
import { AccountActor, ResourceActor } from './in-memory-state.js';

export interface RegistryBounds {
  /** Commands that may wait in one mailbox. */
  readonly mailbox: number;
  /** Actors kept in memory; idle ones beyond it leave, the longest unused first. */
  readonly actors: number;
  /** What their heads take together, roughly; idle ones beyond it leave, too. */
  readonly bytes: number;
}

export type AnyActor = AccountActor | ResourceActor;

export class Registry {
  readonly #accounts = new Map<string, AccountActor>();
  /** By kind, then by id: to join the two anew for each look would cost more than the look. */
  readonly #resources = new Map<string, Map<string, ResourceActor>>();
  /** All of them in order of use: the first is the longest unused. */
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

  /** Without making it. */
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

  /** Enters all mailboxes, in the one order that every command uses, then works. */
  enter<T>(refs: readonly string[], work: (actors: readonly AnyActor[]) => Promise<T | Refusal>): Promise<T | Refusal> {
    return this.#from(0, [...new Set(refs)].sort(), [], work);
  }

  /** As many as are free at once; who finds somebody inside goes on from there when its turn has come. */
  async #from<T>(
    index: number,
    inOrder: readonly string[],
    inside: AnyActor[],
    work: (actors: readonly AnyActor[]) => Promise<T | Refusal>,
  ): Promise<T | Refusal> {
    let free = index;
    try {
      for (; free < inOrder.length; free++) {
        const actor = this.actor(inOrder[free]!);
        this.#use(actor);
        inside.push(actor);
        if (!actor.mailbox.occupy()) break;
      }
      if (free === inOrder.length) return await work(inside);
      const next = free + 1;
      return await inside[free]!.mailbox.enter(() => this.#from(next, inOrder, inside, work));
    } finally {
      if (free < inOrder.length) this.#forgetNothing(inside[free]!);
      while (--free >= index) {
        const actor = inside[free]!;
        actor.mailbox.leave();
        this.#forgetNothing(actor);
      }
    }
  }

  /** Who was entered to find that there is none has nothing to remember. */
  #forgetNothing(actor: AnyActor): void {
    if (actor instanceof ResourceActor && actor.isLoaded && actor.snapshot === undefined) this.#letGo(actor);
  }

  #use(actor: AnyActor): void {
    actor.usedAt = this.world.monotonic();
    this.#used.delete(actor);
    this.#used.add(actor);
    if (this.#isOver) this.#evict(actor);
  }

  /**
   * Idle actors without pending entries leave memory, but for the one that is about to be entered. Looks at a bounded
   * number, so a busy crowd costs little.
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

  /** Not while it is used, or its head is not on disk. */
  #letGo(actor: AnyActor): void {
    if (!actor.mailbox.idle || actor.pending > 0 || !this.#used.delete(actor)) return;
    if (actor instanceof AccountActor) this.#accounts.delete(actor.did);
    else this.#resources.get(actor.kind)?.delete(actor.id);
    this.#bytes -= actor.weight;
  }

  /** Lets everything go that was unused for `idleMs`. */
  sweep(idleMs: number): void {
    const before = this.world.monotonic() - idleMs;
    for (const actor of this.#used) {
      if (actor.usedAt > before) return;
      this.#letGo(actor);
    }
  }
}
