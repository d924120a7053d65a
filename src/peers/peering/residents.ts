/**
 * Finds out which DIDs live at which home: those that have moved there, or have signed an event there and have not
 * moved, according to our verified replica of its journal.
 */
import type { Did } from '../../core/codecs/did.js';
import { growingCache } from '../../core/growing-cache.js';
import type { StoreReader } from '../../store/store.js';
import type { MovedDids } from '../moved-dids.js';
import { hasSigned } from '../residences.js';

/** Cached DIDs that have signed at a home, which is never outdated. */
const remembered = 10_000;

export class Residents {
  readonly #known = growingCache<string, true>(remembered);

  /** @param replicaOf our replica of the home's journal; undefined if there is none */
  constructor(
    private readonly replicaOf: (home: Did) => Pick<StoreReader, 'account'> | undefined,
    private readonly moved: Pick<MovedDids, 'of'>,
  ) {}

  /**
   * @param time of the entry that the home would read, epoch ms: a home that the DID has left keeps what was written
   * before; absent: now
   */
  readonly isResident = async (home: Did, did: string, time = Number.POSITIVE_INFINITY): Promise<boolean> => {
    if (did === home) return true;
    const residences = await this.moved.of(did);
    if (residences.some((each) => each.home === home)) return true;
    if (residences.length > 0 && time >= Math.min(...residences.map(({ since }) => since))) return false;
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
