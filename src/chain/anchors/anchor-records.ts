/**
 * Stored anchors with their transactions, grouped by thousands of entries. The chain is authoritative: lost records are
 * read from it again.
 */
import type { Store } from '../../store/store.js';
import { type Anchor, anchorEntries } from './anchor.js';

const table = 'anchors';
const newestId = 'newest';

type Thousand = { readonly anchors: readonly Anchor[] };

const thousandOf = (seq: number): number => Math.ceil(seq / anchorEntries);

export class AnchorRecords {
  constructor(private readonly store: Pick<Store, 'getLocal' | 'putLocal' | 'deleteLocal'>) {}

  async covering(seq: number): Promise<Anchor | undefined> {
    const found = await this.#thousand(thousandOf(seq));
    return found.find(({ firstEntry, lastEntry }) => firstEntry <= seq && seq <= lastEntry);
  }

  /** Number of the last entry with a stored anchor; 0 without any. */
  async covered(): Promise<number> {
    const value = (await this.store.getLocal(table, newestId))?.value as { lastEntry?: number } | undefined;
    return value?.lastEntry ?? 0;
  }

  async add(anchor: Anchor): Promise<void> {
    const id = thousandOf(anchor.lastEntry);
    const others = (await this.#thousand(id)).filter(({ lastEntry }) => lastEntry < anchor.firstEntry);
    await this.#put(String(id), { anchors: [...others, anchor] });
    await this.#put(newestId, { lastEntry: anchor.lastEntry });
  }

  async dropAfter(seq: number): Promise<void> {
    const covered = await this.covered();
    if (covered <= seq) return;
    // Written first, so that a crash leaves no anchor that counts.
    await this.#put(newestId, { lastEntry: seq });
    for (let id = thousandOf(covered); id >= Math.max(1, thousandOf(seq)); id--) {
      const left = (await this.#thousand(id)).filter(({ lastEntry }) => lastEntry <= seq);
      if (left.length > 0) await this.#put(String(id), { anchors: left });
      else await this.store.deleteLocal(table, String(id));
    }
  }

  async #thousand(id: number): Promise<readonly Anchor[]> {
    const value = (await this.store.getLocal(table, String(id)))?.value as Thousand | undefined;
    return value?.anchors ?? [];
  }

  /** Ignores a conflict: another process that took over has found the same anchors on chain. */
  async #put(id: string, value: object): Promise<void> {
    const record = await this.store.getLocal(table, id);
    await this.store.putLocal(table, id, value as never, record?.revision ?? 0);
  }
}
