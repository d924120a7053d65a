/**
 * A cache of two generations: when the young one is full it becomes the old one, and the previous old one is dropped,
 * with everything that was not used since. Each use is cheaper than in an LRU cache, and the size is bounded as well.
 */
export class Recent<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  /** @param kept the capacity. At least half of it is in use once that many values were seen */
  constructor(private readonly kept: number) {}

  get(key: string): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.#young.set(key, old);
    return old;
  }

  set(key: string, value: V): void {
    this.#young.set(key, value);
  }

  /**
   * Drops the older half if there are too many values, except `pinned` ones. Must not be called while a caller relies
   * on a value.
   */
  trim(pinned: Iterable<readonly [string, V]>): void {
    if (this.#young.size <= this.kept / 2) return;
    this.#old = this.#young;
    this.#young = new Map(pinned);
  }
}
