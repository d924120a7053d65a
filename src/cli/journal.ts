/** The journal that SVC_STORE names, for commands that only read it. Nodes may run meanwhile. */
import type { Config } from '../config.js';

/** Rejects with StoreRefused where there is none, or none that this program can read. */
export async function openJournal({ store, dataDir, network }: Config) {
  if (store === 'embedded') {
    const { openFrozen } = await import('../store/sqlite/frozen-reader.js');
    return { journal: openFrozen(dataDir), place: dataDir };
  }
  const [{ Onlooker }, { placeOf }] = await Promise.all([
    import('../store/mongo/onlooker.js'),
    import('../store/mongo/url.js'),
  ]);
  return { journal: await Onlooker.open({ url: store, network }), place: placeOf(store) };
}

export type Journal = Awaited<ReturnType<typeof openJournal>>['journal'];
