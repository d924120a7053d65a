/** Pages of a list, and the cursors that lead from one to the next. */
import { invalid, RefusedError } from '../core/refusal.js';

export interface PageRequest {
  /** 1..1,000; API callers may ask for 100 at most. */
  readonly limit: number;
  /** 0..10,000; 0 if `after` is given. */
  readonly offset: number;
  /** A cursor returned with an earlier page. */
  readonly after?: string;
  /**
   * The most characters of the items' stored texts, with those of their leaves: a page of long items has fewer than
   * `limit`, but at least one. Absent: no bound.
   */
  readonly characters?: number | undefined;
}

export interface ListPage<T> {
  readonly items: readonly T[];
  readonly total: number;
  /** Cursor after the last item; null when nothing follows. */
  readonly next: string | null;
}

/** A cursor (`PageRequest.after`) is the sort position of a page's last item, opaque to callers: base64url of JSON. */
export const encodeCursor = (...position: readonly (string | number)[]): string =>
  Buffer.from(JSON.stringify(position)).toString('base64url');

/** The position inside a cursor; throws RefusedError (INVALID_REQUEST) unless it has the given shape. */
export function decodeCursor(after: string, shape: readonly ('string' | 'number')[]): (string | number)[] {
  let position: unknown;
  try {
    position = JSON.parse(Buffer.from(after, 'base64url').toString());
  } catch {
    // Refused below: an unreadable cursor is the caller's error, like one of another list.
  }
  const fits =
    Array.isArray(position) &&
    position.length === shape.length &&
    position.every((member, i) => typeof member === shape[i]);
  if (!fits) throw new RefusedError(invalid('after', 'is not a cursor that this list handed out'));
  return position as (string | number)[];
}

export interface DecodedPage {
  readonly limit: number;
  readonly offset: number;
  readonly start?: readonly (string | number)[] | undefined;
  readonly characters?: number | undefined;
}

/** Throws as decodeCursor. */
export const decodedPage = (
  { limit, offset, after, characters }: PageRequest,
  shape: readonly ('string' | 'number')[],
): DecodedPage =>
  after === undefined
    ? { limit, offset, characters }
    : { limit, offset: 0, characters, start: decodeCursor(after, shape) };

export interface PageRows<T> {
  readonly rows: readonly T[];
  readonly total: number;
  readonly more: boolean;
}

/** @param position of the last row in the list */
export function listPage<Row, Item>(
  { rows, total, more }: PageRows<Row>,
  itemOf: (row: Row) => Item,
  position: (item: Item, row: Row) => readonly (string | number)[],
): ListPage<Item> {
  const items = rows.map(itemOf);
  const next = more && items.length > 0 ? encodeCursor(...position(items.at(-1)!, rows.at(-1)!)) : null;
  return { items, total, next };
}
