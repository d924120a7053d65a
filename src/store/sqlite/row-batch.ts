/**
 * Sends rows from a reader thread in batches: parsing a hundred texts of a megabyte in one turn would block the event
 * loop.
 */
import { textLength } from '../fitting.js';

export interface RowBatch<R, Key> {
  readonly rows: readonly R[];
  readonly rest: readonly Key[];
}

/** Characters per batch; one row may exceed it. */
const mostAtOnce = 256 * 1_024;

type Cells = readonly unknown[];

export function partOf<R extends Cells, Key>(
  keys: readonly Key[],
  read: (key: Key, index: number) => R,
): RowBatch<R, Key> {
  const rows: R[] = [];
  let length = 0;
  for (const [index, key] of keys.entries()) {
    if (length > mostAtOnce) return { rows, rest: keys.slice(index) };
    const row = read(key, index);
    rows.push(row);
    length += textLength(row);
  }
  return { rows, rest: [] };
}

/** Reads all batches and yields to the event loop between them. */
export async function allParts<R, Key, Item>(
  first: RowBatch<R, Key>,
  itemOf: (row: R) => Item,
  ask: (rest: readonly Key[]) => Promise<RowBatch<R, Key>>,
): Promise<Item[]> {
  const items = first.rows.map(itemOf);
  for (let { rest } = first; rest.length > 0; ) {
    const part = await ask(rest);
    items.push(...part.rows.map(itemOf));
    rest = part.rest;
  }
  return items;
}
