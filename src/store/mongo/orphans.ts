/** Entries that a process left in the database without a number when it died. */
import type { World } from '../../world.js';
import type { Away } from './away.js';
import type { Control } from './control.js';
import { silenceMs } from './control.js';
import type { Collections } from './database.js';
import type { EntryDocument } from './documents.js';

/** A process that has been silent for so long has left nothing on the way to the server. */
const goneMs = 600_000;

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
    const { entries, order } = this.collections;
    const query = { process, nth: { $gt: Math.max(settled, this.#done.get(process) ?? 0) } };
    const left = await away.insist(() => entries.find(query).sort({ nth: 1 }).toArray());
    if (left.length === 0) return [];
    const hashes = left.map(({ _id }) => _id);
    const numbered = await away.insist(() =>
      order.find({ entry: { $in: hashes } }, { projection: { entry: 1 } }).toArray(),
    );
    const done = new Set(numbered.map(({ entry }) => entry));
    const open = left.filter(({ _id }) => !done.has(_id));
    if (open.length === 0) this.#done.set(process, left.at(-1)!.nth);
    return open;
  }
}
