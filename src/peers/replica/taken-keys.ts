/** Idempotency keys that a store would reject: the one unique key of an entry that executing it does not check. */
import { dayMs, type Entry, idemKeys } from '../../store/entry.js';
import type { StoreReader } from '../../store/store.js';
import type { FeedEntry } from './feed-replay.js';

export class TakenKeys {
  private constructor(private readonly taken: Set<string>) {}

  /** Finds which keys of these entries are already used in the store. */
  static async of(store: Pick<StoreReader, 'recall'>, fed: readonly FeedEntry[]): Promise<TakenKeys> {
    const taken = new Set<string>();
    // All at once: one after the other, a batch would take as many round trips to a database server as it has keys.
    await Promise.all(
      fed.flatMap(({ entry: { core } }) => {
        if (!core.idem) return [];
        const { principal, key } = core.idem;
        return idemKeys(principal, key, core.time).map(async (name, index) => {
          if (await store.recall(principal, key, core.time + index * dayMs)) taken.add(name);
        });
      }),
    );
    return new TakenKeys(taken);
  }

  /** Marks the entry's keys as used. @returns a violation if one is already used */
  violationOf({ core: { idem, time } }: Entry): string | undefined {
    if (!idem) return undefined;
    const names = idemKeys(idem.principal, idem.key, time);
    if (names.some((name) => this.taken.has(name))) return 'its idempotency key belongs to an earlier entry';
    for (const name of names) this.taken.add(name);
    return undefined;
  }
}
