/** Faults that the simulation can inject into an append of the reference store. */
import type { Commit } from '../store.js';

export interface Disturbance {
  /** Milliseconds of the given environment before anything is written. */
  readonly delayMs?: number;
  /**
   * `fail`: nothing is written and the call rejects with StoreFault; the store is dead for writing from then on.
   * `lose`: everything is written, yet the call rejects the same way: the reply was lost.
   * `refuse`: nothing is written and every commit is answered as lost to another writer of its nonce.
   */
  readonly outcome?: 'fail' | 'lose' | 'refuse';
}

/** Called once for each append, in order. Undefined: no fault. */
export type Disturb = (commits: readonly Commit[]) => Disturbance | undefined;
