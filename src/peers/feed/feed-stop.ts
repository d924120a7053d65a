/** Why a followed feed has stopped, and the evidence against its home. */
import type { Checkpoint } from '../checkpoint.js';
import type { Stop } from '../replica/replica.js';

export interface FeedStop {
  /** Number of the entry that was not adopted; of a line that is no entry, the number that was expected. */
  readonly seq: number;
  /** A sentence without its subject, which is the entry or the line. */
  readonly what: string;
  readonly cause: Stop['cause'];
  /** Epoch milliseconds. */
  readonly at: number;
  /** The line as it came. */
  readonly line: string;
  /** The home's signature over the journal that has the entry; absent where it sent none. */
  readonly checkpoint?: Checkpoint;
}
