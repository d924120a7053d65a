/**
 * The settlement port (design.md, Chain): what requests and views need to know of it. Moves reach the chain by
 * following the journal; nothing here is on the path of a commit.
 */
import type { NumberedEntry, Receipt } from '../store/entry.js';

export interface ChainStatus {
  readonly kind: 'none' | 'rpc' | 'anvil' | 'embedded';
  readonly chainId: number | null;
  readonly blockNumber: number | null;
  readonly connected: boolean;
  /** Operations committed and not settled. */
  readonly lag: number;
  readonly settlement: 'off' | 'running' | 'halted';
}

export interface Settlement {
  status(): ChainStatus;
  /** Waits, bounded, for the receipt of an entry that moved Tokens; undefined where there is none (yet). */
  settled(entry: NumberedEntry): Promise<Receipt | undefined>;
  /** The newest receipt of an entry, for views; synchronous where nothing has to be looked up. */
  receipt(entryHash: string): Receipt | undefined | Promise<Receipt | undefined>;
}

/** No chain: the journal alone is the ledger. `SVC_CHAIN=none`. */
export const noSettlement: Settlement = {
  status: () => ({ kind: 'none', chainId: null, blockNumber: null, connected: false, lag: 0, settlement: 'off' }),
  settled: async () => undefined,
  receipt: () => undefined,
};
