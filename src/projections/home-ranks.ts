/**
 * Ranks the sellers of all homes' listings for searches (docs/reference/reputation.md#homes), by the records of all
 * homes: each home's index holds the ranks of the listings there.
 */
import type { Environment } from '../core/environment.js';
import { messageOf } from '../core/error-message.js';
import type { NumberedEntry } from '../store/entry.js';
import type { OwnerRank } from '../store/search/search.js';
import type { Store } from '../store/store.js';
import type { ReputationReader } from './reputations.js';
import { ReputationIndex } from './search-index.js';

export interface HomeRanksOptions {
  /** This node's own store. */
  readonly store: Store;
  /** The copies of other homes' journals that this process writes. */
  readonly copies: () => readonly Store[];
  readonly reputations: Pick<ReputationReader, 'of'>;
  readonly world: Environment;
  readonly log: (message: string, detail: object) => void;
}

export class HomeRanks {
  readonly #own: ReputationIndex;
  readonly #copies = new Map<Store, ReputationIndex>();

  constructor(private readonly options: HomeRanksOptions) {
    this.#own = this.#indexOf(options.store);
  }

  /** Called for each own entry that is committed. */
  saw(entry: NumberedEntry): void {
    this.#own.saw(entry);
  }

  /** Called for each entry of another home that is adopted. */
  adopted(copy: Store, entry: NumberedEntry): void {
    this.#known(copy).saw(entry);
  }

  /** Ranks what an earlier process left undone. What the copies lack is done in the background. */
  async catchUp(): Promise<void> {
    for (const copy of this.options.copies()) this.#known(copy);
    await this.#own.catchUp();
  }

  /** See ReputationIndex. */
  async age(): Promise<void> {
    await this.#own.age();
    for (const copy of this.options.copies()) await this.#known(copy).age();
  }

  /** Resolves when everything committed or adopted before this call is ranked. */
  async settled(): Promise<void> {
    await Promise.all([...this.#copies.values(), this.#own].map((index) => index.settled()));
  }

  async stop(): Promise<void> {
    await Promise.all([...this.#copies.values(), this.#own].map((index) => index.stop()));
  }

  #known(copy: Store): ReputationIndex {
    const known = this.#copies.get(copy);
    if (known) return known;
    const index = this.#indexOf(copy);
    this.#copies.set(copy, index);
    index.catchUp().catch((error: unknown) => {
      this.options.log('sellers of another home could not be ranked', { error: messageOf(error) });
    });
    return index;
  }

  /** The records of one home change the ranks of a seller at all of them. */
  #indexOf(store: Store): ReputationIndex {
    const { copies, reputations, world, log, store: own } = this.options;
    const rank = async (ranks: readonly OwnerRank[]): Promise<void> => {
      await Promise.all([own, ...copies()].map((each) => each.rankOwners(ranks)));
    };
    return new ReputationIndex({ store, reputations, world, log, rank });
  }
}
