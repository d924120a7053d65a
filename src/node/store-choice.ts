/** The store that SVC_STORE selects. Only its adapter is loaded, because loading both would slow the start. */

import type { Environment } from '../core/environment.js';
import { shownUrl } from '../core/url-text.js';
import type { Store } from '../store/store.js';
import type { Config } from './config/config.js';

export interface StoreChoice {
  readonly config: Pick<Config, 'store' | 'dataDir' | 'segmentsDir' | 'network' | 'chain'>;
  readonly world: Environment;
  readonly log: { warn(detail: object, message: string): void };
}

/** Opens the store. Rejects with StoreRefused, whose message tells the operator what to do. */
export async function openStore({ config, world, log }: StoreChoice): Promise<Store> {
  const say = (message: string, detail: object) => log.warn(detail, message);
  if (config.store === 'embedded') {
    const { SqliteStore } = await import('../store/sqlite/sqlite-store.js');
    const { dataDir: dir, segmentsDir } = config;
    const store = await SqliteStore.open({ dir, segmentsDir, world, log: say, isChained: config.chain !== 'none' });
    store.startReading();
    return store;
  }
  const { MongoStore } = await import('../store/mongo/mongo-store.js');
  return MongoStore.open({ url: config.store, network: config.network, world, log: say });
}

/**
 * Opens the journal that SVC_STORE names for reading only; nodes may run on it. Rejects with StoreRefused when there is
 * no journal, or none that this version can read.
 */
export async function openJournal({ store, dataDir, network }: Pick<Config, 'store' | 'dataDir' | 'network'>) {
  if (store === 'embedded') {
    const { openFrozen } = await import('../store/sqlite/frozen-reader.js');
    return { journal: openFrozen(dataDir), place: dataDir };
  }
  const { ReadOnlyClient } = await import('../store/mongo/read-only-client.js');
  return { journal: await ReadOnlyClient.open({ url: store, network }), place: shownUrl(store) };
}

export type OpenedJournal = Awaited<ReturnType<typeof openJournal>>['journal'];
