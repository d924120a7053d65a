/** Keys that this browser keeps for this page's origin (IndexedDB). No script can read their secret bytes. */
import type { KeyPairs } from './key-signer.ts';

const shelf = 'keys';

/** Browsers sign only in pages that came over TLS, or from this machine. */
export const canKeep = (): boolean => globalThis.isSecureContext && globalThis.indexedDB !== undefined;

/** @returns what the request gives, once its transaction is complete */
async function on<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open('svc-node', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(shelf, { autoIncrement: true });
  const database = await new Promise<IDBDatabase>((resolve, reject) => {
    opening.onsuccess = () => resolve(opening.result);
    opening.onerror = () => reject(opening.error);
  });
  const transaction = database.transaction(shelf, mode);
  const request = act(transaction.objectStore(shelf));
  return new Promise<T>((resolve, reject) => {
    transaction.oncomplete = () => resolve(request.result);
    transaction.onabort = () => reject(transaction.error);
  }).finally(() => database.close());
}

export interface KeptKey {
  readonly pairs: KeyPairs;
  /** Where it is kept. */
  readonly place: IDBValidKey;
}

export async function keptKeys(): Promise<readonly KeptKey[]> {
  const all = await on<KeyPairs[]>('readonly', (store) => store.getAll());
  const places = await on('readonly', (store) => store.getAllKeys());
  return all.map((pairs, at) => ({ pairs, place: places[at]! }));
}

export const keepKey = async (pairs: KeyPairs): Promise<KeptKey> => ({
  pairs,
  place: await on('readwrite', (store) => store.add(pairs)),
});

/** The key is lost with that. */
export const dropKey = ({ place }: KeptKey): Promise<unknown> => on('readwrite', (store) => store.delete(place));
