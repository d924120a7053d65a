/** A store contract suite's SQLite store, in its own directory. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import { storeContract } from '../store.contract.js';

/** Runs the contract suite on the embedded store. @param writer where it writes */
export function sqliteContract(writer: 'inline' | 'thread'): void {
  storeContract(`sqlite, writer ${writer}`, async () => {
    const dir = await mkdtemp(join(tmpdir(), 'svc-store-'));
    let store = await SqliteStore.open({ dir, writer });
    return {
      store,
      async reopen() {
        await store.close();
        store = await SqliteStore.open({ dir, writer });
        return store;
      },
      async dispose() {
        await store.close();
        await rm(dir, { recursive: true });
      },
    };
  });
}
