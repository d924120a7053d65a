import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SqliteStore } from '../../src/store/sqlite/sqlite-store.js';
import { storeContract } from './store.contract.js';

for (const writer of ['inline', 'thread'] as const) {
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
