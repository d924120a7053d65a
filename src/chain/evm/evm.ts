/**
 * The port of an EVM chain, limited to what settlement needs. Two adapters implement it: an RPC URL, and an EVM in this
 * process. One contract suite tests both (test/chain).
 *
 * Every method rejects with `ChainAway` when no answer came (the outcome of a `send` is then unknown), and with
 * `ChainRefused` when the chain's node answered with an error.
 */

import type { BlockGap } from './block-pace.js';

/** `0x` and hex digits, lower case as this port gives them. */
export type Hex = `0x${string}`;

export type EvmKind = 'rpc' | 'embedded';

export interface EvmBlock {
  readonly number: number;
  readonly hash: Hex;
  /** Seconds. */
  readonly timestamp: number;
  /** Wei; 0 on a chain without a base fee. */
  readonly baseFeePerGas: bigint;
}

export interface EvmLog {
  readonly address: Hex;
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  readonly transactionHash: Hex;
  readonly logIndex: number;
}

export interface EvmReceipt {
  readonly transactionHash: Hex;
  readonly blockNumber: number;
  readonly blockHash: Hex;
  /** False when the transaction was mined and reverted. */
  readonly succeeded: boolean;
  readonly gasUsed: number;
  readonly contractAddress: Hex | null;
  readonly logs: readonly EvmLog[];
}

export interface EvmCall {
  readonly to: Hex;
  readonly data: Hex;
  readonly from?: Hex;
}

export interface LogQuery {
  readonly address: Hex;
  /** Matches logs whose first topic is one of these. */
  readonly topics: readonly Hex[];
  /** Both inclusive. */
  readonly fromBlock: number;
  readonly toBlock: number;
}

export interface Fees {
  /** Wei per gas. */
  readonly maxFeePerGas: bigint;
  readonly maxPriorityFeePerGas: bigint;
}

export interface Sent {
  readonly hash: Hex;
  /** The receipt, when the chain mines at once. */
  readonly receipt?: EvmReceipt;
}

export interface EvmHealth {
  readonly connected: boolean;
  /** Number of the newest known block; null before the first answer. */
  readonly blockNumber: number | null;
  readonly reason?: string;
  /** The gap since the last block, when it is longer than usual. */
  readonly silence?: BlockGap;
  /** Time of the newest block that was looked at, epoch ms; absent on a local chain, which follows this node's clock. */
  readonly blockTime?: number;
}

export interface Evm {
  readonly kind: EvmKind;
  readonly chainId: number;
  /** The state after the last request; asks nothing. */
  health(): EvmHealth;
  blockNumber(): Promise<number>;
  /** Undefined when the block does not exist, or not yet. */
  block(which: number | 'latest'): Promise<EvmBlock | undefined>;
  /** The code at an address; `0x` when there is no contract. */
  code(address: Hex): Promise<Hex>;
  balance(address: Hex): Promise<bigint>;
  /** Number of the account's transactions: mined ones (`latest`), or pending ones as well (`pending`). */
  transactionCount(address: Hex, at: 'latest' | 'pending'): Promise<number>;
  /** Calls a contract at the newest block. Rejects with ChainRefused, which holds the `data` of a revert. */
  call(call: EvmCall): Promise<Hex>;
  estimateGas(transaction: { readonly from: Hex; readonly to?: Hex; readonly data: Hex }): Promise<number>;
  /**
   * Sends a signed transaction once, without a retry. A transaction that the chain knows already is no error.
   * @param hash of the transaction, if the caller knows it
   */
  send(raw: Hex, hash?: Hex): Promise<Sent>;
  receipt(transactionHash: Hex): Promise<EvmReceipt | undefined>;
  receipts(transactionHashes: readonly Hex[]): Promise<readonly (EvmReceipt | undefined)[]>;
  logs(query: LogQuery): Promise<readonly EvmLog[]>;
  /** The fees that a transaction should offer now. */
  fees(): Promise<Fees>;
  /** Creates Ether; only on a local chain. */
  readonly fund?: (address: Hex, wei: bigint) => Promise<void>;
  /** Advances the chain's clock to this time, epoch ms; only on a local chain. */
  readonly putForward?: (timeMs: number) => Promise<void>;
  /** Mines an empty block; only on a local chain, which mines no block without a transaction. */
  readonly mine?: () => Promise<void>;
}

/** The chain gave no answer, or a malformed one; the outcome of a request is unknown. */
export class ChainAway extends Error {
  override name = 'ChainAway';
}

/** The reason of a refusal, derived from the error message of the chain's node. */
export type RefusalReason = 'nonce too low' | 'underpriced' | 'no funds' | 'reverted' | 'other';

/** The chain's node answered, with an error. */
export class ChainRefused extends Error {
  override name = 'ChainRefused';
  constructor(
    message: string,
    readonly reason: RefusalReason,
    /** What a revert returned. */
    readonly data?: Hex,
  ) {
    super(message);
  }
}
