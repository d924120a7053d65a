/** Pages that are bounded by the length of their texts as well as by their number of items. */

/**
 * The first items whose texts together have at most this many characters, but at least one item. Reads at most one item
 * more.
 */
export function fitting<Key, Item>(
  keys: Iterable<Key>,
  read: (key: Key) => Item,
  { lengthOf, most = Number.POSITIVE_INFINITY }: { lengthOf: (item: Item) => number; most?: number | undefined },
): Item[] {
  const items: Item[] = [];
  let length = 0;
  for (const key of keys) {
    const item = read(key);
    length += lengthOf(item);
    if (items.length > 0 && length > most) break;
    items.push(item);
  }
  return items;
}

/** Characters of all texts in a row. */
export const textLength = (cells: readonly unknown[]): number =>
  cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0);
