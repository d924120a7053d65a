/**
 * A map that never holds more than `capacity` entries and forgets the least recently used half at a time.
 *
 * Two generations instead of a linked list: a hit in the young one is a single Map lookup, which is what the
 * hot path pays. What strangers send decides what is cached, so every cache of the node needs such a bound.
 */
export class BoundedCache<K, V> {
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  readonly #half: number;

  constructor(capacity: number) {
    this.#half = Math.max(1, Math.floor(capacity / 2));
  }

  get size(): number {
    return this.#young.size + this.#old.size;
  }

  get(key: K): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined || this.#old.size === 0) return value;
    const survivor = this.#old.get(key);
    if (survivor !== undefined) {
      this.#old.delete(key);
      this.set(key, survivor);
    }
    return survivor;
  }

  set(key: K, value: V): void {
    if (this.#young.size >= this.#half && !this.#young.has(key)) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, value);
  }
}
