/** Which store SVC_STORE names. Each is loaded where it is used: a start is quicker without the other one. */
import type { Config } from './config.js';
import type { Store } from './store/store.js';
import type { World } from './world.js';

export interface StoreChoice {
  readonly config: Pick<Config, 'store' | 'dataDir' | 'network' | 'chain'>;
  readonly world: World;
  readonly log: { warn(detail: object, message: string): void };
}

/** Throws StoreRefused with what a person can do. */
export async function openStore({ config, world, log }: StoreChoice): Promise<Store> {
  if (config.store === 'embedded') {
    const { SqliteStore } = await import('./store/sqlite/sqlite-store.js');
    return SqliteStore.open({ dir: config.dataDir, world, isChained: config.chain !== 'none' });
  }
  const { MongoStore } = await import('./store/mongo/mongo-store.js');
  const say = (message: string, detail: object) => log.warn(detail, message);
  return MongoStore.open({ url: config.store, network: config.network, world, log: say });
}

/**
 * The journal that SVC_STORE names, for whoever only reads it. Nodes may run meanwhile. Rejects with StoreRefused where
 * there is none, or none that this program can read.
 */
export async function openJournal({ store, dataDir, network }: Pick<Config, 'store' | 'dataDir' | 'network'>) {
  if (store === 'embedded') {
    const { openFrozen } = await import('./store/sqlite/frozen-reader.js');
    return { journal: openFrozen(dataDir), place: dataDir };
  }
  const [{ Onlooker }, { placeOf }] = await Promise.all([
    import('./store/mongo/onlooker.js'),
    import('./store/mongo/url.js'),
  ]);
  return { journal: await Onlooker.open({ url: store, network }), place: placeOf(store) };
}

export type Journal = Awaited<ReturnType<typeof openJournal>>['journal'];
