/** Finds entries without a number that killed processes have left. */
import type { Environment } from '../../core/environment.js';
import type { Collections } from './database.js';
import type { EntryDocument } from './documents.js';
import type { Outage } from './outage.js';
import type { ProcessRegistry } from './process-registry.js';
import { silenceMs } from './process-registry.js';

/** After this time no write of a silent process can still arrive. */
const goneMs = 600_000;

/** Bound of the entries without a number per process. */
const mostOpen = 10_000;

type OrphanOrigin = Pick<EntryDocument, '_id' | 'process' | 'nth'>;
const made = { process: 1, nth: 1 } as const;

export class Orphans {
  #lookedAt = Number.NEGATIVE_INFINITY;
  readonly #done = new Map<string, number>();

  constructor(
    private readonly collections: Pick<Collections, 'entries' | 'order'>,
    private readonly control: ProcessRegistry,
    private readonly options: { readonly world: Environment; readonly outage: Outage },
  ) {}

  /**
   * Checks from time to time.
   * @returns the entries in each process's order
   */
  async find(): Promise<EntryDocument[]> {
    const now = this.options.world.monotonic();
    if (now - this.#lookedAt < silenceMs) return [];
    this.#lookedAt = now;
    const found: EntryDocument[] = [];
    for (const [process, { document, silentMs }] of this.control.others) {
      if (!this.control.isSilent(process)) continue;
      const left = await this.leftBy(process, document.settled);
      found.push(...left);
      if (left.length === 0 && silentMs > goneMs) await this.control.forget(process);
    }
    return found;
  }

  /** Entries of a killed process without a number, in its order. */
  async leftBy(process: string, settled: number): Promise<EntryDocument[]> {
    const { outage } = this.options;
    const { entries } = this.collections;
    const all = await this.#madeBy(process, { $gt: Math.max(settled, this.#done.get(process) ?? 0) });
    const open = await this.#withoutNumber(all);
    if (open.length === 0) {
      if (all.length > 0) this.#done.set(process, all.at(-1)!.nth);
      return [];
    }
    const query = { _id: { $in: open.map(({ _id }) => _id) } };
    return outage.retry(() => entries.find(query).sort({ nth: 1 }).toArray());
  }

  /** The hashes of an entry and of earlier ones of its process that have no number, in order. */
  async upTo(entryHash: string): Promise<string[]> {
    const query = { _id: entryHash };
    const origin = await this.options.outage.retry(() => this.collections.entries.findOne(query, { projection: made }));
    if (!origin) return [];
    const settled = this.control.others.get(origin.process)?.document.settled ?? 0;
    const range = { $gt: Math.max(settled, origin.nth - mostOpen), $lte: origin.nth };
    return (await this.#withoutNumber(await this.#madeBy(origin.process, range))).map(({ _id }) => _id);
  }

  #madeBy(process: string, nth: { readonly $gt: number; readonly $lte?: number }): Promise<OrphanOrigin[]> {
    const { entries } = this.collections;
    return this.options.outage.retry(() =>
      entries.find({ process, nth }, { projection: made }).sort({ nth: 1 }).toArray(),
    );
  }

  async #withoutNumber(some: readonly OrphanOrigin[]): Promise<readonly OrphanOrigin[]> {
    if (some.length === 0) return [];
    const query = { entry: { $in: some.map(({ _id }) => _id) } };
    const { order } = this.collections;
    const numbered = await this.options.outage.retry(() => order.find(query, { projection: { entry: 1 } }).toArray());
    const done = new Set(numbered.map(({ entry }) => entry));
    return some.filter(({ _id }) => !done.has(_id));
  }
}
