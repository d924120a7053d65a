/**
 * Rows that cross from a reader thread in parts: whoever takes a hundred texts of a megabyte at once, and parses them,
 * keeps everybody else waiting.
 */

export interface Part<R, Key> {
  readonly rows: readonly R[];
  /** What was not read yet, in order. */
  readonly rest: readonly Key[];
}

/** Characters of texts that cross at once; one row more than that goes along. */
const mostAtOnce = 512 * 1_024;

type Cells = readonly unknown[];

const lengthOf = (cells: Cells): number =>
  cells.reduce<number>((sum, cell) => sum + (typeof cell === 'string' ? cell.length : 0), 0);

export function partOf<R extends Cells, Key>(keys: readonly Key[], read: (key: Key, index: number) => R): Part<R, Key> {
  const rows: R[] = [];
  let length = 0;
  for (const [index, key] of keys.entries()) {
    if (length > mostAtOnce) return { rows, rest: keys.slice(index) };
    const row = read(key, index);
    rows.push(row);
    length += lengthOf(row);
  }
  return { rows, rest: [] };
}

/** All of them; others have their turn between the parts. */
export async function allParts<R, Key, Item>(
  first: Part<R, Key>,
  itemOf: (row: R) => Item,
  ask: (rest: readonly Key[]) => Promise<Part<R, Key>>,
): Promise<Item[]> {
  const items = first.rows.map(itemOf);
  for (let { rest } = first; rest.length > 0; ) {
    const part = await ask(rest);
    items.push(...part.rows.map(itemOf));
    rest = part.rest;
  }
  return items;
}
