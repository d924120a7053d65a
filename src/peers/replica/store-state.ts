/**
 * The state of a followed home's journal, read from its store. What the next entries name is loaded before they are
 * executed; a bounded part stays in memory, so that the length of a feed does not matter.
 */
import { LRUCache } from 'lru-cache';
import { weightOf } from '../../actors/weight.js';
import type { JsonObject } from '../../core/canonical.js';
import { growingCache } from '../../core/growing-cache.js';
import { RefusedError, refuse } from '../../core/refusal.js';
import type { Resource } from '../../machines/kernel/definition.js';
import { accountChanges } from '../../machines/kernel/ledger.js';
import type { Entry } from '../../store/entry.js';
import type { Account, StoreReader } from '../../store/store.js';
import type { ReplayState } from '../../verify/replay-state.js';

export interface StateBounds {
  /** Bytes of resources, and number of accounts, cached between two batches. */
  readonly bytes: number;
  readonly accounts: number;
  /** Nodes of the home whose newest times are known; the least recent one is dropped. */
  readonly nodes: number;
}

/** A resource that an entry has written. */
export interface WrittenResource {
  readonly resource: Resource;
  readonly contextText: string;
  /** The context before; undefined if the entry created it. */
  readonly before: JsonObject | undefined;
}

type StateSource = Pick<StoreReader, 'load' | 'account' | 'totals'>;

export class StoreState implements ReplayState {
  readonly system = { supply: 0, fees: 0 };
  readonly #recent: LRUCache<string, Resource>;
  readonly #recentRows: LRUCache<string, Account>;
  readonly #times: LRUCache<string, number>;
  /** Resources that this batch names; undefined if one does not exist. */
  readonly #resources = new Map<string, Resource | undefined>();
  readonly #rows = new Map<string, Account | undefined>();
  #kept: WrittenResource[] = [];

  constructor(
    private readonly store: StateSource,
    { bytes, accounts, nodes }: StateBounds,
  ) {
    const sizeCalculation = ({ context }: Resource) => weightOf(context) || 1;
    this.#recent = new LRUCache({ maxSize: bytes, sizeCalculation });
    this.#recentRows = growingCache(accounts);
    this.#times = new LRUCache({ max: nodes });
  }

  /** Reads the totals of the ledger, and forgets everything else. */
  async begin(): Promise<void> {
    this.#recent.clear();
    this.#recentRows.clear();
    this.#resources.clear();
    this.#rows.clear();
    this.#kept = [];
    const { supply, fees } = await this.store.totals();
    this.system.supply = 0 - supply;
    this.system.fees = fees;
  }

  /** Loads everything that these entries name. @param named the resources that an entry's execution may read */
  async prepare(
    entries: readonly Entry[],
    named: (entry: Entry) => Iterable<readonly [kind: string, id: string]>,
  ): Promise<void> {
    const reads: Promise<unknown>[] = [];
    for (const entry of entries) {
      for (const [kind, id] of named(entry)) {
        const ref = `${kind}/${id}`;
        if (this.#resources.has(ref)) continue;
        const recent = this.#recent.get(ref);
        this.#resources.set(ref, recent);
        if (!recent) reads.push(this.store.load(kind, id).then((found) => this.#resources.set(ref, found)));
      }
      for (const did of accountsOf(entry)) {
        if (this.#rows.has(did)) continue;
        const recent = this.#recentRows.get(did);
        this.#rows.set(did, recent);
        if (!recent) reads.push(this.store.account(did).then((found) => this.#rows.set(did, found)));
      }
    }
    await Promise.all(reads);
  }

  /** Ends a batch: moves what it has read and written into the caches. */
  settle(): void {
    for (const [ref, resource] of this.#resources) if (resource) this.#recent.set(ref, resource);
    for (const [did, row] of this.#rows) if (row) this.#recentRows.set(did, row);
    this.#resources.clear();
    this.#rows.clear();
  }

  /** What the entries since the last call have written, in order. */
  taken(): readonly WrittenResource[] {
    return this.#kept.splice(0);
  }

  resource(kind: string, id: string): Resource | undefined {
    const ref = `${kind}/${id}`;
    return this.#named(this.#resources, ref);
  }

  row(did: string): Account | undefined {
    return this.#named(this.#rows, did);
  }

  /** Forgets the newest times. */
  forgetTimes(): void {
    this.#times.clear();
  }

  timeOf(node: string): number {
    return this.#times.get(node) ?? 0;
  }

  times(): readonly (readonly [node: string, time: number])[] {
    return [...this.#times.entries()].reverse();
  }

  keep(resource: Resource, contextText: string): void {
    const ref = `${resource.kind}/${resource.id}`;
    this.#kept.push({ resource, contextText, before: this.#resources.get(ref)?.context });
    this.#resources.set(ref, resource);
  }

  keepRow(row: Account): void {
    this.#rows.set(row.did, row);
  }

  keepTime(node: string, time: number): void {
    this.#times.set(node, time);
  }

  #named<T>(read: ReadonlyMap<string, T | undefined>, name: string): T | undefined {
    const found = read.get(name);
    if (found === undefined && !read.has(name)) {
      throw new RefusedError(refuse('UNPROCESSABLE', `its step reads ${name}, which the entry does not name`));
    }
    return found;
  }
}

function* accountsOf({ core }: Entry): Iterable<string> {
  yield core.event.issuer;
  yield* accountChanges(core).keys();
}
