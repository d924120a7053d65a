/** The port through which other homes' resources are read: a verified copy of each followed feed. */
import type { Store, StoreReader } from '../../store/store.js';

/** How far a replica is up to date. */
export interface AsOf {
  /** Number of the newest adopted entry; 0 for none. */
  readonly seq: number;
  /** Time of the newest adopted checkpoint, epoch ms; 0 for none. */
  readonly time: number;
}

export interface ForeignHome {
  /** DID. */
  readonly home: string;
  /** The tag that marks its resources; see tagOf. */
  readonly tag: string;
  readonly store: StoreReader;
  /** The same store, if this process writes it: it keeps the ranks of the sellers there. */
  readonly written?: Store | undefined;
  asOf(): AsOf;
}

export interface ForeignHomes {
  /**
   * All followed homes in order of their DIDs. The array and its objects stay the same until a home is added or
   * removed.
   */
  all(): readonly ForeignHome[];
}

const none: readonly ForeignHome[] = [];

/** For a node without peers. */
export const noForeignHomes: ForeignHomes = { all: () => none };
