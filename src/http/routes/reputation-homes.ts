/** Whose records of a reputation a read counts (docs/reference/reputation.md#homes). */
import { bounds } from '../../core/bounds.js';
import { invalid, isRefusal, type Refusal } from '../../core/refusal.js';
import * as is from '../../core/schema/scalar.js';
import type { ReputationScores } from '../../machines/reputation/scores.js';
import type { HomeRecords } from '../../machines/reputation/view.js';
import { residencesOf } from '../../peers/residences.js';
import { isNamedBy, spellingOf } from '../../peers/tag.js';
import { CombinedReputations, type CountedHome } from '../../projections/combined-reputations.js';
import { ReputationReader } from '../../projections/reputations.js';
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
      'How much the records of a home at which the DID itself lives count, 0 to 1; default 1.',
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
  readonly #readers = new WeakMap<ReadContext, ReputationReader>();
  readonly #combined = new CombinedReputations(bounds.foreignReputationRecords);

  constructor(
    private readonly api: ApiContext,
    private readonly own: ReputationReader,
  ) {}

  /** @param spelling a DID, which may include the home whose records are meant */
  async of(spelling: string, asked: AskedHomes): Promise<FoundReputation | Refusal> {
    const { id: did, home } = spellingOf(spelling);
    const selected = this.#selected(asked, home);
    if (isRefusal(selected)) return selected;
    if (asked.source === 'log') await Promise.all(selected.map((at) => this.#readerAt(at).fromLog(did)));
    const known: ReadContext[] = [];
    for (const at of selected) if ((await this.#readerAt(at).of(did)).count > 0) known.push(at);
    const lives = await this.#homesOf(did);
    const counted = known.map((at): CountedHome => {
      const weight = lives.has(at.home()) ? (asked.ownHomeWeight ?? 1) : 1;
      return { home: at.home(), reader: this.#readerAt(at), weight };
    });
    const scores = await this.#combined.of(did, counted);
    if (this.api.reading.others.length === 0) return { scores, at: known, homes: undefined };
    const homes = await Promise.all(counted.map((each) => this.#recordsOf(did, each, lives.has(each.home))));
    return { scores, at: known, homes };
  }

  async #recordsOf(did: string, { home, reader }: CountedHome, lives: boolean): Promise<HomeRecords> {
    const scores = await reader.of(did);
    const { score, totalTransactions, averageRating } = scores.at(this.api.environment.now())!;
    return { home, lives, records: scores.count, score, totalTransactions, averageRating };
  }

  async #homesOf(did: string): Promise<ReadonlySet<string>> {
    const { api } = this;
    if (api.reading.others.length === 0) return new Set();
    const journals = (api.reading.selected(undefined) as readonly ReadContext[]).map((at) => ({
      home: at.home(),
      store: at.store,
    }));
    return new Set((await residencesOf(did, journals)).map(({ home }) => home));
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

  #readerAt(at: ReadContext): ReputationReader {
    if (!at.foreign) return this.own;
    const limits = { records: bounds.foreignReputationRecords, page: bounds.reputationPage };
    const reader = this.#readers.get(at) ?? new ReputationReader(at.store, at.environment, limits);
    this.#readers.set(at, reader);
    return reader;
  }
}
