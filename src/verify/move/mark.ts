/**
 * The mark that a move writes into both stores. It keeps nodes from starting on a store that is being moved away or is
 * incomplete: two stores that continue the same journal would give different entries the same number.
 */
import { putNewest } from '../../store/local-record.js';
import type { JournalHead, Store, StoreReader } from '../../store/store.js';

export interface MoveMark {
  readonly role: 'source' | 'target';
  /** Id of the move; the same in both stores. */
  readonly id: string;
  /** Location of the other store, in words for an operator. */
  readonly other: string;
  readonly done: boolean;
}

export const markPlace = { table: 'meta', id: 'move' } as const;
/** A record there means that a rebuild has begun and not ended: the projections may be incomplete. */
const rebuildPlace = { table: 'meta', id: 'rebuild' } as const;

export async function markOf(store: Pick<StoreReader, 'getLocal'>): Promise<MoveMark | undefined> {
  const record = await store.getLocal(markPlace.table, markPlace.id);
  return record && (record.value as unknown as MoveMark);
}

export type MarkStore = Pick<Store, 'getLocal' | 'putLocal' | 'deleteLocal'>;

export const setMark = (store: MarkStore, mark: MoveMark): Promise<void> =>
  putNewest(store, markPlace.table, markPlace.id, { ...mark });

export const removeMark = (store: MarkStore): Promise<boolean> => store.deleteLocal(markPlace.table, markPlace.id);

export const isBeingRebuilt = async (store: Pick<StoreReader, 'getLocal'>): Promise<boolean> =>
  (await store.getLocal(rebuildPlace.table, rebuildPlace.id)) !== undefined;

/** Changes nothing if the mark is already set. */
export const setRebuildMark = (store: MarkStore): Promise<boolean> =>
  store.putLocal(rebuildPlace.table, rebuildPlace.id, { begun: true }, 0);

export const removeRebuildMark = (store: MarkStore): Promise<boolean> =>
  store.deleteLocal(rebuildPlace.table, rebuildPlace.id);

/** A record there means that entries up to the one that it names are missing, because a restore from mirrors has not ended. */
const restorePlace = { table: 'meta', id: 'restore' } as const;

/** The entry to which the journal must be restored before a node writes to it. */
export async function restoreMarkOf(store: Pick<StoreReader, 'getLocal'>): Promise<JournalHead | undefined> {
  const record = await store.getLocal(restorePlace.table, restorePlace.id);
  return record && (record.value as unknown as JournalHead);
}

export const setRestoreMark = (store: MarkStore, { seq, chainHash }: JournalHead): Promise<void> =>
  putNewest(store, restorePlace.table, restorePlace.id, { seq, chainHash });

export const removeRestoreMark = (store: MarkStore): Promise<boolean> =>
  store.deleteLocal(restorePlace.table, restorePlace.id);

/** Why no node may use this store, and what to do; undefined if a node may. */
export async function whyClosed(store: Pick<StoreReader, 'getLocal'>): Promise<string | undefined> {
  if (await isBeingRebuilt(store)) {
    return 'This database is being rebuilt, and what follows from its journal is incomplete: run svc-node rebuild to the end.';
  }
  const mark = await markOf(store);
  if (!mark || (mark.role === 'target' && mark.done)) return undefined;
  const { role, other, done } = mark;
  if (role === 'target') {
    return `This database is the unfinished target of a move from ${other}: finish it with svc-node migrate.`;
  }
  return done
    ? `The journal of this database was moved to ${other}: start the node there. svc-node migrate moves it back.`
    : `This database is being moved to ${other}: finish that with svc-node migrate, or give it up with svc-node migrate --give-up.`;
}
