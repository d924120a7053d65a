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

const leafReference = /"leaf":"[0-9a-f]+","size":(\d+)/g;

/** Characters of a stored JSON text once it has the texts of its leaves. */
export function shownLength(text: string): number {
  let length = text.length;
  for (const [, size] of text.matchAll(leafReference)) length += Number(size);
  return length;
}

/** Characters of all texts in a row, with those of their leaves. */
export const textLength = (cells: readonly unknown[]): number =>
  cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? shownLength(cell) : 0), 0);
