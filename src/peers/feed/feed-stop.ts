/** Where and why following a feed has stopped. */
import type { Checkpoint } from '../checkpoint.js';

export interface FeedStop {
  /** Number of the entry that was not followed; the expected number if the line is no entry. */
  readonly seq: number;
  /** What is wrong, as a sentence without its subject (the entry or the line). */
  readonly what: string;
  /** Epoch milliseconds. */
  readonly at: number;
  /** The line as received. */
  readonly line: string;
  /** The checkpoint behind the entry; absent if the home sent none. */
  readonly checkpoint?: Checkpoint;
}
