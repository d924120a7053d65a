/** The peers of a running node, as its other components use them. */
import type { Peering } from '../peers/peering/peering.js';

export interface NodePeers {
  readonly peering: Peering;
  /** From now on nothing is adopted while the disk is nearly full. */
  watchDisk(freeBytes: () => number | undefined): void;
  close(): Promise<void>;
}
