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

export const keptKeys = (): Promise<readonly KeyPairs[]> => on<KeyPairs[]>('readonly', (store) => store.getAll());

export const keepKey = (pairs: KeyPairs): Promise<unknown> => on('readwrite', (store) => store.add(pairs));
