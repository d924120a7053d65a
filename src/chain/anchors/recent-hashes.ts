/** Chain hashes of the newest entries: an anchor that is due needs no entry from the disk for them. */
import type { NumberedEntry } from '../../store/entry.js';

/** An anchor's worth for each of the seconds between two looks of the anchorer, at any rate that settles. */
const kept = 20_000;

export class RecentHashes {
  readonly #hashes = new Map<number, string>();

  note({ seq, chainHash }: Pick<NumberedEntry, 'seq' | 'chainHash'>): void {
    this.#hashes.set(seq, chainHash);
    if (this.#hashes.size > kept) this.#hashes.delete(this.#hashes.keys().next().value!);
  }

  /** Of the range, both ends included; undefined where one is missing. */
  between(first: number, last: number): readonly Pick<NumberedEntry, 'chainHash'>[] | undefined {
    const found: { chainHash: string }[] = [];
    for (let seq = first; seq <= last; seq++) {
      const chainHash = this.#hashes.get(seq);
      if (chainHash === undefined) return undefined;
      found.push({ chainHash });
    }
    return found;
  }
}
