/** Reputations by the records of this node and of the homes that it follows (docs/reference/reputation.md#homes). */
import { bounds } from '../../core/bounds.js';
import type { Environment } from '../../core/environment.js';
import type { ReputationScores } from '../../machines/reputation/scores.js';
import { CombinedReputations, type CountedHome } from '../../projections/combined-reputations.js';
import { ReputationReader } from '../../projections/reputations.js';
import type { StoreReader } from '../../store/store.js';
import { hasSigned, residencesOf } from '../residences.js';
import type { ForeignHome, ForeignHomes } from './foreign.js';

export interface HomeReputationsOptions {
  /** DID of this node's home. */
  readonly home: () => string;
  readonly store: StoreReader;
  readonly foreign: ForeignHomes;
  readonly world: Environment;
  /** How much records count that are of a home at which the DID itself lives, 0..1. */
  readonly ownHomeWeight: number;
}

/** A home as a reputation counts it. */
export interface WeighedHome extends CountedHome {
  /** Undefined for this node's own. */
  readonly foreign: ForeignHome | undefined;
  /** Whether the DID lives there, or has before it moved. */
  readonly lives: boolean;
}

export class HomeReputations {
  readonly own: ReputationReader;
  readonly #readers = new WeakMap<StoreReader, ReputationReader>();
  readonly #combined = new CombinedReputations(bounds.foreignReputationRecords);

  constructor(private readonly options: HomeReputationsOptions) {
    const limits = { records: bounds.reputationRecords, page: bounds.reputationPage };
    this.own = new ReputationReader(options.store, options.world, limits);
  }

  /** The score by which searches rank a seller. */
  readonly of = async (did: string): Promise<ReputationScores> => {
    const { foreign } = this.options;
    return foreign.all().length === 0 ? this.own.of(did) : this.combined(did, await this.weighed(did));
  };

  combined(did: string, homes: readonly CountedHome[]): Promise<ReputationScores> {
    return this.#combined.of(did, homes);
  }

  /** All homes, this node's own first, as the records of this DID count there. */
  async weighed(did: string, ownHomeWeight = this.options.ownHomeWeight): Promise<readonly WeighedHome[]> {
    const { home, store, foreign } = this.options;
    const others = foreign.all();
    const journals = [{ home: home(), store }, ...others];
    const residences = others.length === 0 ? [] : await residencesOf(did, journals);
    const hasMoved = residences.some(({ epoch }) => epoch > 0);
    // A home that the DID has left keeps its weight: otherwise a move would make the praise of one's own home count in full.
    const hasLived = await Promise.all(
      journals.map(async ({ store: read }) => hasMoved && hasSigned(await read.account(did))),
    );
    return journals.map((journal, index): WeighedHome => {
      const lives = hasLived[index]! || residences.some((each) => each.home === journal.home);
      const reader = index === 0 ? this.own : this.#readerOf(journal.store as StoreReader);
      return { home: journal.home, foreign: others[index - 1], reader, lives, weight: lives ? ownHomeWeight : 1 };
    });
  }

  #readerOf(store: StoreReader): ReputationReader {
    const limits = { records: bounds.foreignReputationRecords, page: bounds.reputationPage };
    const reader = this.#readers.get(store) ?? new ReputationReader(store, this.options.world, limits);
    this.#readers.set(store, reader);
    return reader;
  }
}
