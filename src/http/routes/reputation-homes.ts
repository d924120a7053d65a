/** Whose records of a reputation a read counts (docs/reference/reputation.md#homes). */
import { bounds } from '../../core/bounds.js';
import { invalid, isRefusal, type Refusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { ReputationScores } from '../../machines/reputation/scores.js';
import type { HomeRecords } from '../../machines/reputation/view.js';
import type { HomeReputations, WeighedHome } from '../../peers/reading/home-reputations.js';
import { isNamedBy, spellingOf } from '../../peers/tag.js';
import type { ApiContext } from '../context/api-context.js';
import type { ReadContext } from '../context/read-context.js';

export const homesFields = {
  homes: is.optional(
    is.described(
      is.list(is.text(128, 1), 0, bounds.filterValues),
      'Count the records of these homes only: `own`, or DIDs or tags, separated by commas; default: all.',
    ),
  ),
  ownHomeWeight: is.optional(
    is.described(
      is.decimal(0, 1),
      'How much the records of a home at which the DID itself lives count, 0 to 1; default: SVC_OWN_HOME_RECORDS.',
    ),
  ),
};

export interface AskedHomes {
  readonly homes?: readonly string[];
  readonly ownHomeWeight?: number;
  readonly source?: 'store' | 'log';
}

/** A reputation, and the homes that have records for it. */
export interface FoundReputation {
  readonly scores: ReputationScores;
  readonly at: readonly ReadContext[];
  /** Undefined on a node that follows no home. */
  readonly homes: readonly HomeRecords[] | undefined;
}

export class ReputationHomes {
  constructor(
    private readonly api: ApiContext,
    private readonly reputations: HomeReputations,
  ) {}

  /** @param spelling a DID, which may include the home whose records are meant */
  async of(spelling: string, asked: AskedHomes): Promise<FoundReputation | Refusal> {
    const { id: did, home } = spellingOf(spelling);
    const selected = this.#selected(asked, home);
    if (isRefusal(selected)) return selected;
    const homes = (await this.reputations.weighed(did, asked.ownHomeWeight)).flatMap((each) => {
      const at = selected.find(({ foreign }) => foreign === each.foreign);
      return at ? [{ ...each, at }] : [];
    });
    if (asked.source === 'log') await Promise.all(homes.map(({ reader }) => reader.fromLog(did)));
    const counts = await Promise.all(homes.map(async ({ reader }) => (await reader.of(did)).count));
    const known = homes.filter((_, index) => counts[index]! > 0);
    const scores = await this.reputations.combined(did, known);
    const at = known.map((each) => each.at);
    if (this.api.reading.others.length === 0) return { scores, at, homes: undefined };
    return { scores, at, homes: await Promise.all(known.map((each) => this.#recordsOf(did, each))) };
  }

  async #recordsOf(did: string, { home, reader, lives }: WeighedHome): Promise<HomeRecords> {
    const scores = await reader.of(did);
    const { score, totalTransactions, averageRating } = scores.at(this.api.environment.now())!;
    return { home, lives, records: scores.count, score, totalTransactions, averageRating };
  }

  /** Those that the names select; empty for a spelling whose home is not followed. */
  #selected({ homes = [] }: AskedHomes, spelled: string | undefined): readonly ReadContext[] | Refusal {
    const { reading } = this.api;
    const all = reading.selected(undefined) as readonly ReadContext[];
    if (spelled !== undefined) return all.filter((at) => isNamedBy(at.home(), spelled));
    if (homes.length === 0) return all;
    const selected = new Set<ReadContext>();
    for (const name of homes) {
      const found = reading.selected(name);
      if (isRefusal(found)) return invalid('homes', `${name} is not a home that this node follows`);
      for (const at of found) selected.add(at);
    }
    return all.filter((at) => selected.has(at));
  }
}
