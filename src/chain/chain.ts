/**
 * The settlement port (design.md, Chain): what requests and views need to know of it. Moves reach the chain by
 * following the journal; nothing here is on the path of a commit.
 */
import type { Refusal } from '../machines/kernel/refusal.js';
import type { NumberedEntry, Receipt } from '../store/entry.js';

/** A line of the chain's for the node's log. @param level by what the detail tells where it is left out */
export type ChainLog = (message: string, detail: object, level?: 'debug' | 'info' | 'warn') => void;

export interface ChainStatus {
  readonly kind: 'none' | 'rpc' | 'anvil' | 'embedded';
  readonly chainId: number | null;
  readonly blockNumber: number | null;
  readonly connected: boolean;
  /** Operations committed and not settled. */
  readonly lag: number;
  readonly settlement: 'off' | 'running' | 'halted';
  /** Where this machine can ask a chain that the node runs itself. */
  readonly rpcUrl?: string;
}

/** A receipt as it is shown: the chain goes on counting. */
export interface Settled extends Receipt {
  /** Blocks from the one that it is in to the newest, both counted. */
  readonly confirmations: number;
}

export interface Settlement {
  status(): ChainStatus;
  /** What is wrong with it, in sentences for an operator; none: all is well. */
  flaws(): readonly string[];
  /**
   * Whether moves of Tokens may be committed now: SERVICE_UNAVAILABLE where the chain is away for too long or too much
   * waits for it, and where settlement has halted. Asked before each commit that moves any.
   */
  admits(): Refusal | undefined;
  /** Number of the newest entry up to which nothing waits for the chain. */
  settledEntry(): number;
  /** Waits, bounded, for the receipt of an entry that moved Tokens; undefined where there is none (yet). */
  settled(entry: NumberedEntry): Promise<Settled | undefined>;
  /** The newest receipt of an event's entry, for views; synchronous where nothing has to be looked up. */
  receipt(eventHash: string): Settled | undefined | Promise<Settled | undefined>;
}

/** No chain: the journal alone is the ledger. `SVC_CHAIN=none`. */
export const noSettlement: Settlement = {
  status: () => ({ kind: 'none', chainId: null, blockNumber: null, connected: false, lag: 0, settlement: 'off' }),
  flaws: () => [],
  admits: () => undefined,
  settledEntry: () => Number.MAX_SAFE_INTEGER,
  settled: async () => undefined,
  receipt: () => undefined,
};
