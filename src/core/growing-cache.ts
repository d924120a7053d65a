/** Least-recently-used caches of many entries. */
import { LRUCache } from 'lru-cache';

/** A cache that takes memory as it fills: with `max`, `lru-cache` allocates the places of all entries at once. */
export const growingCache = <Key extends string, Value extends object | number | boolean>(
  most: number,
): LRUCache<Key, Value> => new LRUCache({ maxSize: most, sizeCalculation: () => 1 });
