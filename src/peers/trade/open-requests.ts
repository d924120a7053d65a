/** Finds remote requests that are not closed yet. */
import { bounds } from '../../core/bounds.js';
import type { ListSort } from '../../store/list-order.js';
import type { Snapshot, StoreReader } from '../../store/store.js';

export interface RequestSelection {
  /** Default: those that are not closed. */
  readonly states?: readonly string[];
  readonly sort?: ListSort;
}

/** Requests that are not closed, of a label or all, page by page. */
export async function* openRequests(
  store: Pick<StoreReader, 'find'>,
  label?: string,
  { states = ['sent'], sort = 'newest' }: RequestSelection = {},
): AsyncGenerator<Snapshot> {
  const selection = { kind: 'remote-request', states, sort, ...(label === undefined ? {} : { anyLabel: [label] }) };
  let after: string | undefined;
  do {
    const page = { limit: bounds.pageLimit, offset: 0, characters: bounds.pageCharacters, ...(after ? { after } : {}) };
    const { items, next } = await store.find({ ...selection, page });
    yield* items;
    after = next ?? undefined;
  } while (after !== undefined);
}
