/** Which store SVC_STORE names. MongoDB's driver is loaded where it is used: a start with the embedded store is quicker. */
import type { Config } from './config.js';
import { SqliteStore } from './store/sqlite/sqlite-store.js';
import type { Store } from './store/store.js';
import type { World } from './world.js';

export interface StoreChoice {
  readonly config: Pick<Config, 'store' | 'dataDir' | 'network'>;
  readonly world: World;
  readonly log: { warn(detail: object, message: string): void };
}

/** Throws StoreRefused with what a person can do. */
export async function openStore({ config, world, log }: StoreChoice): Promise<Store> {
  if (config.store === 'embedded') return SqliteStore.open({ dir: config.dataDir, world });
  const { MongoStore } = await import('./store/mongo/mongo-store.js');
  const say = (message: string, detail: object) => log.warn(detail, message);
  return MongoStore.open({ url: config.store, network: config.network, world, log: say });
}
