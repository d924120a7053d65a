/** Which DIDs live at which home: they have signed an event there, as our verified copy of its journal shows. */
import { LRUCache } from 'lru-cache';
import type { Did } from '../../core/codecs/did.js';
import type { StoreReader } from '../../store/store.js';

/** Residents that are remembered; a DID that has signed at a home stays one. */
const remembered = 10_000;

export class Residents {
  readonly #known = new LRUCache<string, true>({ max: remembered });

  /** @param replicaOf our copy of the home's journal; undefined where there is none */
  constructor(private readonly replicaOf: (home: Did) => Pick<StoreReader, 'account'> | undefined) {}

  readonly isResident = async (home: Did, did: string): Promise<boolean> => {
    if (did === home) return true;
    const key = `${home} ${did}`;
    if (this.#known.has(key)) return true;
    const account = await this.replicaOf(home)?.account(did);
    if (!account || account.nonce === 0) return false;
    this.#known.set(key, true);
    return true;
  };

  forget(home: Did): void {
    for (const key of [...this.#known.keys()]) if (key.startsWith(`${home} `)) this.#known.delete(key);
  }
}
