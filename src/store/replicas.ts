/**
 * Stores of followed feeds (docs/decisions/0031): the verified copy of another home's journal is a separate store, so
 * that nothing foreign can change the node's own ledger.
 */
import type { Store } from './store.js';

export interface Replicas {
  /** Homes whose replica exists here, in order of the DID. */
  homes(): Promise<readonly string[]>;
  /**
   * Opens the home's replica, and creates it if it is missing. If it is already open, returns the same store, until it
   * is closed.
   * @param mode `write` only for the process that follows (alone, or the holder of the lease `peers`): it takes over
   * entries and keeps records. `read` on MongoDB sees what another process adopts.
   */
  open(home: string, mode: 'read' | 'write'): Promise<Store>;
  /** Deletes the replica with all its records; it must be closed. Does nothing if there is none. */
  forget(home: string): Promise<void>;
  /** Closes every replica that is open. */
  close(): Promise<void>;
}
