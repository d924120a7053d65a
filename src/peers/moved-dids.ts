/**
 * Which DIDs have moved (docs/reference/moving.md), in memory, since each write and each answer asks. What it says
 * follows from this node's journal and its copies of others.
 */
import { growingCache } from '../core/growing-cache.js';
import type { Refusal } from '../core/refusal.js';
import { movedAway, residenceKind } from '../machines/kernel/moved.js';
import type { EntryCore } from '../store/entry.js';
import type { StoreReader } from '../store/store.js';
import type { ForeignHomes } from './reading/foreign.js';
import { movesOf, type Residence } from './residences.js';

/** The most DIDs that are remembered, most of which have not moved. */
const remembered = 10_000;

type Residences = readonly Residence[];

export class MovedDids {
  readonly #known = growingCache<string, Residences>(remembered);
  #homes: readonly unknown[] = [];
  /** Counts what may have changed a residence: a look-up that began before is not remembered. */
  #changes = 0;

  constructor(
    /** DID of this home. */
    private readonly own: string,
    private readonly store: Pick<StoreReader, 'load'>,
    private readonly foreign: ForeignHomes,
  ) {}

  /** The residences of the highest epoch; empty for a DID that has not moved. Synchronous if they are remembered. */
  of(did: string): Residences | Promise<Residences> {
    const homes = this.foreign.all();
    if (homes !== this.#homes) {
      this.#homes = homes;
      this.#forget();
    }
    return this.#known.get(did) ?? this.#find(did);
  }

  /** Why the DID may not sign here; undefined if it lives here, or has not moved. */
  refusalOf(did: string): Refusal | undefined | Promise<Refusal | undefined> {
    const residences = this.of(did);
    return residences instanceof Promise
      ? residences.then((found) => this.#refusal(did, found))
      : this.#refusal(did, residences);
  }

  /** Call when an own entry, or one of another home, is readable. */
  saw({ versions }: Pick<EntryCore, 'versions'>): void {
    for (const { kind, id } of versions) {
      if (kind !== residenceKind) continue;
      this.#known.delete(id);
      this.#changes++;
    }
  }

  #forget(): void {
    this.#known.clear();
    this.#changes++;
  }

  async #find(did: string): Promise<Residences> {
    const changes = this.#changes;
    const found = await movesOf(did, [{ store: this.store }, ...this.foreign.all()]);
    if (changes === this.#changes) this.#known.set(did, found);
    return found;
  }

  #refusal(did: string, residences: Residences): Refusal | undefined {
    if (residences.length === 0 || residences.some(({ home }) => home === this.own)) return undefined;
    return movedAway(did, residences);
  }
}
