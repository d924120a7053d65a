/** Entries that a process left in the database without a number when it died. */
import type { World } from '../../world.js';
import type { Away } from './away.js';
import type { Control } from './control.js';
import { silenceMs } from './control.js';
import type { Collections } from './database.js';
import type { EntryDocument } from './documents.js';

/** A process that has been silent for so long has left nothing on the way to the server. */
const goneMs = 600_000;

/** No process has more entries without a number. */
const mostOpen = 10_000;

type Made = Pick<EntryDocument, '_id' | 'process' | 'nth'>;
const made = { process: 1, nth: 1 } as const;

export class Orphans {
  #lookedAt = Number.NEGATIVE_INFINITY;
  /** By process: everything up to this how-manieth was found to be numbered. */
  readonly #done = new Map<string, number>();

  constructor(
    private readonly collections: Pick<Collections, 'entries' | 'order'>,
    private readonly control: Control,
    private readonly options: { readonly world: World; readonly away: Away },
  ) {}

  /** Looks now and then; in the order in which each process made them. */
  async find(): Promise<EntryDocument[]> {
    const now = this.options.world.monotonic();
    if (now - this.#lookedAt < silenceMs) return [];
    this.#lookedAt = now;
    const found: EntryDocument[] = [];
    for (const [process, { document, seenAt }] of this.control.others) {
      if (!this.control.isSilent(process)) continue;
      const left = await this.leftBy(process, document.settled);
      found.push(...left);
      if (left.length === 0 && now - seenAt > goneMs) await this.control.forget(process);
    }
    return found;
  }

  /** What has no number yet of a process that is gone, in its order. */
  async leftBy(process: string, settled: number): Promise<EntryDocument[]> {
    const { away } = this.options;
    const { entries } = this.collections;
    const all = await this.#madeBy(process, { $gt: Math.max(settled, this.#done.get(process) ?? 0) });
    const open = await this.#withoutNumber(all);
    if (open.length === 0) {
      if (all.length > 0) this.#done.set(process, all.at(-1)!.nth);
      return [];
    }
    const query = { _id: { $in: open.map(({ _id }) => _id) } };
    return away.insist(() => entries.find(query).sort({ nth: 1 }).toArray());
  }

  /** An entry and the elder ones of its process, as far as they have no number yet, in their order. */
  async upTo(entryHash: string): Promise<string[]> {
    const query = { _id: entryHash };
    const origin = await this.options.away.insist(() => this.collections.entries.findOne(query, { projection: made }));
    if (!origin) return [];
    const settled = this.control.others.get(origin.process)?.document.settled ?? 0;
    const range = { $gt: Math.max(settled, origin.nth - mostOpen), $lte: origin.nth };
    return (await this.#withoutNumber(await this.#madeBy(origin.process, range))).map(({ _id }) => _id);
  }

  #madeBy(process: string, nth: { readonly $gt: number; readonly $lte?: number }): Promise<Made[]> {
    const { entries } = this.collections;
    return this.options.away.insist(() =>
      entries.find({ process, nth }, { projection: made }).sort({ nth: 1 }).toArray(),
    );
  }

  async #withoutNumber(some: readonly Made[]): Promise<readonly Made[]> {
    if (some.length === 0) return [];
    const query = { entry: { $in: some.map(({ _id }) => _id) } };
    const { order } = this.collections;
    const numbered = await this.options.away.insist(() => order.find(query, { projection: { entry: 1 } }).toArray());
    const done = new Set(numbered.map(({ entry }) => entry));
    return some.filter(({ _id }) => !done.has(_id));
  }
}
