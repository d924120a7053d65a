/**
 * The actors in memory: made on first use, entered in one fixed order, gone when idle.
 */
import { isRefusal, type Refusal } from '../machines/kernel/refusal.js';
import type { World } from '../world.js';
import { AccountActor, ResourceActor } from './heads.js';

export interface RegistryBounds {
  /** Commands that may wait in one mailbox. */
  readonly mailbox: number;
  /** Actors kept in memory; idle ones beyond it leave, the longest unused first. */
  readonly actors: number;
  /** What their heads take together, roughly; idle ones beyond it leave, too. */
  readonly bytes: number;
}

type AnyActor = AccountActor | ResourceActor;

/** Entered to find that there is none: it has nothing to remember. */
const isOfNothing = (actor: AnyActor): boolean =>
  actor instanceof ResourceActor && actor.isLoaded && actor.snapshot === undefined;

export class Registry {
  /** In order of use: the first is the longest unused. */
  readonly #actors = new Map<string, AnyActor>();
  /** The last of them: one command asks for the same actor again and again. */
  #newest: AnyActor | undefined;

  #bytes = 0;
  readonly #onWeight = (bytes: number): void => {
    this.#bytes += bytes;
  };

  constructor(
    private readonly world: World,
    private readonly bounds: RegistryBounds,
  ) {}

  get size(): number {
    return this.#actors.size;
  }

  account(did: string): AccountActor {
    return this.#get(`account/${did}`, () => new AccountActor(did, this.bounds.mailbox)) as AccountActor;
  }

  resource(kind: string, id: string): ResourceActor {
    return this.#get(
      `${kind}/${id}`,
      () => new ResourceActor(kind, id, this.bounds.mailbox, this.#onWeight),
    ) as ResourceActor;
  }

  /** Without making it. */
  peekAccount(did: string): AccountActor | undefined {
    return this.#actors.get(`account/${did}`) as AccountActor | undefined;
  }

  peekResource(kind: string, id: string): ResourceActor | undefined {
    return this.#actors.get(`${kind}/${id}`) as ResourceActor | undefined;
  }

  /** The actor behind `<kind>/<id>`. */
  actor(ref: string): AnyActor {
    const slash = ref.indexOf('/');
    const kind = ref.slice(0, slash);
    const id = ref.slice(slash + 1);
    return kind === 'account' ? this.account(id) : this.resource(kind, id);
  }

  /** Enters all mailboxes, in the one order that every command uses, then works. */
  enter<T>(refs: readonly string[], work: () => Promise<T | Refusal>): Promise<T | Refusal> {
    const inOrder = [...new Set(refs)].sort();
    const from = (index: number): Promise<T | Refusal> => {
      const ref = inOrder[index];
      if (ref === undefined) return work();
      const actor = this.actor(ref);
      return actor.mailbox
        .enter(() => from(index + 1))
        .then((result) => {
          if (isOfNothing(actor)) this.#letGo(ref, actor);
          return isRefusal(result) ? result : (result as T);
        });
    };
    return from(0);
  }

  #get(ref: string, make: () => AnyActor): AnyActor {
    let actor = this.#actors.get(ref);
    if (actor === undefined || actor !== this.#newest) {
      // Deleting and setting keeps the map in order of use.
      if (actor) this.#actors.delete(ref);
      else actor = make();
      this.#actors.set(ref, actor);
      this.#newest = actor;
    }
    actor.usedAt = this.world.monotonic();
    if (this.#isOver) this.#evict();
    return actor;
  }

  /** Idle actors without pending entries leave memory. Looks at a bounded number, so a busy crowd costs little. */
  #evict(): void {
    let looked = 0;
    for (const [ref, actor] of this.#actors) {
      if (!this.#isOver || ++looked > 64) return;
      if (actor.usedAt < this.world.monotonic()) this.#letGo(ref, actor);
    }
  }

  get #isOver(): boolean {
    return this.#actors.size > this.bounds.actors || this.#bytes > this.bounds.bytes;
  }

  /** Not while it is used, or its head is not on disk. */
  #letGo(ref: string, actor: AnyActor): void {
    if (!actor.mailbox.idle || actor.pending > 0 || this.#actors.get(ref) !== actor) return;
    this.#actors.delete(ref);
    this.#bytes -= actor.weight;
  }

  /** Lets everything go that was unused for `idleMs`. */
  sweep(idleMs: number): void {
    const before = this.world.monotonic() - idleMs;
    for (const [ref, actor] of this.#actors) {
      if (actor.usedAt > before) return;
      this.#letGo(ref, actor);
    }
  }
}
