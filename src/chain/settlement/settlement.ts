/**
 * The settlement port (docs/reference/settlement.md), as requests and views use it. Moves reach the chain by following
 * the journal; nothing here is on the path of a commit.
 */
import type { Refusal } from '../../core/refusal.js';
import type { NumberedEntry, Receipt } from '../../store/entry.js';

/** Writes a log line. @param level derived from the members of `detail` when absent */
export type ChainLog = (message: string, detail: object, level?: 'debug' | 'info' | 'warn') => void;

export interface ChainStatus {
  readonly kind: 'none' | 'rpc' | 'embedded';
  readonly chainId: number | null;
  readonly blockNumber: number | null;
  readonly connected: boolean;
  /** Operations committed and not settled. */
  readonly lag: number;
  readonly settlement: 'off' | 'running' | 'halted';
  /** The configured URL; it may contain an API key. */
  readonly rpcUrl?: string;
}

/** A receipt with its current number of confirmations. */
export interface SettlementReceipt extends Receipt {
  /** Number of blocks from the receipt's to the newest, both included. */
  readonly confirmations: number;
}

export interface Settlement {
  status(): ChainStatus;
  /** The problems of settlement as sentences for an operator; empty when there are none. */
  problems(): readonly string[];
  /**
   * Admission control, called before each commit that moves Tokens: SERVICE_UNAVAILABLE while settlement is halted, after a
   * long outage of the chain, or when too many operations wait.
   */
  admissionRefusal(): Refusal | undefined;
  /** Number of the newest entry up to which nothing waits for the chain. */
  settledEntry(): number;
  /** Waits at most `waitMs` for the receipt of an entry that moved Tokens; undefined when none came. */
  waitForReceipt(entry: NumberedEntry): Promise<SettlementReceipt | undefined>;
  /**
   * Whether the chain reverted this entry or an earlier one. Then no receipt comes before an operator acts, and
   * `waitForReceipt` does not wait.
   */
  hasReverted(entry: NumberedEntry): boolean;
  /** The newest receipt of an event's entry, for views; synchronous when it is in memory. */
  receipt(eventHash: string): SettlementReceipt | undefined | Promise<SettlementReceipt | undefined>;
}

export const noSettlement: Settlement = {
  status: () => ({ kind: 'none', chainId: null, blockNumber: null, connected: false, lag: 0, settlement: 'off' }),
  problems: () => [],
  admissionRefusal: () => undefined,
  settledEntry: () => Number.MAX_SAFE_INTEGER,
  waitForReceipt: async () => undefined,
  hasReverted: () => false,
  receipt: () => undefined,
};
