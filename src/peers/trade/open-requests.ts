/** Finds remote requests that are open or were given up, without reading those that are closed. */
import { bounds } from '../../core/bounds.js';
import { givenUpLabel, openLabel } from '../../machines/remote-request/resource.js';
import type { ListSort } from '../../store/list-order.js';
import type { Snapshot, StoreReader } from '../../store/store.js';

type Requests = Pick<StoreReader, 'find'>;

/**
 * Requests that are not closed, page by page.
 * @param of whose: a role and its DID, such as `to:did:svc:z6Mk…`; all if absent
 */
export const openRequests = (store: Requests, of?: string, sort: ListSort = 'newest'): AsyncGenerator<Snapshot> =>
  labelled(store, of === undefined ? openLabel : `${openLabel}:${of}`, sort);

/** Requests to this home that were given up, page by page, also those that it has answered since. */
export const givenUpRequests = (store: Requests, home: string): AsyncGenerator<Snapshot> =>
  labelled(store, givenUpLabel(home), 'newest');

async function* labelled(store: Requests, label: string, sort: ListSort): AsyncGenerator<Snapshot> {
  const selection = { kind: 'remote-request', anyLabel: [label], sort };
  let after: string | undefined;
  do {
    const page = { limit: bounds.pageLimit, offset: 0, characters: bounds.pageCharacters, ...(after ? { after } : {}) };
    const { items, next } = await store.find({ ...selection, page });
    yield* items;
    after = next ?? undefined;
  } while (after !== undefined);
}
