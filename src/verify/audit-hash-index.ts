/** Compares the index of hashes (src/projections/hash-index.ts) with the entries that an audit passes. */
import {
  type BuiltSegments,
  builtSegments,
  type HashRecord,
  hashKeysAt,
  SegmentKeys,
} from '../projections/hash-index.js';
import type { NumberedEntry } from '../store/entry.js';
import type { StoreReader } from '../store/store.js';

export class HashIndexAudit {
  #built: BuiltSegments | undefined;
  #keys: SegmentKeys | undefined;
  #full: HashRecord[] = [];

  constructor(private readonly store: Pick<StoreReader, 'getLocal'>) {}

  /** Called first: segments that are built later are not compared. */
  async open(): Promise<void> {
    this.#built = await builtSegments(this.store);
  }

  saw(entry: NumberedEntry): void {
    const { size, segments } = this.#built!;
    if (entry.seq > size * segments) return;
    this.#keys ??= new SegmentKeys((entry.seq - 1) / size, size);
    this.#keys.add(entry);
    if (entry.seq % size !== 0) return;
    this.#full.push(...this.#keys.records());
    this.#keys = undefined;
  }

  /** @returns what is wrong with the segments that are complete since the last call */
  async violation(): Promise<string | undefined> {
    for (const { id, keys } of this.#full.splice(0)) {
      if ((await hashKeysAt(this.store, id)) !== keys)
        return `the index of hashes does not lead to the entries of segment ${Number.parseInt(id, 10)}`;
    }
    return undefined;
  }
}
