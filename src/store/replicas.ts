/**
 * Stores of followed feeds (docs/decisions/0031): the verified copy of another home's journal is a store of its own
 * beside the node's, so that nothing foreign can change the node's books.
 */
import type { Store } from './store.js';

export interface Replicas {
  /** Homes whose replica exists here, in order of the DID. */
  homes(): Promise<readonly string[]>;
  /**
   * Opens the home's replica, created if missing; one that is open already is the same store, until it is closed.
   * @param mode `write` only for the process that follows (alone, or the holder of the lease `peers`): it takes over
   * entries and keeps records. `read` on MongoDB sees what another process adopts.
   */
  open(home: string, mode: 'read' | 'write'): Promise<Store>;
  /** Deletes the replica with all its records; it must be closed. One that does not exist stays so. */
  forget(home: string): Promise<void>;
  /** Closes every replica that is open. */
  close(): Promise<void>;
}
