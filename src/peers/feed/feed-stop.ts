/** Why following a feed has stopped, and the evidence against its home. */
import type { Checkpoint } from '../checkpoint.js';
import type { Stop } from '../replica/replica.js';

export interface FeedStop {
  /** Number of the entry that was not adopted; the expected number if the line is no entry. */
  readonly seq: number;
  /** What is wrong, as a sentence without its subject (the entry or the line). */
  readonly what: string;
  readonly cause: Stop['cause'];
  /** Epoch milliseconds. */
  readonly at: number;
  /** The line as received. */
  readonly line: string;
  /** The home's signature over the journal that contains the entry; absent if it sent none. */
  readonly checkpoint?: Checkpoint;
}
