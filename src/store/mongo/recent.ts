/**
 * A cache in two generations: when the young one is full it becomes the old one, and what was not asked for since then
 * is gone. Cheaper on each use than an exact order of use, and as bounded.
 */
export class Recent<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();

  /** @param kept values in memory, at least half and at most all of it once that many were seen */
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

  /** Lets the older half go where there are too many; what is `pinned` stays. Not while somebody relies on a value. */
  trim(pinned: Iterable<readonly [string, V]>): void {
    if (this.#young.size <= this.kept / 2) return;
    this.#old = this.#young;
    this.#young = new Map(pinned);
  }
}
