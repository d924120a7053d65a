/** Chain hashes of the newest entries, so that an anchor needs no reads from the store. */
import { LRUCache } from 'lru-cache';
import type { NumberedEntry } from '../../store/entry.js';

/** Capacity: more entries than are committed between two checks of the anchorer. */
const kept = 20_000;

export class RecentHashes {
  readonly #hashes = new LRUCache<number, string>({ max: kept });

  note({ seq, chainHash }: Pick<NumberedEntry, 'seq' | 'chainHash'>): void {
    this.#hashes.set(seq, chainHash);
  }

  /** The hashes of a range, both ends included; undefined when one is missing. */
  between(first: number, last: number): readonly Pick<NumberedEntry, 'chainHash'>[] | undefined {
    const found: { chainHash: string }[] = [];
    for (let seq = first; seq <= last; seq++) {
      const chainHash = this.#hashes.peek(seq);
      if (chainHash === undefined) return undefined;
      found.push({ chainHash });
    }
    return found;
  }
}
