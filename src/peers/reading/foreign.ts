/** The port through which other homes' resources are read: a verified copy of each followed feed. */
import type { StoreReader } from '../../store/store.js';

/** How far a copy of a feed goes. */
export interface AsOf {
  /** Number of the newest adopted entry; 0 for none. */
  readonly seq: number;
  /** Time of the newest adopted checkpoint, epoch ms; 0 for none. */
  readonly time: number;
}

export interface ForeignHome {
  /** DID. */
  readonly home: string;
  /** See tagOf. */
  readonly tag: string;
  readonly store: StoreReader;
  asOf(): AsOf;
}

export interface ForeignHomes {
  /** All followed homes, in order of the DID; the same objects and the same array until one is added or removed. */
  all(): readonly ForeignHome[];
}

const none: readonly ForeignHome[] = [];

/** A node that follows no one. */
export const noForeignHomes: ForeignHomes = { all: () => none };
