/** The file of the index of other homes' cards: a separate SQLite database, in a folder of the data directory. */
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Environment } from '../core/environment.js';
import type { CardFile } from '../peers/cards/card-index.js';
import { databaseFile } from '../store/sqlite/durable.js';
import { SqliteStore } from '../store/sqlite/sqlite-store.js';

export function cardFileIn(dataDir: string, world: Environment): CardFile {
  const dir = join(dataDir, 'peers');
  let inode: number | undefined;
  const inodeNow = async () => (await stat(databaseFile(dir)).catch(() => undefined))?.ino;
  const erase = () => rm(dir, { recursive: true, force: true });
  return {
    async open() {
      const store = await SqliteStore.open({ dir, world }).catch(async () => {
        await erase();
        return SqliteStore.open({ dir, world });
      });
      inode = await inodeNow();
      return store;
    },
    isThere: async () => inode !== undefined && (await inodeNow()) === inode,
    delete: erase,
  };
}
