/**
 * Finds out which DIDs live at which home: those that have signed an event there, according to our verified replica of
 * its journal.
 */
import type { Did } from '../../core/codecs/did.js';
import { growingCache } from '../../core/growing-cache.js';
import type { StoreReader } from '../../store/store.js';
import { hasSigned } from '../residences.js';

/** Cached residents. A DID that has signed at a home remains its resident, so an entry is never outdated. */
const remembered = 10_000;

export class Residents {
  readonly #known = growingCache<string, true>(remembered);

  /** @param replicaOf our replica of the home's journal; undefined if there is none */
  constructor(private readonly replicaOf: (home: Did) => Pick<StoreReader, 'account'> | undefined) {}

  readonly isResident = async (home: Did, did: string): Promise<boolean> => {
    if (did === home) return true;
    const key = `${home} ${did}`;
    if (this.#known.has(key)) return true;
    if (!hasSigned(await this.replicaOf(home)?.account(did))) return false;
    this.#known.set(key, true);
    return true;
  };

  forget(home: Did): void {
    for (const key of [...this.#known.keys()]) if (key.startsWith(`${home} `)) this.#known.delete(key);
  }
}
