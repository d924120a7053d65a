/**
 * The reputation of a DID by the records of several homes (docs/reference/reputation.md#homes). Records are merged by
 * their time; each may count less than fully.
 */
import { LRUCache } from 'lru-cache';
import { type Noted, ReputationScores } from '../machines/reputation/scores.js';
import type { ReputationReader } from './reputations.js';

/** The records of one home. */
export interface CountedHome {
  /** DID of the home. */
  readonly home: string;
  readonly reader: Pick<ReputationReader, 'of' | 'records' | 'fromLog'>;
  /** How much they count, 0..1. */
  readonly weight: number;
}

interface CachedCombination {
  /** The homes, with weight and number of records of each. */
  readonly key: string;
  readonly scores: ReputationScores;
}

export class CombinedReputations {
  readonly #kept: LRUCache<string, CachedCombination>;

  /** @param records bound of the records in memory, over all DIDs; a single DID may exceed it */
  constructor(records: number) {
    this.#kept = new LRUCache({
      maxSize: records,
      sizeCalculation: ({ scores }) => Math.min(Math.max(1, scores.count), records),
    });
  }

  async of(did: string, homes: readonly CountedHome[]): Promise<ReputationScores> {
    const counting = homes.filter(({ weight }) => weight > 0);
    const counts = await Promise.all(counting.map(async ({ reader }) => (await reader.of(did)).count));
    const known = counting.filter((_, index) => counts[index]! > 0);
    // The scores of one home are weighted means, which an equal weight of all records does not change.
    if (known.length === 1) return known[0]!.reader.of(did);
    const key = counting.map(({ home, weight }, index) => `${home} ${weight} ${counts[index]}`).join(',');
    const kept = this.#kept.get(did);
    if (kept?.key === key) return kept.scores;
    const scores = new ReputationScores();
    for (const { record, weight } of await recordsOf(did, known)) scores.add(record, weight);
    this.#kept.set(did, { key, scores });
    return scores;
  }
}

/** In order of time; those of one home in the order of its entries. */
async function recordsOf(did: string, homes: readonly CountedHome[]): Promise<{ record: Noted; weight: number }[]> {
  const found = await Promise.all(
    homes.map(async ({ home, reader, weight }) =>
      // Two homes may have trades of the same id.
      (await reader.records(did)).map((record) => ({ record: { ...record, ref: `${home} ${record.ref}` }, weight })),
    ),
  );
  return found.flat().sort((one, other) => one.record.at - other.record.at);
}
