/** A store contract suite's SQLite store, in its own directory. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteStore } from '../../../src/store/sqlite/sqlite-store.js';
import type { MakeStore } from '../fixture.js';
import { storeContract } from '../store.contract.js';

/** Runs the contract suite on the embedded store. @param writer where it writes @param parts all by default */
export function sqliteContract(writer: 'inline' | 'thread', parts?: Parameters<typeof storeContract>[2]): void {
  const make: MakeStore = async () => {
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
  };
  storeContract(`sqlite, writer ${writer}`, make, parts);
}
